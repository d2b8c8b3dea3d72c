import { Card } from '@/components/ui/card'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { CutoffPart } from '@/lib/core/logs/what-if'
import type { CutoffView } from '@/lib/view/activity/cutoff'
import { formatCount } from '@/lib/view/text/format'

const ROWS = [
  ['drop', 'dropped'],
  ['summarise', 'summarised'],
  ['keep', 'kept'],
] as const

/** What both settings make of the logged drops, side by side. */
export function CutoffTable({ view: { before, after } }: { view: CutoffView }) {
  return (
    <Card title="What would change" note="of what was dropped; “wanted” was recovered or needed later" flush>
      <div data-testid="cutoff-actions">
        <Table caption="What both settings make of the logged drops">
          <thead>
            <tr>
              <Th>Would be</Th>
              <Th numeric>{`Before (${before.setting.cutoff} / ${before.setting.keep})`}</Th>
              <Th numeric>{`After (${after.setting.cutoff} / ${after.setting.keep})`}</Th>
              <Th numeric>Difference</Th>
            </tr>
          </thead>
          <tbody>
            {ROWS.map(([decision, name]) => (
              <Tr key={decision}>
                <Th scope="row">{name}</Th>
                <Part part={before.parts[decision]} />
                <Part part={after.parts[decision]} />
                <Td numeric>{signed(after.parts[decision].chunks - before.parts[decision].chunks)}</Td>
              </Tr>
            ))}
            <Tr>
              <Th scope="row">dropped by another rule</Th>
              <Part part={before.unscored} />
              <Part part={after.unscored} />
              <Td numeric>0</Td>
            </Tr>
          </tbody>
        </Table>
      </div>
      {(before.isAboveLogged || after.isAboveLogged) && (
        <p className="max-w-[80ch] px-4 pt-2 pb-1 text-table text-attention">
          A cut-off above the one that was logged would have dropped more than this: what stayed is in no log.
          The trial on transcripts below tells it.
        </p>
      )}
    </Card>
  )
}

function Part({ part: { chunks, tokens, unknownTokens, against } }: { part: CutoffPart }) {
  const unknown = unknownTokens === 0 ? '' : ` + ${formatCount(unknownTokens)} of ? size`
  return (
    <Td numeric>
      {formatCount(chunks)}
      <span className="block text-label text-muted">{`${formatCount(tokens)} tokens${unknown}`}</span>
      <span className={against > 0 ? 'block text-label text-attention' : 'block text-label text-muted'}>
        {`${formatCount(against)} wanted`}
      </span>
    </Td>
  )
}

function signed(value: number): string {
  return value > 0 ? `+${formatCount(value)}` : value < 0 ? `−${formatCount(-value)}` : '0'
}
