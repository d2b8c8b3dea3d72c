import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { LabResultView } from '@/lib/view/lab/lab-result'
import { formatQuantity } from '@/lib/view/text/format'

/** The sessions of an experiment: how much each weighs, and how far its recorded use of the cache is reproduced. */
export function ReplayedSessionsCard({ sessions, problems }: Pick<LabResultView, 'sessions' | 'problems'>) {
  return (
    <Card
      title="Sessions"
      note={`${formatQuantity(sessions.length, 'session')} replayed; calibration: calls whose recorded cache read is reproduced within 5 %, of those that report one; cold starts: calls that read nothing for no reason on record, and read nothing under any policy`}
      flush
    >
      <Table caption="Replayed sessions">
        <thead>
          <tr>
            <Th>Session</Th>
            <Th numeric>Calls</Th>
            <Th numeric>Needs</Th>
            <Th numeric>Share of weight</Th>
            <Th>Calibration</Th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((row) => (
            <Tr key={row.id}>
              <Th scope="row" className="min-w-40">
                <PageLink href={`/sessions/${row.id}`} className="isolate-text text-accent hover:underline">
                  {row.title}
                </PageLink>
                {row.place !== '' && <span className="ml-2 text-label text-muted">{row.place}</span>}
              </Th>
              <Td numeric>{row.calls}</Td>
              <Td numeric>{row.needs}</Td>
              <Td numeric>
                {row.share}
                {row.isLarge && <span className="text-attention"> ▲</span>}
              </Td>
              <Td className="tnum whitespace-nowrap">
                {row.fit} {row.isRanged && <Badge tone="attention">range</Badge>}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {problems.length > 0 && (
        <div className="px-4 py-3 text-table">
          <p className="font-medium text-attention">
            {`▲ ${formatQuantity(problems.length, 'session')} could not be replayed`}
          </p>
          <ul className="mt-1 flex flex-col gap-1">
            {problems.map(({ title, problem }) => (
              <li key={`${title} ${problem}`} className="isolate-text max-w-[90ch] break-words">
                {`${title}: ${problem}`}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}
