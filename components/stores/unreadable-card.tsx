import { Fragment } from 'react'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { UnreadableView } from '@/lib/view/stores/stores'
import { formatBytes, formatCount, formatQuantity } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

/** Lines that are not entries: where they are and why. They are kept, and nothing else is lost by them. */
export function UnreadableCard({ entries, total }: { entries: readonly UnreadableView[]; total: number }) {
  if (total === 0) return null
  const note =
    entries.length < total
      ? `${formatCount(entries.length)} of ${formatCount(total)}, the first of each transcript, those that changed last first`
      : `${formatCount(total)}; each is kept as it is, and the rest of its transcript is read`
  return (
    <Card id="unreadable" title="Unreadable lines" note={note} flush>
      <Table caption="Unreadable lines">
        <thead>
          <tr>
            <Th>File</Th>
            <Th numeric>Line</Th>
            <Th>Reason</Th>
            <Th numeric>Size</Th>
            <Th>Session</Th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <Fragment key={`${entry.sessionId} ${entry.line}`}>
              <Tr>
                <Td className="min-w-48">
                  <code
                    className="isolate-text text-label"
                    id={isFirst(entries, index) ? `unreadable-${entry.sessionId}` : undefined}
                  >
                    {visibleLine(entry.path)}
                  </code>
                </Td>
                <Td numeric>
                  <PageLink href={entry.href} className="text-accent hover:underline">
                    {formatCount(entry.line)}
                  </PageLink>
                </Td>
                <Td className="isolate-text min-w-48">{entry.reason}</Td>
                <Td numeric className="whitespace-nowrap">
                  {formatBytes(entry.bytes)}
                </Td>
                <Td className="isolate-text">{entry.title}</Td>
              </Tr>
              {entry.more > 0 && (
                <Tr>
                  <td colSpan={5} className="px-4 py-1.5 text-muted">
                    {`… and ${formatQuantity(entry.more, 'more line')} of this transcript. `}
                    <PageLink
                      href={`/sessions/${entry.sessionId}/integrity`}
                      className="text-accent hover:underline"
                    >
                      Its integrity
                    </PageLink>
                  </td>
                </Tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

/** The first line of a session carries the anchor that other pages lead to. */
function isFirst(entries: readonly UnreadableView[], index: number): boolean {
  return entries[index - 1]?.sessionId !== entries[index]?.sessionId
}
