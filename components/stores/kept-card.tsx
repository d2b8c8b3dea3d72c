import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Heads, Table, Td, Tr } from '@/components/ui/table'
import type { ArchiveView } from '@/lib/view/archive/archive-view'
import { formatBytes, formatQuantity } from '@/lib/view/text/format'

/** What the archive holds, and which transcripts their runtimes delete within a week. */
export function KeptCard({ archive }: { archive: ArchiveView }) {
  const { enabled, transcripts, bytes, quotaBytes, due, dueTotal } = archive
  const holds = `${formatQuantity(transcripts, 'transcript')}, ${formatBytes(bytes)} of ${formatBytes(quotaBytes)} on disk`
  return (
    <Card
      id="archive"
      title="Archive"
      note={enabled ? `on: what runtimes delete is kept; ${holds}` : `off: nothing new is copied; ${holds}`}
      flush
    >
      {!enabled && (
        <p className="max-w-[100ch] px-4 pb-2 text-table">
          Write <code>{'archive: { enabled: true }'}</code> into the settings file, and every transcript is
          copied before its runtime deletes it.
        </p>
      )}
      {due.length > 0 && (
        <>
          <p role="note" className="px-4 pb-2 text-table text-attention">
            {`${formatQuantity(dueTotal, 'transcript')} will be deleted by the runtime within a week${dueTotal > due.length ? `; the first ${due.length} of them` : ''}:`}
          </p>
          <Table caption="Transcripts that their runtime deletes within a week">
            <Heads text={['Session', 'Deleted', 'By its setting', 'In the archive', 'File']} />
            <tbody>
              {due.map((one) => (
                <Tr key={one.id}>
                  <Td className="min-w-32">
                    <PageLink href={one.href} className="isolate-text text-accent hover:underline">
                      {one.title}
                    </PageLink>
                  </Td>
                  <Td>{one.when}</Td>
                  <Td>{one.rule}</Td>
                  <Td className={one.isKept ? undefined : 'text-attention'}>{one.isKept ? 'yes' : 'no'}</Td>
                  <Td className="min-w-48">
                    <code className="isolate-text text-label">{one.path}</code>
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
    </Card>
  )
}
