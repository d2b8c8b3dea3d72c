import { runtimeContextTokens } from '../core/compaction/context-tokens'
import { makePlan } from '../core/compaction/make-plan'
import type { CompactionPlan, NoPlan } from '../core/compaction/plan'
import { injectedSummary } from '../core/compaction/rolling'
import type { SizedEntry } from '../core/compaction/sized-entry'
import type { HistoryMessage } from '../core/history/message'
import type { Policy } from '../core/policy/policy'
import { isImportant } from '../core/relevance/importance'
import { importantIn } from '../core/summary/enrich'
import type { MessageForm } from '../core/summary/message-form'
import { estimated } from '../core/tokens/figure'
import type { EntryTokens } from '../core/tokens/frame-entries'
import type { EntryFact } from '../core/transcript/entry'
import type { Tokens } from '../core/units/units'
import { type CheckpointText, checkpointSummary } from '../engine/compaction/checkpoint-summary'
import type { SummaryChain } from '../engine/summary/summary-chain'
import { type SummaryOptions, type WrittenSummary, writeSummary } from '../engine/summary/write-summary'
import { LIVE_ERROR_PCT } from './live-gauge'

export type LiveCompaction<M> =
  | {
      readonly kind: 'compacted'
      /** The summary first, then what stays, the same objects as before. */
      readonly messages: readonly M[]
      readonly plan: CompactionPlan
      readonly summary: WrittenSummary
    }
  | (NoPlan & { readonly messages: readonly M[] })
  | { readonly kind: 'stopped'; readonly messages: readonly M[] }

export type LiveCompactionOptions<M> = {
  readonly policy: Policy
  readonly window: Tokens
  readonly form: MessageForm<M>
  /** What system prompt, tools and workspace files take, in tokens. */
  readonly fixedTokens: Tokens
  readonly chain: SummaryChain | null
  readonly focus: string | null
  readonly manual: boolean
  /** Used in place of a new summary where it covers enough. */
  readonly covering?: CheckpointText | null
  /** Rules that the summary carries. */
  readonly workspaceRules?: string | null
  readonly summary: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret'>
  readonly signal?: AbortSignal
}

/**
 * Compacts a conversation in memory, by the same plan and the same summary as a stored one: what an agent calls before
 * it asks its model. The messages given are not changed.
 */
export async function compactMessages<M extends HistoryMessage>(
  messages: readonly M[],
  options: LiveCompactionOptions<M>,
): Promise<LiveCompaction<M>> {
  const { policy, window, form, chain } = options
  const plan = planMessages(messages, options)
  if (plan.kind === 'nothing') return { ...plan, messages }
  const sources = messages.map((message, index) => form.toSource(message, index))
  const of = (seqs: readonly number[]) => seqs.flatMap((seq) => sources[seq] ?? [])
  const kept = placeOfId(plan.firstKeptEntryId, messages.length)
  // A plan that names none keeps none.
  const firstKept = kept < 0 ? messages.length : kept
  const earlier = messages.findLast((message, index) => index < firstKept && form.isSummary(message))
  const asked = plan.chunks.find(({ rule }) => rule === 'asked')
  const newestAsk = asked === undefined ? null : (of(asked.seqs)[0]?.text ?? null)
  const previous = earlier === undefined ? null : (sources[messages.indexOf(earlier)]?.text ?? null)
  const marked = plan.chunks.flatMap(({ rule, seqs }) => (rule === 'pinned' ? of(seqs) : []))
  const important = [...importantIn(previous ?? ''), ...marked.map(({ text }) => text)]
  const done = (summary: WrittenSummary): LiveCompaction<M> => ({
    kind: 'compacted',
    messages: [form.fromText(injectedSummary(summary.text)), ...messages.slice(firstKept)],
    plan,
    summary,
  })
  const { covering, workspaceRules = null } = options
  if (covering != null && plan.summary.source === 'checkpoint') {
    const uncovered = sources
      .slice(covering.uptoSeq + 1, Math.max(covering.uptoSeq + 1, firstKept))
      .flatMap((source) => source ?? [])
    return done(
      checkpointSummary(
        covering,
        uncovered,
        { newestAsk, important, workspaceRules },
        { ...options.summary, focus: options.focus },
      ),
    )
  }
  const written = await writeSummary(
    {
      pruned: of(plan.requests.pruned),
      parts: plan.requests.parts.map(of),
      prefix: of(plan.requests.prefix),
      oversized: plan.requests.oversized.flatMap((seq) => {
        const message = sources[seq]
        const own = messages[seq]
        return message == null || own === undefined ? [] : [{ message, tokens: form.tokensOf(own) }]
      }),
      previous,
      archive: [],
      newestAsk,
      important,
      recentTurns: [],
      workspaceRules,
    },
    {
      policy,
      chain,
      focus: options.focus,
      maxTokens: Math.min(plan.summary.tokens * 2, Math.floor(window / 4)),
      ...options.summary,
      signal: options.signal,
    },
  )
  if (written.kind === 'stopped') return { kind: 'stopped', messages }
  return done(written.summary)
}

