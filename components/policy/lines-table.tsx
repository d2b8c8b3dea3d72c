import { Heads, Table, Td, Th, Tr } from '@/components/ui/table'
import type { Threshold } from '@/lib/view/policy/policy-lines'
import { formatCount, formatPercent } from '@/lib/view/text/format'

/** The load lines as a table: the same numbers as on the chart. */
export function LinesTable({ lines }: { lines: readonly Threshold[] }) {
  return (
    <Table caption="Load lines and how often own sessions would have crossed them">
      <Heads text={['Line', 'State']} numbers={['Share', 'Tokens', 'Sessions', 'Of', 'Times']} />
      <tbody>
        {lines.map((line) => (
          <Tr key={line.id}>
            <Th scope="row">{line.label}</Th>
            <Td>{line.note ?? 'on'}</Td>
            <Td numeric>{formatPercent(line.at)}</Td>
            <Td numeric>{formatCount(line.tokens)}</Td>
            <Td numeric>{formatCount(line.crossed.sessions)}</Td>
            <Td numeric>{formatCount(line.crossed.of)}</Td>
            <Td numeric>{formatCount(line.crossed.times)}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}
