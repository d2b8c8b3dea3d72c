import { CategorySwatch } from '@/components/charts/category-swatch'
import { classes } from '@/components/ui/classes'
import { EstimateMark } from '@/components/ui/figure'
import { SearchGlyph } from '@/components/ui/glyphs'
import { Skeleton } from '@/components/ui/skeleton'
import type { Category } from '@/lib/core/tokens/category'
import type { Tokens } from '@/lib/core/units/units'
import { CATEGORY_VIEWS } from '@/lib/view/charts/category'
import { clockSeconds } from '@/lib/view/charts/time-axis'
import { type ContextRow, rowKind } from '@/lib/view/session/context-page'
import { tokensOf, unsentWords } from '@/lib/view/session/context-rows'
import { formatCount } from '@/lib/view/text/format'
import { absoluteTimeUtc } from '@/lib/view/text/time'
import { visibleLine } from '@/lib/view/text/visible-text'
import { HostileText } from '../entry/hostile-text'

export const ROW = 36
export const NARROW_ROW = 56

/** One part of the window. A row that is on its way is grey. */
export function ContextRowView({
  row,
  unsure,
  index,
  height,
  narrow,
  category,
  largest,
  offsetMinutes,
  active,
  onOpen,
}: {
  row: ContextRow | undefined
  /** The provider may have cut it away. */
  unsure: boolean
  index: number
  height: number
  narrow: boolean
  category: Category | null
  /** Tokens of the largest row, for the bar. */
  largest: number
  offsetMinutes: number
  active: boolean
  onOpen: (seq: number) => void
}) {
  return (
    <tr
      aria-rowindex={index + 2}
      aria-current={active || undefined}
      data-row={index}
      data-seq={row?.seq ?? undefined}
      className={classes(
        'border-b border-line',
        active && 'bg-accent-soft',
        row && (!row.sent || unsure) && 'text-muted',
      )}
      style={{ height }}
    >
      {row === undefined ? (
        <td colSpan={narrow ? 4 : 7} className="px-4">
          <Skeleton className="h-3 w-full" />
        </td>
      ) : (
        <Cells
          row={row}
          unsure={unsure}
          narrow={narrow}
          tokens={tokensOf(row, category)}
          largest={largest}
          offsetMinutes={offsetMinutes}
          onOpen={onOpen}
        />
      )}
    </tr>
  )
}

function Cells({
  row,
  unsure,
  narrow,
  tokens,
  largest,
  offsetMinutes,
  onOpen,
}: {
  row: ContextRow
  unsure: boolean
  narrow: boolean
  tokens: Tokens
  largest: number
  offsetMinutes: number
  onOpen: (seq: number) => void
}) {
  const time = row.at === null ? '' : clockSeconds(row.at, offsetMinutes)
  const kind = (
    <span className="flex min-w-0 items-center gap-1.5">
      <CategorySwatch category={row.category} size={10} />
      <span className={classes('truncate', row.role === 'toolResult' && 'font-mono text-[12px]')}>
        {row.seq === null
          ? CATEGORY_VIEWS[row.category].label
          : row.replayed
            ? 'checkpoint'
            : visibleLine(rowKind(row))}
      </span>
      {narrow && <span className="tnum ml-1 text-label text-muted">{time}</span>}
    </span>
  )
  return (
    <>
      {!narrow && (
        <td
          className="tnum pl-4 text-label text-muted"
          title={row.at === null ? undefined : absoluteTimeUtc(row.at)}
        >
          {time}
        </td>
      )}
      <td className={narrow ? 'pl-4' : 'px-2'}>
        {kind}
        {narrow && <Content row={row} unsure={unsure} />}
      </td>
      {!narrow && (
        <td className="px-2">
          <Content row={row} unsure={unsure} />
        </td>
      )}
      <td className="tnum px-2 text-right whitespace-nowrap">
        {row.sent || tokens > 0 ? (
          <>
            {formatCount(tokens)}
            <EstimateMark errorPct={null} />
          </>
        ) : (
          <span title={row.why === null ? undefined : unsentWords(row.why)}>not sent</span>
        )}
      </td>
      {!narrow && (
        <td>
          <svg width="56" height="8" aria-hidden="true" className="block">
            <rect width="56" height="8" rx="1" fill="var(--inset)" />
            <rect
              width={largest === 0 ? 0 : Math.max(tokens > 0 ? 1 : 0, (tokens / largest) * 56)}
              height="8"
              rx="1"
              fill={CATEGORY_VIEWS[row.category].color}
            />
          </svg>
        </td>
      )}
      <td className="tnum px-2 text-right text-muted" title={row.age === null ? undefined : 'turns since'}>
        {row.age === null ? '' : formatCount(row.age)}
      </td>
      <td className="pr-3">
        {row.seq !== null && (
          <button
            type="button"
            data-open
            aria-label={`Open line ${row.line}`}
            title={`Open line ${row.line} of the transcript`}
            onClick={() => onOpen(row.seq ?? 0)}
            className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-inset hover:text-text"
          >
            <SearchGlyph />
          </button>
        )}
      </td>
    </>
  )
}

/** What it says, on one line; for what was not sent, why. */
function Content({ row, unsure }: { row: ContextRow; unsure: boolean }) {
  if (row.seq === null) {
    return (
      <p className="truncate text-muted">
        {row.category === 'residual' ? 'sent, but in no entry and no report' : 'before the conversation'}
      </p>
    )
  }
  return (
    <p className="truncate">
      {unsure && (
        <span
          className="text-attention"
          title="The provider cut the beginning of this prompt; whether this part was left is unknown."
        >
          {'perhaps not seen · '}
        </span>
      )}
      {row.why !== null && (
        <span className="text-attention">{`${unsentWords(row.why)}${row.preview ? ' · ' : ''}`}</span>
      )}
      <HostileText text={row.preview ?? ''} />
    </p>
  )
}
