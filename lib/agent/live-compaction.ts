import { runtimeContextTokens } from '../core/compaction/context-tokens'
import { makePlan } from '../core/compaction/make-plan'
import type { CompactionPlan, NoPlan } from '../core/compaction/plan'
import { injectedSummary } from '../core/compaction/rolling'
import type { HistoryMessage } from '../core/history/message'
import type { Policy } from '../core/policy/policy'
import { isImportant } from '../core/relevance/importance'
import { importantIn } from '../core/summary/enrich'
import type { MessageForm } from '../core/summary/message-form'
import type { SourceMessage } from '../core/summary/source-message'
import { estimated } from '../core/tokens/figure'
import type { Tokens } from '../core/units/units'
import { type CheckpointText, checkpointSummary } from '../engine/compaction/checkpoint-summary'
import type { SummaryChain } from '../engine/summary/summary-chain'
import { type SummaryOptions, type WrittenSummary, writeSummary } from '../engine/summary/write-summary'
import { LIVE_ERROR_PCT } from './live-gauge'
import { LiveEntry, placeOfId } from './live-path'

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
  const sources = new SourceList(messages, form)
  const kept = placeOfId(plan.firstKeptEntryId, messages.length)
  // A plan that names none keeps none.
  const firstKept = kept < 0 ? messages.length : kept
  const earlier = lastSummary(messages, firstKept, form)
  const newestAsk = askedIn(messages, firstKept, form)
    ? (sources.of(plan.chunks.find(({ rule }) => rule === 'asked')?.seqs ?? [])[0]?.text ?? null)
    : null
  const previous = earlier < 0 ? null : (sources.at(earlier)?.text ?? null)
  const hasMarked = plan.warnings.some(({ code }) => code === 'pinned')
  const marked = hasMarked
    ? plan.chunks.flatMap(({ rule, seqs }) => (rule === 'pinned' ? sources.of(seqs) : []))
    : []
  const important = [...importantIn(previous ?? ''), ...marked.map(({ text }) => text)]
  const done = (summary: WrittenSummary): LiveCompaction<M> => ({
    kind: 'compacted',
    messages: [form.fromText(injectedSummary(summary.text)), ...messages.slice(firstKept)],
    plan,
    summary,
  })
  const { covering, workspaceRules = null } = options
  if (covering != null && plan.summary.source === 'checkpoint') {
    const uncovered = sources.between(covering.uptoSeq + 1, firstKept)
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
      pruned: sources.of(plan.requests.pruned),
      parts: plan.requests.parts.map((seqs) => sources.of(seqs)),
      prefix: sources.of(plan.requests.prefix),
      oversized: plan.requests.oversized.flatMap((seq) => {
        const message = sources.at(seq)
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

/** What the messages of a list say, each read once it is asked for. */
class SourceList<M extends HistoryMessage> {
  private readonly read: (SourceMessage | null | undefined)[]

  constructor(
    private readonly messages: readonly M[],
    private readonly form: MessageForm<M>,
  ) {
    this.read = new Array(messages.length)
  }

  /** null where nothing of the message reaches a model, and where there is none. */
  at(place: number): SourceMessage | null {
    const known = this.read[place]
    if (known !== undefined) return known
    const message = this.messages[place]
    const source = message === undefined ? null : this.form.toSource(message, place)
    this.read[place] = source
    return source
  }

  of(places: readonly number[]): SourceMessage[] {
    const found: SourceMessage[] = []
    for (let i = 0; i < places.length; i++) {
      const source = this.at(places[i] as number)
      if (source !== null) found.push(source)
    }
    return found
  }

  /** Those from a place up to another one, which is not among them. */
  between(from: number, to: number): SourceMessage[] {
    const found: SourceMessage[] = []
    for (let place = Math.max(0, from); place < to; place++) {
      const source = this.at(place)
      if (source !== null) found.push(source)
    }
    return found
  }
}

/** The place of the last summary in front of what stays; -1 where there is none. */
function lastSummary<M extends HistoryMessage>(
  messages: readonly M[],
  firstKept: number,
  form: MessageForm<M>,
): number {
  for (let place = firstKept - 1; place >= 0; place--) if (form.isSummary(messages[place] as M)) return place
  return -1
}

/** Whether the newest message of the user does not stay, so that a chunk of the plan may hold it. */
function askedIn<M extends HistoryMessage>(
  messages: readonly M[],
  firstKept: number,
  form: MessageForm<M>,
): boolean {
  const newest = messages.findLastIndex((message) => message.role === 'user' && !form.isSummary(message))
  return newest >= 0 && newest < firstKept
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
  const path: LiveEntry[] = []
  let total = fixedTokens
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as M
    const isSummary = form.isSummary(message)
    const tokens = form.tokensOf(message)
    path.push(new LiveEntry(message, index, tokens, isSummary, !isSummary && isMarked(message, index, form)))
    total += tokens
  }
  return makePlan({
    policy,
    window,
    path,
    keptBy: () => -1,
    context: path,
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
