import { CostFigure } from '@/components/ui/cost-text'
import { Heads, Table, Td, Th, Tr } from '@/components/ui/table'
import type { ModelUsage, UsageSums } from '@/lib/view/overview/days'
import { formatCount, formatPercent } from '@/lib/view/text/format'

/** Usage by model with the sum below: the providers' own figures. */
export function ModelsTable({ models, total }: { models: readonly ModelUsage[]; total: UsageSums }) {
  return (
    <Table caption="Tokens and cost by model">
      <Heads
        text={['Model']}
        numbers={['Calls', 'Input', 'Cache read', 'Cache write', 'Output', 'Cache hit', 'Cost']}
      />
      <tbody>
        {models.map((model) => (
          <Tr key={model.model}>
            <Th scope="row" className="isolate-text">
              {model.model}
            </Th>
            <Cells usage={model} />
          </Tr>
        ))}
        <Tr className="font-medium">
          <Th scope="row" className="font-medium">
            All
          </Th>
          <Cells usage={total} />
        </Tr>
      </tbody>
    </Table>
  )
}

function Cells({ usage }: { usage: UsageSums }) {
  return (
    <>
      <Td numeric>{formatCount(usage.calls)}</Td>
      <Td numeric>{formatCount(usage.input)}</Td>
      <Td numeric>{formatCount(usage.cacheRead)}</Td>
      <Td numeric>{formatCount(usage.cacheWrite)}</Td>
      <Td numeric>{formatCount(usage.output)}</Td>
      <Td numeric>{usage.cacheHit === null ? '?' : formatPercent(usage.cacheHit)}</Td>
      <Td numeric>
        <CostFigure cost={usage.cost} />
      </Td>
    </>
  )
}
