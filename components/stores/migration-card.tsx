import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { LossView } from '@/lib/view/stores/stores'
import { formatCount } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

/** Transcripts that OpenClaw would not move into its database as a whole, and what a repair saves. */
export function MigrationCard({ losses }: { losses: readonly LossView[] }) {
  if (losses.length === 0) return null
  return (
    <Card
      id="migration"
      title="Repair before OpenClaw moves these"
      note="its import into the database keeps only what is before the first bad line; after a repair it keeps what can be kept"
      flush
    >
      <Table caption="Entries that the move into the database would lose">
        <thead>
          <tr>
            <Th>Session</Th>
            <Th numeric>Entries</Th>
            <Th numeric>Lost when moved</Th>
            <Th numeric>Lost after a repair</Th>
            <Th>File</Th>
          </tr>
        </thead>
        <tbody>
          {losses.map((loss) => (
            <Tr key={loss.id}>
              <Td className="min-w-32">
                <PageLink href={loss.href} className="isolate-text text-accent hover:underline">
                  {loss.title}
                </PageLink>
              </Td>
              <Td numeric>{formatCount(loss.entries)}</Td>
              <Td numeric className="text-attention">
                {formatCount(loss.lost)}
              </Td>
              <Td numeric>{formatCount(loss.lostAfterRepair)}</Td>
              <Td className="min-w-48">
                <code className="isolate-text text-label">{visibleLine(loss.path)}</code>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