type PlanOptions<M> = Pick<
  LiveCompactionOptions<M>,
  'policy' | 'window' | 'form' | 'fixedTokens' | 'chain' | 'manual' | 'covering'
>

/** The plan that was made last for a list, which is never changed in place: a compaction asks for it several times. */
const lastPlans = new WeakMap<
  readonly object[],
  {
    readonly asked: { readonly [N in keyof PlanOptions<never>]?: unknown }
    readonly plan: CompactionPlan | NoPlan
  }
>()

/** The plan for a conversation in memory: pure, made in a few milliseconds. */
export function planMessages<M extends HistoryMessage>(
  messages: readonly M[],
  options: PlanOptions<M>,
): CompactionPlan | NoPlan {
  const { policy, window, form, fixedTokens, chain, manual, covering } = options
  const before = lastPlans.get(messages)
  const asked = { policy, window, form, fixedTokens, chain, manual, covering: covering ?? null }
  const isSame = before !== undefined && PLAN_FIELDS.every((name) => before.asked[name] === asked[name])
  if (isSame) return before.plan
  const plan = newPlan(messages, asked)
  lastPlans.set(messages, { asked, plan })
  return plan
}

const PLAN_FIELDS = ['policy', 'window', 'form', 'fixedTokens', 'chain', 'manual', 'covering'] as const

function newPlan<M extends HistoryMessage>(
  messages: readonly M[],
  options: PlanOptions<M>,
): CompactionPlan | NoPlan {
  const { policy, window, form, fixedTokens, chain, manual, covering = null } = options
  const path: SizedEntry[] = []
  const context: EntryTokens[] = []
  let total = fixedTokens
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as M
    const isSummary = form.isSummary(message)
    const fact = factOf(message, index, isSummary, !isSummary && isMarked(message, index, form))
    const tokens = form.tokensOf(message)
    const entry = { fact, size: tokens, sent: true }
    path.push(entry)
    context.push(entryTokens(entry, tokens))
    total += tokens
  }
  return makePlan({
    policy,
    window,
    path,
    keptBy: () => -1,
    context,
    fixed: { 'system-prompt': fixedTokens },
    total: estimated(total, LIVE_ERROR_PCT),
    recordTokensBefore: runtimeContextTokens(path) + fixedTokens,
    manual,
    source: chain === null ? 'digest' : 'model',
    checkpoint: covering,
    summaryTokens: (tokens) => Math.min(policy.summary.rolling.maxTokens, Math.max(256, tokens * 0.1)),
    price: null,
    cacheRead: null,
  })
}

/** Marked by the agent, or by the user in the text; summaries carry what was marked separately. */
function isMarked<M extends HistoryMessage>(message: M, index: number, form: MessageForm<M>): boolean {
  if (form.isImportant?.(message)) return true
  if (message.role !== 'user') return false
  return isImportant({ role: message.role, text: form.toSource(message, index)?.text ?? '' })
}

