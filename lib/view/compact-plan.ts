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
} from '../core/compaction/plan'
import { CATEGORIES, type Category, type CategoryTokens } from '../core/tokens/category'
import type { Figure } from '../core/tokens/figure'
import { formatQuantity } from './format'

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

export type PlanPart = { readonly category: Category; readonly tokens: number }

/** Chunks with one fate: how many, how large, and by which rules. */
export type PlanGroup = {
  readonly action: ChunkAction
  readonly chunks: number
  readonly tokens: number
  readonly rules: readonly {
    readonly rule: PlanRule
    readonly words: string
    readonly chunks: number
    readonly tokens: number
  }[]
}

type Shared = {
  /** Calls of the session, and the one at which the plan stands. */
  readonly calls: number
  readonly call: number | 'next'
  readonly window: number
  /** The model that the policy names for summaries; null when it names none. */
  readonly model: string | null
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
      readonly summary: { readonly source: SummarySource; readonly tokens: number }
      readonly cost: PlanCost
      readonly warnings: readonly PlanWarning[]
    })
  | (Shared & { readonly kind: 'nothing'; readonly sentence: string; readonly tokensBefore: Figure })

/** One chunk as the list shows it. `entries`: how many of the transcript it stands for. */
export type ChunkRow = {
  readonly order: number
  readonly action: ChunkAction
  readonly rule: PlanRule
  readonly tokens: number
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
  readonly tokens: number
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
    warnings: plan.warnings,
  }
}

function partsOf(tokens: CategoryTokens): PlanPart[] {
  return CATEGORIES.flatMap((category) => {
    const part = tokens[category] ?? 0
    return part > 0 ? [{ category, tokens: part }] : []
  })
}

/** Chunks by what becomes of them, in the order of `ACTIONS`; fates that none has are left out. */
export function groupChunks(chunks: readonly PlanChunk[]): PlanGroup[] {
  type Sum = { readonly action: ChunkAction; readonly rule: PlanRule; chunks: number; tokens: number }
  const sums: Sum[] = []
  let sum: Sum | undefined
  for (const { action, rule, tokens } of chunks) {
    // Neighbours mostly share their fate.
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
  empty: 'the session has no entries',
  off: 'the policy has compaction switched off',
}

/** Why there is nothing to compact, as a sentence. */
export function nothingSentence({ why }: Pick<NoPlan, 'why'>): string {
  return `Nothing to compact: ${NOTHING[why]}.`
}

/** Where the summary of a compaction that was carried out comes from. */
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

/** What asking costs, in words: requests, tokens, price. */
export function costWords({ calls, inputTokens, outputTokens }: PlanCost): string {
  if (calls === 0) return 'no model is asked'
  return `${formatQuantity(calls, 'request')}, about ${formatQuantity(inputTokens, 'token')} in and ${formatQuantity(outputTokens, 'token')} out`
}
