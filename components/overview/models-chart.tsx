import { Picture } from '@/components/charts/picture'
import type { ModelUsage } from '@/lib/view/overview/days'
import { costText } from '@/lib/view/text/cost'
import { formatPercent, formatQuantity, formatShort } from '@/lib/view/text/format'

const ROW = 44
const SHOWN = 8

const PARTS = [
  { label: 'cache read', className: 'fill-fill opacity-40', of: (m: ModelUsage) => m.cacheRead },
  { label: 'cache write', className: 'fill-fill opacity-70', of: (m: ModelUsage) => m.cacheWrite },
  { label: 'input', className: 'fill-fill', of: (m: ModelUsage) => m.input },
  { label: 'output', className: 'fill-ok', of: (m: ModelUsage) => m.output },
] as const

/** One bar per model as long as its tokens: what came from the cache, what was new, what came back; cost at the end. */
export function ModelsChart({ models }: { models: readonly ModelUsage[] }) {
  const rows = models.slice(0, SHOWN)
  const longest = Math.max(1, ...rows.map((model) => model.sent + model.output))
  return (
    <>
      <Picture
        label="Tokens and cost by model; the same numbers are in the table"
        text="text-table"
        width="100%"
        height={rows.length * ROW}
      >
        {rows.map((model, index) => (
          <svg key={model.model} y={index * ROW} width="100%" height={ROW}>
            <title>{rowWords(model)}</title>
            <ModelRow model={model} longest={longest} />
          </svg>
        ))}
      </Picture>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-label text-muted">
        {PARTS.map((part) => (
          <li key={part.label} className="inline-flex items-center gap-1.5">
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" rx="2" className={part.className} />
            </svg>
            {part.label}
          </li>
        ))}
        {models.length > SHOWN && <li>{`top ${SHOWN} of ${formatQuantity(models.length, 'model')}`}</li>}
      </ul>
    </>
  )
}

function ModelRow({ model, longest }: { model: ModelUsage; longest: number }) {
  const cost = costText(model.cost)
  let start = 0
  const segments = PARTS.map((part) => {
    const size = part.of(model) / longest
    const segment = { ...part, start, size }
    start += size
    return segment
  })
  return (
    <>
      <svg width="58%" height="20" aria-hidden="true">
        <text y="15" className="fill-text">
          {model.model}
        </text>
      </svg>
      <text x="80%" y="15" textAnchor="end" className="tnum fill-muted">
        {formatShort(model.sent + model.output)}
      </text>
      <text x="100%" y="15" textAnchor="end" className="tnum fill-text font-medium">
        {cost.text}
      </text>
      <rect y="24" width="100%" height="8" rx="2" className="fill-inset" />
      {segments.map(
        (segment) =>
          segment.size > 0 && (
            <rect
              key={segment.label}
              x={`${segment.start * 100}%`}
              y="24"
              width={`${segment.size * 100}%`}
              height="8"
              className={segment.className}
            />
          ),
      )}
    </>
  )
}

function rowWords(model: ModelUsage): string {
  const parts = PARTS.map((part) => `${part.label} ${formatShort(part.of(model))}`).join(', ')
  const hit = model.cacheHit === null ? '' : `; cache hit ${formatPercent(model.cacheHit)}`
  return `${model.model}: ${parts}${hit}; ${costText(model.cost).title}`
}
