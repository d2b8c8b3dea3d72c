import { PRUNE_PROTECTIONS } from '../../core/pruning/prune-context'
import { IDLE_REASONS, PRUNE_REASONS } from '../../core/pruning/prune-decision'
import type { PrunePreview, RuleSum } from '../../core/pruning/prune-plan'
import { PRUNE_RULE_NAMES, PRUNE_RULE_WORDS, type PruneRuleName } from '../../core/pruning/prune-rule-names'
import { type TextDecision, textDecisions } from '../../core/pruning/text-decisions'
import { maskSecrets } from '../../core/redaction/secrets'
import { estimated, type Figure } from '../../core/tokens/figure'
import type { EntryTokens } from '../../core/tokens/frame-entries'
import type { Tokens } from '../../core/units/units'

/** What one rule comes to, alone and beside the others. Tokens. */
export type PruneRuleView = {
  readonly rule: PruneRuleName
  readonly label: string
  readonly about: string
  /** Among the rules that are examined together. */
  readonly chosen: boolean
  readonly alone: { readonly texts: number; readonly freed: number; readonly idle: string | null }
  /** What is left for it beside the rules before it; null while it is not chosen. */
  readonly together: { readonly texts: number; readonly freed: number } | null
}

/** A preview of pruning, without its list of texts. */
export type PruneView = {
  readonly call: number | 'next'
  readonly calls: number
  readonly window: number
  /** What the messages that are sent hold; the part before the conversation is not in it. */
  readonly before: Figure
  readonly after: Figure
  readonly freed: number
  readonly rules: readonly PruneRuleView[]
  readonly texts: { readonly [A in TextDecision['action']]: number }
}

/** One text that rules could ask for, in words. */
export type PruneTextRow = {
  readonly what: 'result' | 'arguments'
  readonly tool: string
  readonly action: TextDecision['action']
  readonly rule: PruneRuleName | null
  readonly reason: string
  readonly tokens: Tokens
  readonly freed: number
  readonly entryId: string
  readonly seq: number | null
  readonly line: number | null
  readonly preview: string | null
}

/** A row with credentials covered. */
export function coveredRow(row: PruneTextRow): PruneTextRow {
  return row.preview === null ? row : { ...row, preview: maskSecrets(row.preview) }
}

/** Rows that travel together. */
export const PRUNE_PAGE_ROWS = 60

export type PruneTextPage = { readonly total: number; readonly rows: readonly PruneTextRow[] }

export const PRUNE_ACTIONS: readonly PruneTextRow['action'][] = ['clear', 'trim', 'keep']

/** What becomes of texts, in words. */
export const PRUNE_ACTION_WORDS: {
  readonly [A in PruneTextRow['action']]: { readonly label: string; readonly about: string }
} = {
  clear: { label: 'Cleared', about: 'a placeholder is sent in its stead' },
  trim: { label: 'Trimmed', about: 'its beginning and its end are sent' },
  keep: { label: 'Kept', about: 'is sent word for word' },
}

/** How far estimates may be off where a frame does not say. Percent. */
const UNSURE = 30

/** The call that a preview is about. */
export type PrunedCall = {
  readonly call: number | 'next'
  /** Calls of the session. */
  readonly calls: number
  /** How far estimates of its frame may be off; null when it does not say. Percent. */
  readonly errorPct: number | null
  /** What is sent, in order. */
  readonly sent: readonly EntryTokens[]
}

/** A preview for page and command line, and its rows in the order of the context. */
export function prunePreviewView(
  source: PrunedCall,
  preview: PrunePreview,
): { readonly view: PruneView; readonly rows: readonly PruneTextRow[] } {
  const { context, alone, chosen, plan } = preview
  const errorPct = source.errorPct ?? UNSURE
  const verdicts = textDecisions(context, plan)
  const count = (action: TextDecision['action']) =>
    verdicts.filter((verdict) => verdict.action === action).length
  const view: PruneView = {
    call: source.call,
    calls: source.calls,
    window: context.window,
    before: estimated(plan.tokensBefore, errorPct),
    after: estimated(plan.tokensAfter, errorPct),
    freed: plan.tokensBefore - plan.tokensAfter,
    rules: PRUNE_RULE_NAMES.map((rule) => ruleView(rule, alone, plan.rules, chosen.includes(rule))),
    texts: { keep: count('keep'), trim: count('trim'), clear: count('clear') },
  }
  return { view, rows: verdicts.map((verdict) => rowOf(verdict, source)) }
}

function ruleView(
  rule: PruneRuleName,
  alone: readonly RuleSum[],
  together: readonly RuleSum[],
  chosen: boolean,
): PruneRuleView {
  const { label, about } = PRUNE_RULE_WORDS[rule]
  const own = alone.find((sum) => sum.rule === rule)
  const beside = together.find((sum) => sum.rule === rule)
  const idle = own?.idle ?? null
  return {
    rule,
    label,
    about,
    chosen,
    alone: {
      texts: own?.texts ?? 0,
      freed: own?.freed ?? 0,
      idle: idle === null ? null : IDLE_REASONS[idle],
    },
    together: beside === undefined ? null : { texts: beside.texts, freed: beside.freed },
  }
}

function rowOf(verdict: TextDecision, { sent }: Pick<PrunedCall, 'sent'>): PruneTextRow {
  const fact = sent[verdict.at]?.entry.fact
  const decision = verdict.action === 'keep' ? null : verdict.decision
  return {
    what: verdict.call === null ? 'result' : 'arguments',
    tool: verdict.tool,
    action: verdict.action,
    rule: decision === null || decision.rule === 'room' ? null : decision.rule,
    reason: decision === null ? keptWords(verdict) : PRUNE_REASONS[decision.reason],
    tokens: verdict.tokens,
    freed: decision?.freed ?? 0,
    entryId: fact?.id ?? '',
    seq: fact?.seq ?? null,
    line: fact?.line ?? null,
    preview: fact?.preview ?? null,
  }
}

function keptWords(verdict: TextDecision): string {
  if (verdict.action !== 'keep' || verdict.keptBy === null) return 'no rule asks for it'
  return PRUNE_PROTECTIONS[verdict.keptBy]
}
