'use client'

import { Switch } from '@/components/policy/switch'
import { Card } from '@/components/ui/card'
import { classes } from '@/components/ui/classes'
import { EstimateMark, FigureText } from '@/components/ui/figure'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { Policy } from '@/lib/core/policy/policy'
import { valueAt } from '@/lib/core/policy/resolve'
import { RULE_SWITCHES } from '@/lib/view/pruning/prune-knobs'
import {
  PRUNE_ACTION_WORDS,
  PRUNE_ACTIONS,
  type PruneRuleView,
  type PruneTextRow,
  type PruneView,
} from '@/lib/view/pruning/prune-preview'
import { formatCount, formatPercent, formatQuantity } from '@/lib/view/text/format'

/** What each rule would free, alone and beside those before it, and what becomes of the texts. */
export function RulesCard({
  view,
  policy,
  stale,
  action,
  onAction,
  onChange,
}: {
  view: PruneView
  /** The policy that is tried, which says at once what is switched on. */
  policy: Policy
  /** Another preview is on its way. */
  stale: boolean
  /** The decision whose texts are listed; null: all. */
  action: PruneTextRow['action'] | null
  onAction: (action: PruneTextRow['action'] | null) => void
  onChange: (path: string, value: unknown) => void
}) {
  const { before, after, window, freed, rules, texts, call, calls } = view
  const share = before.value === null || before.value === 0 ? 0 : freed / before.value
  return (
    <Card
      title={`Pruning at call ${call === 'next' ? `${formatCount(calls + 1)}, the next one` : formatCount(call)}`}
      note={`what the messages hold of a window of ${formatCount(window)} tokens; a preview: pruning changes what is sent, never a transcript`}
      flush
    >
      <div className="flex flex-col gap-3 pb-2" data-testid="prune" aria-busy={stale}>
        <p className="flex flex-wrap items-baseline gap-x-2 px-4 text-figure" aria-live="polite">
          <FigureText figure={before} />
          <span aria-hidden="true">→</span>
          <span className="sr-only">to</span>
          <FigureText figure={after} unit="tokens" />
          <span className="text-table text-muted" data-testid="freed">
            {freed > 0
              ? `${formatCount(freed)} less, ${formatPercent(share)}`
              : freed < 0
                ? `${formatCount(-freed)} more: placeholders are longer than what they replace`
                : 'nothing would change'}
          </span>
        </p>
        <Table caption="Rules, alone and together">
          <thead>
            <tr>
              <Th>Rule</Th>
              <Th numeric>Alone</Th>
              <Th numeric>Together</Th>
              <Th>On</Th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <RuleRow key={rule.rule} rule={rule} policy={policy} onChange={onChange} />
            ))}
          </tbody>
        </Table>
        <ul aria-label="What becomes of the texts" className="flex flex-wrap gap-x-5 gap-y-1 px-4 text-table">
          {PRUNE_ACTIONS.map((decision) => (
            <li key={decision} data-action={decision}>
              <button
                type="button"
                aria-pressed={action === decision}
                onClick={() => onAction(action === decision ? null : decision)}
                title={PRUNE_ACTION_WORDS[decision].about}
                className="rounded-sm hover:underline aria-pressed:font-medium aria-pressed:text-accent"
              >
                {PRUNE_ACTION_WORDS[decision].label}
                <span className="tnum ml-1.5 text-muted">{formatCount(texts[decision])}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

function RuleRow({
  rule: { rule, label, about, alone, together },
  policy,
  onChange,
}: {
  rule: PruneRuleView
  policy: Policy
  onChange: (path: string, value: unknown) => void
}) {
  const path = RULE_SWITCHES[rule]
  const on = valueAt(policy, path) === true
  return (
    <Tr>
      <Th scope="row" className="align-top">
        <span className={classes('font-medium', !on && 'text-muted')}>{label}</span>
        <span className="block max-w-prose text-label text-muted">
          {alone.idle === null ? about : `Does nothing here: ${alone.idle}.`}
        </span>
      </Th>
      <Td numeric className="align-top whitespace-nowrap">
        <Freed freed={alone.freed} texts={alone.texts} />
      </Td>
      <Td numeric className="align-top whitespace-nowrap">
        {together === null ? (
          <span className="text-muted">off</span>
        ) : (
          <Freed freed={together.freed} texts={together.texts} />
        )}
      </Td>
      <Td className="align-top">
        <Switch label={label} hideLabel on={on} onChange={(value) => onChange(path, value)} />
      </Td>
    </Tr>
  )
}

function Freed({ freed, texts }: { freed: number; texts: number }) {
  return (
    <>
      {formatCount(freed)}
      {/* Where nothing goes, nothing was estimated. */}
      {texts > 0 && <EstimateMark errorPct={null} />}
      <span className="block text-label text-muted">{formatQuantity(texts, 'text')}</span>
    </>
  )
}
