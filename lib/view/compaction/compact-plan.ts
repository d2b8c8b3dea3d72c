import {
  type ChunkAction,
  type NoPlan,
  PLAN_RULES,
  type PlanChunk,
  type PlanCost,
  type PlanResult,
  type PlanRule,
  type PlanWarning,
  type SummarySource,
} from '../../core/compaction/plan'
import { type SentToModel, sentToModel } from '../../core/compaction/sent-to-model'
import type { AskedModel } from '../../core/summary/asked-model'
import { CATEGORIES, type Category, type CategoryTokens } from '../../core/tokens/category'
import type { Figure } from '../../core/tokens/figure'
import type { Tokens } from '../../core/units/units'
import { formatQuantity } from '../text/format'

export const ACTIONS: readonly ChunkAction[] = ['keep', 'summarise', 'prune', 'drop']

/** What becomes of chunks, in words. */
export const ACTION_WORDS: {
  readonly [A in ChunkAction]: { readonly label: string; readonly about: string }
} = {
  keep: { label: 'Kept', about: 'stays word for word' },
  summarise: { label: 'Summarised', about: 'goes into the summary' },
  prune: { label: 'Pruned', about: 'summarised by itself, before the rest' },
  drop: { label: 'Dropped', about: 'leaves the context without a summary' },
}

export type PlanPart = { readonly category: Category; readonly tokens: Tokens }

/** Chunks with one decision: how many, how large, and by which rules. */
export type PlanGroup = {
  readonly action: ChunkAction
  readonly chunks: number
  readonly tokens: Tokens
  readonly rules: readonly {
    readonly rule: PlanRule
    readonly words: string
    readonly chunks: number
    readonly tokens: Tokens
  }[]
}

type Shared = {
  /** Calls of the session, and the one at which the plan is. */
  readonly calls: number
  readonly call: number | 'next'
  readonly window: Tokens
  /** `4 096 tokens, to which …`: the window of the plan, and why it is that one. */
  readonly windowWords: string
  /** Models that would be asked for the summary, one after the other; none: the digest is the summary. */
  readonly asked: readonly AskedModel[]
  /** The session's own model, where it is not among them and could be if the operator allowed it; else null. */
  readonly couldAsk: AskedModel | null
}

export type PlanView =
  | (Shared & {
      readonly kind: 'plan'
      readonly tokensBefore: Figure
      readonly tokensAfter: Figure
      /** Stacking order; parts without tokens are left out. */
      readonly before: readonly PlanPart[]
      readonly after: readonly PlanPart[]
      readonly groups: readonly PlanGroup[]
      readonly chunks: number
      readonly firstKept: {
        readonly entryId: string
        readonly seq: number | null
        readonly line: number | null
      }
      readonly summary: { readonly source: SummarySource; readonly tokens: Tokens }
      readonly cost: PlanCost
      /** What the model gets; null when none is asked. */
      readonly sent: SentToModel | null
      readonly warnings: readonly PlanWarning[]
    })
  | (Shared & { readonly kind: 'nothing'; readonly sentence: string; readonly tokensBefore: Figure })

/** One chunk as the list shows it. `entries`: how many of the transcript it represents. */
export type ChunkRow = {
  readonly order: number
  readonly action: ChunkAction
  readonly rule: PlanRule
  readonly tokens: Tokens
  readonly category: Category
  readonly entries: number
  readonly seq: number | null
  readonly line: number | null
  readonly type: string | null
  readonly role: string | null
  readonly tool: string | null
  readonly preview: string | null
}

export type ChunkPage = { readonly total: number; readonly rows: readonly ChunkRow[] }

/** Rows that travel together. */
export const CHUNK_PAGE_ROWS = 60

/** A digest as it would be written now. */
export type DigestPreview = {
  /** Credentials covered. */
  readonly text: string
  readonly tokens: Tokens
}

/** A plan for the page. @param lineOf line of an entry by its id */
export function planView(
  plan: PlanResult,
  shared: Shared,
  placeOf: (entryId: string) => { readonly seq: number; readonly line: number } | null,
): PlanView {
  if (plan.kind === 'nothing')
    return { ...shared, kind: 'nothing', sentence: nothingSentence(plan), tokensBefore: plan.tokensBefore }
  const place = placeOf(plan.firstKeptEntryId)
  return {
    ...shared,
    kind: 'plan',
    window: plan.window,
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensAfter,
    before: partsOf(plan.before),
    after: partsOf(plan.after),
    groups: groupChunks(plan.chunks),
    chunks: plan.chunks.length,
    firstKept: { entryId: plan.firstKeptEntryId, seq: place?.seq ?? null, line: place?.line ?? null },
    summary: plan.summary,
    cost: plan.cost,
    sent: shared.asked.length === 0 ? null : sentToModel(plan),
    warnings: plan.warnings,
  }
}

function partsOf(tokens: CategoryTokens): PlanPart[] {
  return CATEGORIES.flatMap((category) => {
    const part = tokens[category] ?? 0
    return part > 0 ? [{ category, tokens: part }] : []
  })
}

