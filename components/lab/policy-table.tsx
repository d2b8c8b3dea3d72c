import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { PolicyRow } from '@/lib/view/lab/lab-result'
import { ASSUMPTION } from '@/lib/view/lab/result-words'
import { formatCount } from '@/lib/view/text/format'
import { PolicyHeads } from './policy-heads'

/** The policies of an experiment with all their figures. */
export function PolicyTable({ rows }: { rows: readonly PolicyRow[] }) {
  return (
    <Card title="Policies" note={`Estimated, ${ASSUMPTION}; in brackets 95 % intervals`} flush>
      <Table caption="Policies">
        <thead>
          <tr>
            <PolicyHeads />
            <Th numeric>Recall</Th>
            <Th numeric>Rules kept</Th>
            <Th numeric>Lost</Th>
            <Th numeric>Unmet needs</Th>
            <Th numeric>Cost</Th>
            <Th numeric>Rewrites</Th>
            <Th numeric>Compactions</Th>
            <Th numeric>Over the window</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Tr key={row.name}>
              <Td numeric>{row.number}</Td>
              <Th scope="row" className="min-w-44">
                <span className="isolate-text font-medium" title={row.about}>
                  {row.label}
                </span>{' '}
                {row.roleWords !== '' && <Badge>{row.roleWords}</Badge>}
              </Th>
              <Td numeric>{row.saving}</Td>
              <Td numeric>{row.longRecall}</Td>
              <Td numeric>{row.recall}</Td>
              <Td numeric>{row.rules}</Td>
              <Td numeric>{row.lost}</Td>
              <Td numeric>{formatCount(row.unmet)}</Td>
              <Td numeric className="whitespace-nowrap">
                {row.usd}
              </Td>
              <Td numeric>{row.rewrites}</Td>
              <Td numeric>{row.compactions}</Td>
              <Td numeric>{row.overfull}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <details className="px-4 py-2 text-table">
        <summary className="cursor-pointer text-muted">What each of them does</summary>
        <dl className="mt-2 flex flex-col gap-2">
          {rows.map(({ name, number, label, about }) => (
            <div key={name}>
              <dt className="isolate-text font-medium">{`${number} ${label}`}</dt>
              <dd className="isolate-text max-w-[90ch] text-muted">{about}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Card>
  )
}
