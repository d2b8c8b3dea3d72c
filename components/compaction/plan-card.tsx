'use client'

import { Card } from '@/components/ui/card'
import { EstimateMark, FigureText } from '@/components/ui/figure'
import { AlertGlyph } from '@/components/ui/glyphs'
import type { ChunkAction } from '@/lib/core/compaction/plan'
import { ACTION_WORDS, askedSentence, costWords, type PlanView } from '@/lib/view/compaction/compact-plan'
import { PRICE_SOURCES } from '@/lib/view/text/cost'
import { formatCount, formatPercent, formatQuantity, formatUsd } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'
import { PlanBars } from './plan-bars'

type Plan = Extract<PlanView, { kind: 'plan' }>

const SOURCES = {
  digest: 'a digest, made here without a model',
  model: 'by the model',
  checkpoint: 'the agent’s own checkpoint, and a digest of what came after it',
} as const

/** What would become of the window: sizes, decisions with their rules, price, and what to know before. */
export function PlanCard({
  plan,
  stale,
  action,
  onAction,
}: {
  plan: Plan
  /** Another plan is on its way. */
  stale: boolean
  /** The decision whose chunks are listed; null: all. */
  action: ChunkAction | null
  onAction: (action: ChunkAction | null) => void
}) {
  const { tokensBefore, tokensAfter, window } = plan
  return (
    <Card
      title={`Plan at call ${plan.call === 'next' ? `${formatCount(plan.calls + 1)}, the next one` : formatCount(plan.call)}`}
      note={`In a window of ${plan.windowWords}. A dry run: nothing is written.`}
    >
      <div className="flex flex-col gap-4" data-testid="plan" aria-busy={stale}>
        <p className="flex flex-wrap items-baseline gap-x-2 text-figure" aria-live="polite">
          <FigureText figure={tokensBefore} />
          <span aria-hidden="true">→</span>
          <span className="sr-only">to</span>
          <FigureText figure={tokensAfter} unit="tokens" />
          <Change plan={plan} />
        </p>
        <PlanBars
          before={{ total: tokensBefore, parts: plan.before }}
          after={{ total: tokensAfter, parts: plan.after }}
          window={window}
        />
        <ul aria-label="What becomes of the chunks" className="flex flex-col">
          {plan.groups.map((group) => (
            <li
              key={group.action}
              data-action={group.action}
              className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-t border-line py-2"
            >
              <button
                type="button"
                aria-pressed={action === group.action}
                onClick={() => onAction(action === group.action ? null : group.action)}
                className="justify-self-start rounded-sm text-left text-table font-medium hover:underline aria-pressed:text-accent"
              >
                {ACTION_WORDS[group.action].label}
                <span className="ml-2 font-normal text-muted">{ACTION_WORDS[group.action].about}</span>
              </button>
              <span className="tnum text-right text-table whitespace-nowrap">
                {`${formatQuantity(group.chunks, 'chunk')} · ${formatCount(group.tokens)}`}
                <EstimateMark errorPct={null} />
              </span>
              <ul className="col-span-2 mt-0.5 flex flex-col text-label text-muted">
                {group.rules.map(({ rule, words, chunks, tokens }) => (
                  <li key={rule} data-rule={rule} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4">
                    <span>{words}</span>
                    <span className="tnum">{`${formatCount(chunks)} · ${formatCount(tokens)}`}</span>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
        <Facts plan={plan} />
        {plan.warnings.length > 0 && (
          <ul aria-label="Warnings" className="flex flex-col gap-1">
            {plan.warnings.map(({ code, message }) => (
              <li key={code} className="flex max-w-[80ch] items-start gap-2 text-table text-attention">
                <AlertGlyph />
                <span className="isolate-text min-w-0">{message}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

function Change({ plan }: { plan: Plan }) {
  const { value: before } = plan.tokensBefore
  const { value: after } = plan.tokensAfter
  if (before === null || after === null || before === 0) return null
  const share = (before - after) / before
  return (
    <span className={`tnum text-body ${share > 0 ? 'text-muted' : 'text-attention'}`}>
      {share > 0 ? `−${formatPercent(share)}` : `+${formatPercent(-share)}: it would grow`}
    </span>
  )
}

function Facts({ plan }: { plan: Plan }) {
  const { cost, summary, asked, sent, firstKept } = plan
  const price =
    cost.calls === 0
      ? '$0'
      : cost.usd === null
        ? '? (no price known)'
        : `${formatUsd(cost.usd)} ≈, ${PRICE_SOURCES[cost.source ?? 'list']}`
  return (
    <dl className="grid gap-x-6 gap-y-2 border-t border-line pt-3 text-table sm:grid-cols-2">
      <Fact name="Summary">
        {`up to about ${formatQuantity(summary.tokens, 'token')}, ${SOURCES[summary.source]}`}
        {summary.source === 'model' && asked[0] !== undefined && (
          <span className="isolate-text">{` ${visibleLine(asked[0].name)}`}</span>
        )}
      </Fact>
      <Fact name="Model">{costWords(cost)}</Fact>
      <Fact name="Sent">
        <span className="isolate-text break-words" data-testid="sent">
          {visibleLine(sent === null ? 'nothing; no model is asked' : askedSentence(asked, sent))}
        </span>
      </Fact>
      <Fact name="Price">{price}</Fact>
      <Fact name="Cache to be written anew">
        {cost.cacheLost === null ? (
          <span title="the last call did not say what came from the cache">?</span>
        ) : (
          `${formatQuantity(cost.cacheLost, 'token')}, as many as the last call read from it`
        )}
      </Fact>
      <Fact name="Stays from">
        <span className="tnum">{firstKept.line === null ? '' : `line ${formatCount(firstKept.line)} `}</span>
        <code className="isolate-text text-label">{firstKept.entryId}</code>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-label text-muted">{name}</dt>
      <dd className="tnum">{children}</dd>
    </div>
  )
}