/** Chunks by what becomes of them, in the order of `ACTIONS`; decisions that none has are left out. */
export function groupChunks(chunks: readonly PlanChunk[]): PlanGroup[] {
  type Sum = { readonly action: ChunkAction; readonly rule: PlanRule; chunks: number; tokens: Tokens }
  const sums: Sum[] = []
  let sum: Sum | undefined
  for (const { action, rule, tokens } of chunks) {
    // Neighbours mostly share their decision.
    if (sum?.rule !== rule || sum.action !== action) {
      sum = sums.find((known) => known.rule === rule && known.action === action)
      if (sum === undefined) {
        sum = { action, rule, chunks: 0, tokens: 0 }
        sums.push(sum)
      }
    }
    sum.chunks += 1
    sum.tokens += tokens
  }
  return ACTIONS.flatMap((action) => {
    const byRule = sums
      .filter((known) => known.action === action)
      .map(({ rule, chunks, tokens }) => ({ rule, words: PLAN_RULES[rule], chunks, tokens }))
    if (byRule.length === 0) return []
    byRule.sort((a, b) => b.tokens - a.tokens)
    const add = (name: 'chunks' | 'tokens') => byRule.reduce((total, rule) => total + rule[name], 0)
    return [{ action, chunks: add('chunks'), tokens: add('tokens'), rules: byRule }]
  })
}

/** The category that most of a chunk is; what it is of the text alone when it holds nothing. */
export function mainCategory(tokens: CategoryTokens): Category {
  let main: Category = 'other'
  let most = 0
  for (const category of CATEGORIES) {
    const part = tokens[category] ?? 0
    if (part > most) [main, most] = [category, part]
  }
  return main
}

const NOTHING: { readonly [W in NoPlan['why']]: string } = {
  'just-compacted': 'the last entry is a compaction or a reset already',
  'all-kept': 'everything is recent enough to stay word for word',
  'kept-by-policy': 'the policy keeps all of it word for word',
  empty: 'no message of the session is in the window yet',
  off: 'the policy has compaction switched off',
}

/** Why there is nothing to compact, as a sentence. */
export function nothingSentence({ why }: Pick<NoPlan, 'why'>): string {
  return `Nothing to compact: ${nothingReason(why)}.`
}

/** Why there is nothing to compact, as a clause. */
export function nothingReason(why: NoPlan['why']): string {
  return NOTHING[why]
}

/** Where the summary of a compaction that was applied comes from. */
export function summaryWords({
  source,
  by,
}: {
  readonly source: SummarySource
  readonly by: string | null
}): string {
  if (source === 'model') return `by ${by ?? 'a model'}`
  return source === 'digest'
    ? 'a digest, made without a model'
    : 'the agent’s own checkpoint; no model was asked'
}

/** Parts of a plan with their labels, for tables: before and after by category. */
export function planRows(
  before: readonly PlanPart[],
  after: readonly PlanPart[],
): { readonly category: Category; readonly before: number; readonly after: number }[] {
  const of = (parts: readonly PlanPart[], category: Category) =>
    parts.find((part) => part.category === category)?.tokens ?? 0
  return CATEGORIES.flatMap((category) => {
    const row = { category, before: of(before, category), after: of(after, category) }
    return row.before === 0 && row.after === 0 ? [] : [row]
  })
}

/** A summary that no model wrote yet: a digest has its place. */
export type PendingView = {
  /** When the session was compacted. Milliseconds since the epoch. */
  readonly at: number
  /** Who may be asked for it; none: it is kept as it is. */
  readonly asked: readonly AskedModel[]
  /** Whether they are asked again and again; else only on request (`summary.retryMs` is 0). */
  readonly retried: boolean
}

/** What becomes of a summary that is pending. */
export function pendingSentence({ asked, retried }: PendingView): string {
  const [first, ...others] = asked.map(askedWords)
  if (first === undefined)
    return 'Your settings name no model, so nothing is sent anywhere: the digest stays, and its summary is kept as pending.'
  const then = others.length === 0 ? '' : `, and if it fails ${others.join(', then ')},`
  const gets = 'It gets the messages that were summarised.'
  if (!retried)
    return `Your settings say that it is not asked for again (summary.retryMs: 0): the digest stays until you run "plimsoll compact --retry-pending". Then ${first}${then} is asked. ${gets}`
  return `${first}${then} is asked for it again until it answers. ${gets}`
}

/** Who gets what, as a sentence: `openai/gpt-5 at https://api.openai.com/v1 gets 34 messages, about 25,000 tokens.` */
export function askedSentence(asked: readonly AskedModel[], sent: SentToModel | null): string {
  const [first, ...others] = asked.map(askedWords)
  if (first === undefined || sent === null) return 'No model is asked.'
  const gets = `${first} gets ${formatQuantity(sent.messages, 'message')}, about ${formatQuantity(sent.tokens, 'token')}`
  return others.length === 0 ? `${gets}.` : `${gets}; if it fails, ${others.join(', then ')} gets the same.`
}

/** What the operator writes into the settings to let the model of a session be asked for its summaries. */
export const SESSION_MODEL_LINE = 'policy: { summary: { fallbackToMain: true } }'

/** A model, and where it is asked. */
export function askedWords({ name, address }: AskedModel): string {
  return address === null ? name : `${name} at ${address}`
}

/** What asking costs, in words: requests, tokens, price. */
export function costWords({ calls, inputTokens, outputTokens }: PlanCost): string {
  if (calls === 0) return 'no model is asked'
  return `${formatQuantity(calls, 'request')}, about ${formatQuantity(inputTokens, 'token')} in and ${formatQuantity(outputTokens, 'token')} out`
}
