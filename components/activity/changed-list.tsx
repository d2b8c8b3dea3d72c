import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { CutoffAction } from '@/lib/core/logs/what-if'
import type { CutoffView } from '@/lib/view/activity/cutoff'
import { formatCount, formatQuantity } from '@/lib/view/text/format'

const ACTIONS: { readonly [A in CutoffAction]: string } = {
  drop: 'dropped',
  summarise: 'summarised',
  keep: 'kept',
}

/** The chunks that the two settings treat otherwise, largest first. */
export function ChangedList({ view: { changed, changedTotal, before, after } }: { view: CutoffView }) {
  if (changedTotal === 0) {
    const isSame =
      before.setting.cutoff === after.setting.cutoff && before.setting.keep === after.setting.keep
    return (
      <p className="text-table text-muted">
        {isSame
          ? 'Both settings are the same. Move one of the thresholds to see what would change.'
          : 'Nothing would change for any of the logged drops.'}
      </p>
    )
  }
  return (
    <Card
      title="Chunks with another decision"
      note={`${formatQuantity(changedTotal, 'chunk')}${changed.length < changedTotal ? `, the largest ${changed.length}` : ''}`}
      flush
    >
      <Table caption="Chunks with another decision">
        <thead>
          <tr>
            <Th>Chunk</Th>
            <Th>Session</Th>
            <Th numeric>Score</Th>
            <Th numeric>Tokens</Th>
            <Th>Before → after</Th>
            <Th>Wanted later</Th>
          </tr>
        </thead>
        <tbody>
          {changed.map((row) => (
            <Tr key={row.key}>
              <Th scope="row" className="max-w-48 truncate">
                <PageLink
                  href={`/activity/chunk?${new URLSearchParams({ id: row.chunkId, ...(row.sessionId === null ? {} : { of: row.sessionId }) })}`}
                  className="text-accent hover:underline"
                >
                  <code className="isolate-text text-label">{row.shownId}</code>
                </PageLink>
              </Th>
              <Td className="max-w-56 truncate">
                <span className="isolate-text">{row.shownSession}</span>
              </Td>
              <Td numeric>{row.score.toFixed(3)}</Td>
              <Td numeric>{row.tokens === null ? '?' : formatCount(row.tokens)}</Td>
              <Td>{`${ACTIONS[row.before]} → ${ACTIONS[row.after]}`}</Td>
              <Td>{row.against !== null && <Badge tone="attention">{row.against}</Badge>}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
