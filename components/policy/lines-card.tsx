'use client'

import { ChartFrame } from '@/components/charts/chart-frame'
import { useSize } from '@/components/charts/use-size'
import { Button } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { CrossGlyph } from '@/components/ui/glyphs'
import { Skeleton } from '@/components/ui/skeleton'
import { TermMark } from '@/components/ui/term'
import type { Policy } from '@/lib/core/policy/policy'
import type { ShortTerm } from '@/lib/view/help/short-meanings'
import { parseField } from '@/lib/view/policy/policy-field'
import { type FillAggregate, NO_FILLS } from '@/lib/view/policy/policy-fills'
import { crossedWords, movedTo, type Threshold, thresholds } from '@/lib/view/policy/policy-lines'
import { linesCsv } from '@/lib/view/policy/policy-lines-csv'
import { type PolicyProblem, problemAt } from '@/lib/view/policy/policy-reading'
import { formatCount, formatPercent, formatQuantity } from '@/lib/view/text/format'
import type { DraftCard } from './draft-card'
import { FillHistogram } from './fill-histogram'
import { LinesTable } from './lines-table'
import { Switch } from './switch'
import { ThresholdRail } from './threshold-rail'
import { TypedInput } from './typed-input'

const HISTOGRAM = 132

/** The ladder over the fills of the operator's own sessions: what each line would have meant for them. */
export function LinesCard(card: DraftCard) {
  const { policy, settled, window, fills, problems, locked, onPreview, onChange } = card
  const [plot, size] = useSize<HTMLDivElement>()
  const lines = thresholds(policy, window, fills ?? NO_FILLS)
  return (
    <ChartFrame
      title="Load lines"
      name="load-lines"
      note={noteOf(fills)}
      csv={() => linesCsv(lines, fills ?? NO_FILLS)}
      table={<LinesTable lines={lines} />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-3 md:grid-cols-[8.5rem_minmax(0,1fr)_9.5rem]">
        <div className="hidden md:block" />
        <div ref={plot} className="mx-4 min-w-0 md:mx-0" style={{ height: HISTOGRAM }}>
          {fills === null || size === null ? (
            <Skeleton className="h-full w-full" />
          ) : (
            <FillHistogram fills={fills} lines={lines} width={size.width} height={HISTOGRAM} />
          )}
        </div>
        <div className="hidden md:block" />
      </div>
      <ul className="mt-1 flex flex-col">
        {lines.filter(isListed).map((line) => (
          <LineRow
            key={line.id}
            line={line}
            first={(line.step ?? 0) === 0}
            steps={line.step === null ? null : stepsOf(policy, line)}
            loading={fills === null}
            problem={problemAt(problems, line.path)}
            locked={locked !== null}
            onPreview={(at) => onPreview(at === null ? null : movedTo(settled, line, at))}
            onCommit={(at) => onChange(movedTo(settled, line, at), `line ${line.id}`)}
            onSwitch={(on) => onChange({ [line.enabledPath]: on })}
            onSteps={(at) => onChange({ [line.path]: at })}
          />
        ))}
      </ul>
      {locked !== null && <p className="mt-2 text-label text-muted">{locked}</p>}
    </ChartFrame>
  )
}

const TERM_OF: { readonly [K in Threshold['kind']]: ShortTerm } = {
  curate: 'curate',
  compact: 'compact',
  slide: 'slide',
  checkpoint: 'checkpoints',
  flush: 'flushes',
  hard: 'hard',
}

/** Steps that are switched off are in one row together. */
function isListed(line: Threshold): boolean {
  return line.enabled || line.step === null || line.step === 0
}

function LineRow({
  line,
  first,
  steps,
  loading,
  problem,
  locked,
  onPreview,
  onCommit,
  onSwitch,
  onSteps,
}: {
  line: Threshold
  /** The first step of its kind carries the switch of all. */
  first: boolean
  steps: readonly number[] | null
  loading: boolean
  problem: PolicyProblem | null
  locked: boolean
  onPreview: (at: number | null) => void
  onCommit: (at: number) => void
  onSwitch: (on: boolean) => void
  onSteps: (at: readonly number[]) => void
}) {
  const name = line.kind[0]?.toUpperCase() + line.kind.slice(1)
  const label = line.step === null ? line.label : `${name}s`.replace('Flushs', 'Flushes')
  const isFolded = steps !== null && !line.enabled
  return (
    <li
      data-row={line.id}
      className={classes(
        'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-0.5 md:grid-cols-[8.5rem_minmax(0,1fr)_9.5rem]',
        first && 'border-t border-line',
      )}
    >
      <div className="flex items-center gap-2" title={line.about}>
        {first ? (
          <>
            <Switch label={label} on={line.enabled} disabled={locked} onChange={onSwitch} />
            <TermMark id={TERM_OF[line.kind]} name={label.toLowerCase()} />
          </>
        ) : (
          <span className="h-7 pl-10 leading-7" />
        )}
      </div>
      {isFolded ? (
        <p className="order-3 col-span-2 text-label text-muted md:order-none">
          {`switched off: ${steps.map((at) => formatPercent(at)).join(', ')}`}
        </p>
      ) : (
        <div className="order-3 col-span-2 mx-4 min-w-0 md:order-none md:col-span-1 md:mx-0">
          <ThresholdRail
            line={line}
            words={`crossed by ${crossedWords(line.crossed)}`}
            disabled={locked}
            onPreview={onPreview}
            onCommit={onCommit}
          />
        </div>
      )}
      {!isFolded && (
        <>
          <div className="flex items-center justify-end gap-1.5">
            <TypedInput
              numeric
              aria-label={`${line.label}, per cent of the window`}
              value={String(Math.round(line.at * 10_000) / 100)}
              disabled={locked}
              invalid={problem?.severity === 'error'}
              onCommit={(text) => {
                const value = parseField({ kind: 'number', nullable: false }, text.replace(/%\s*$/, ''))
                if (typeof value === 'number') onCommit(value / 100)
              }}
              className="w-14"
            />
            <span className="text-label text-muted">%</span>
            <span className="tnum min-w-14 text-right text-label text-muted">{formatCount(line.tokens)}</span>
            {steps !== null && steps.length > 1 && !locked ? (
              <Button
                kind="quiet"
                className="size-6 px-0"
                aria-label={`Remove ${line.label}`}
                onClick={() => onSteps(steps.filter((_, i) => i !== line.step))}
              >
                <CrossGlyph />
              </Button>
            ) : (
              steps !== null && <span className="w-6" />
            )}
          </div>
          <p className="order-4 col-span-2 text-label text-muted md:order-none md:col-span-1 md:col-start-2">
            <span data-crossed={line.id} className="tnum">
              {loading ? '…' : crossedWords(line.crossed)}
            </span>
            {line.note !== null && line.enabled && (
              <span className="text-attention">{` · ${line.note}`}</span>
            )}
            {!line.enabled && ' · switched off'}
            {problem && <span className="text-danger">{` · ${problem.message}`}</span>}
          </p>
          {steps !== null && line.step === steps.length - 1 && !locked && steps.length < 8 && (
            <Button
              kind="quiet"
              className="order-5 h-6 justify-self-end md:order-none md:col-start-3"
              onClick={() => onSteps([...steps, nextStep(steps)])}
            >
              {`Add a ${line.kind}`}
            </Button>
          )}
        </>
      )}
    </li>
  )
}

function stepsOf(policy: Policy, line: Threshold): readonly number[] {
  return line.kind === 'flush' ? policy.lines.flush.at : policy.lines.checkpoints.at
}

/** Half way between the highest step and the window. */
function nextStep(steps: readonly number[]): number {
  return Math.round(((Math.max(0, ...steps) + 1) / 2) * 100) / 100
}

function noteOf(fills: FillAggregate | null): string {
  if (fills === null) return 'Reading the fills of your sessions …'
  if (fills.sessions === 0)
    return 'No session with a known size yet: there is nothing to compare thresholds with.'
  const unknown =
    fills.unknownCalls === 0 ? '' : `, ${formatQuantity(fills.unknownCalls, 'call')} of unknown size left out`
  return `Over ${formatQuantity(fills.calls - fills.unknownCalls, 'call')} of ${formatQuantity(fills.sessions, 'session')}, by share of the window${unknown}. Height: square root of calls`
}