function idOf(index: number): string {
  return `m${index}`
}

/** -1 where no message has the id. */
function placeOfId(id: string, count: number): number {
  const place = Number(id.slice(1))
  return place >= 0 && place < count && idOf(place) === id ? place : -1
}

/** A summary in front is a boundary no more: it is carried on like any message, and so may be summarised itself. */
function factOf(message: HistoryMessage, index: number, isSummary: boolean, important: boolean): EntryFact {
  const fact: { -readonly [F in keyof EntryFact]: EntryFact[F] } = {
    seq: index,
    line: index + 1,
    offset: 0,
    bytes: 0,
    type: 'message',
    id: idOf(index),
    parentId: index === 0 ? null : idOf(index - 1),
    at: null,
    role: isSummary ? 'compactionSummary' : (message.role ?? 'custom'),
  }
  if (message.calls !== undefined) fact.calls = message.calls.map(({ id }) => ({ id, name: '' }))
  if (important) fact.important = true
  if (message.resultFor !== undefined) fact.resultFor = message.resultFor
  return fact
}

/** An entry that is of one category; each in an object with its own shape, since there are thousands. */
function entryTokens(entry: EntryTokens['entry'], tokens: Tokens): EntryTokens {
  const { fact } = entry
  switch (fact.role) {
    case 'user':
      return { entry, category: 'user', tokens, byCategory: { user: tokens } }
    case 'assistant':
      return fact.calls === undefined || fact.calls.length === 0
        ? { entry, category: 'assistant', tokens, byCategory: { assistant: tokens } }
        : { entry, category: 'tool-call', tokens, byCategory: { 'tool-call': tokens } }
    case 'toolResult':
      return { entry, category: 'tool-result', tokens, byCategory: { 'tool-result': tokens } }
    case 'compactionSummary':
    case 'branchSummary':
      return { entry, category: 'summary', tokens, byCategory: { summary: tokens } }
    default:
      return { entry, category: 'other', tokens, byCategory: { other: tokens } }
  }
}

/** Less than this at the end is not worth keeping by its size alone. Tokens. */
const LEAST_TAIL = 256

/**
 * The policy, keeping as much less word for word as it takes for the conversation to fit into `room` after a
 * compaction: the oldest protected turns give way first. Keeps nothing by size or by turns when that is not enough.
 * @param room tokens, system prompt and the like not counted
 */
export function fittingPolicy<M extends HistoryMessage>(
  messages: readonly M[],
  options: Omit<LiveCompactionOptions<M>, 'focus' | 'summary' | 'signal'>,
  room: number,
): Policy {
  let { policy } = options
  for (;;) {
    const plan = planMessages(messages, { ...options, policy })
    if (plan.kind === 'nothing') {
      // Nothing beyond the tail: what must shrink is in it.
      if (plan.why !== 'all-kept' && plan.why !== 'kept-by-policy') return policy
      const all = messages.reduce((sum, message) => sum + options.form.tokensOf(message), 0)
      if (all <= room) return policy
    } else if ((plan.tokensAfter.value ?? 0) - options.fixedTokens <= room) return policy
    const { keepRecentTokens } = policy.compaction
    const { windowTurns } = policy.summary.rolling
    if (keepRecentTokens === 0 && windowTurns === 0) return policy
    policy = keeping(policy, Math.floor(keepRecentTokens / 2), Math.floor(windowTurns / 2))
  }
}

function keeping(policy: Policy, tokens: Tokens, windowTurns: number): Policy {
  const keepRecentTokens = tokens < LEAST_TAIL ? 0 : tokens
  return {
    ...policy,
    compaction: { ...policy.compaction, keepRecentTokens },
    summary: { ...policy.summary, rolling: { ...policy.summary.rolling, windowTurns } },
  }
}
