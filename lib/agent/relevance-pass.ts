import { loadLines } from '../core/budget/load-lines'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import { duePass } from '../core/pruning/due-pass'
import { type DropDecision, type DropPlan, relevanceDrop } from '../core/pruning/relevance-drop'
import { orderTimes } from '../core/relevance/order-times'
import type { Figure } from '../core/tokens/figure'
import type { Milliseconds } from '../core/units/units'
import type { StoredChunk } from '../engine/cold/cold-store'
import { type ColdPorts, dropToCold } from '../engine/cold/drop-to-cold'
import { configUsed } from '../engine/compaction/log-compaction'
import type { ContextLog } from '../engine/logs/log-ports'
import type { ContextScorer, ScoredChunk, ScoredContext } from '../engine/relevance/score-context'
import { CONDENSED_REASON, leavingChunk, partsAt, takeCopiesBack } from './cold/keep-copies'
import { condenseMessages } from './condense-messages'
import { contextMessages, promptOf } from './context-message'
import {
  type ContextPass,
  type DropOutcome,
  type LiveParts,
  type PassInput,
  type PassResult,
  roomBelowHardLine,
} from './live-parts'

/**
 * Drops what has nothing to do with what is asked now: after a reply from the curation line on, before a request from
 * the compaction line on. Before a request it is the compaction, as long as that brings the context below the line;
 * medium chunks are then said in short. Where it does not suffice only the useless goes, and what is left gets
 * summarised: there are never two compactions for one call. What leaves is in cold storage first.
 */
export class RelevancePass<M extends ContentMessage> implements ContextPass<M> {
  readonly step = 'curate'
  readonly failed = 'Nothing was dropped'

  /** It was said that times are missing. */
  private saidOrder = false

  constructor(
    private readonly cold: ColdPorts,
    private readonly scorer: ContextScorer,
  ) {}

  isDue(input: PassInput<M>): boolean {
    return !input.waits && !input.isEmpty && (input.last || dueAt(input) !== null)
  }

  async run(input: PassInput<M>): Promise<PassResult<M>> {
    const { parts, messages, signal } = input
    const { agent, form, policy } = parts
    const prompt = await askedLast(input)
    // Without a question nothing can be judged irrelevant to it.
    if (prompt === '') return { messages: null, drop: null, notes: [] }
    const now = agent.clock.now()
    const stated = contextMessages(form, messages)
    const { times, guessed } = orderTimes(
      stated.map(({ at }) => at),
      now,
    )
    const read = stated.map((message, place) => ({ ...message, at: times[place] ?? null }))
    const scored = await this.scorer.score(read, prompt, now, signal)
    const { plan, compacts } = planDrop(input, scored, now)
    const notes = scored.note === null ? [] : [scored.note]
    // Summaries and what comes back are made without a time; they are few.
    if (guessed * 2 > read.length && !this.saidOrder) {
      notes.push(ORDER_FOR_AGE)
      this.saidOrder = true
    }
    const short = await condenseMessages({
      messages,
      read,
      chunks: chunksOf(plan, scored, 'summarise'),
      policy,
      form,
      chain: agent.chain ?? null,
      summary: parts.summary,
      signal,
    })
    notes.push(...short.notes)
    const dropped = plan.decisions.flatMap(({ action, reason }, place) => {
      const chunk = scored.chunks[place]
      return action === 'drop' && chunk !== undefined ? [{ chunk, reason }] : []
    })
    const because = { session: agent.session, prompt }
    const leaving = [
      ...dropped.map(({ chunk, reason }) =>
        leavingChunk(form, chunk, partsAt(messages, chunk), { ...because, reason, score: chunk.score.value }),
      ),
      ...short.chunks.map((chunk) =>
        leavingChunk(form, chunk, partsAt(messages, chunk), {
          ...because,
          reason: CONDENSED_REASON,
          score: chunk.score.value,
        }),
      ),
    ]
    const isKept = policy.coldStorage.enabled
    // Without cold storage nothing is dropped; what is said in short says so, and its whole text is gone.
    const stored = isKept ? await dropToCold(this.cold, leaving, policy) : NOTHING_STORED
    if (stored.kind === 'refused') {
      notes.push(stored.refusal.message)
      return { messages: null, drop: null, notes }
    }
    const gone = new Set(dropped.flatMap(({ chunk }) => chunk.members))
    const kept = messages.flatMap((message, place) => {
      return gone.has(place) ? [] : [short.replaced.get(place) ?? message]
    })
    const changed = leaving.length > 0
    const outcome: DropOutcome = {
      plan,
      dropped: stored.chunks.slice(0, dropped.length),
      shortened: short.chunks.length,
      condensed: stored.chunks.slice(dropped.length),
      tokensBefore: plan.tokensBefore,
      tokensAfter: changed ? parts.gauge.sum(kept) : plan.tokensBefore,
      compacted: compacts && changed,
      likenessBy: scored.likenessBy,
    }
    return {
      messages: changed ? kept : null,
      drop: outcome,
      notes,
      copied: new Set(
        [...dropped.map(({ chunk }) => chunk), ...short.chunks].flatMap((chunk) => partsAt(messages, chunk)),
      ),
      settled: () => logPass(agent.log, outcome, this.occasion(input, prompt, scored)),
      discarded: () => takeCopiesBack(this.cold, stored.chunks),
    }
  }

  private occasion(input: PassInput<M>, query: string, { scorer }: ScoredContext) {
    const { parts, check } = input
    return { sessionId: parts.agent.session, policy: parts.policy, query, fill: check.tokens, scorer }
  }
}

/** Said once, since it is about the agent and not about this pass. */
const ORDER_FOR_AGE =
  'Messages do not say when they were written (`timestamp`), so their order is taken for their age.'

/** Messages among which the agent's own is asked for the last one of the user. */
const NEWEST = 20

async function askedLast<M extends ContentMessage>(input: PassInput<M>): Promise<string> {
  const { parts, messages, incoming } = input
  const { agent, form } = parts
  const said = incoming.length > 0 ? undefined : await agent.getMessages?.(NEWEST)
  return (said === undefined ? '' : promptOf(form, said, [])) || promptOf(form, messages, incoming)
}

const NOTHING_STORED = { kind: 'stored', chunks: [] } as const

function dueAt<M extends ContentMessage>({ parts, moment, check, incoming }: PassInput<M>) {
  const { policy, window, gauge } = parts
  return duePass(policy, window, moment, check.tokens, gauge.sum(incoming))
}

/** What is to be done, and whether it is the compaction of this call. */
function planDrop<M extends ContentMessage>(
  input: PassInput<M>,
  { chunks }: ScoredContext,
  now: Milliseconds,
): { readonly plan: DropPlan; readonly compacts: boolean } {
  const { parts, last } = input
  const { policy } = parts
  const curate = () => relevanceDrop({ chunks, policy, pass: 'curate', now, room: null })
  if (!last && dueAt(input) === 'curate') return { plan: curate(), compacts: false }
  const beside = input.beside - parts.fixedTokens() - parts.gauge.sum(input.incoming)
  const room = Math.max(0, roomBelowHardLine(parts, input.incoming) - beside)
  const plan = relevanceDrop({ chunks, policy, pass: 'compact', now, room })
  // Without summaries of the rest this is all that there is.
  const alone = last || policy.compaction.mode === 'off'
  if (alone || suffices(parts, plan, input.beside)) return { plan, compacts: true }
  return { plan: curate(), compacts: false }
}

function suffices<M extends ContentMessage>(
  { policy, window }: LiveParts<M>,
  { tokensAfter }: DropPlan,
  beside: number,
): boolean {
  const lines = loadLines(policy, window).filter(({ kind }) => kind === 'compact' || kind === 'hard')
  const line = lines.find(({ unreachable }) => unreachable !== true)?.tokens ?? window
  return (beside + tokensAfter) * policy.counting.safetyMargin < line
}

function chunksOf(
  { decisions }: DropPlan,
  { chunks }: ScoredContext,
  action: DropDecision['action'],
): ScoredChunk[] {
  return decisions.flatMap((decision, place) => (decision.action === action ? (chunks[place] ?? []) : []))
}

type LoggedPass = {
  readonly sessionId: string
  readonly policy: Pick<Policy, 'lines' | 'relevance'>
  readonly query: string
  /** What the context held before. */
  readonly fill: Figure
  readonly scorer: string
}

/**
 * Notes a pass by relevance: a line for each drop, and one for the pass, which was a compaction or a curation. Answers
 * what went wrong with the logs, which never harms it.
 */
async function logPass(
  log: ContextLog | undefined,
  outcome: DropOutcome,
  pass: LoggedPass,
): Promise<readonly string[]> {
  if (log === undefined) return []
  const { dropped, shortened, tokensBefore, tokensAfter } = outcome
  const { sessionId, policy, query, fill, scorer } = pass
  const saved = tokensBefore - tokensAfter
  const rest = { scorer, similarity_by: outcome.likenessBy }
  const byScore = ({ record }: StoredChunk) => record.reason === 'low_relevance'
  const problems = [
    await logDrops(log, dropped.filter(byScore), policy.relevance.cutoff),
    await logDrops(
      log,
      dropped.filter((chunk) => !byScore(chunk)),
      null,
    ),
    outcome.compacted
      ? await log.add('compaction', {
          sessionId,
          trigger: 'token_threshold',
          tokensBefore: fill.value,
          tokensAfter: fill.value === null ? null : Math.max(0, fill.value - saved),
          tokenSavings: saved,
          chunksDropped: dropped.length,
          chunksSummarized: shortened,
          configUsed: configUsed(policy),
          rest: { ...rest, tokens_before_basis: fill.basis, tokens_after_basis: 'estimated' },
        })
      : await log.add('curation', {
          sessionId,
          query,
          hitsFound: outcome.plan.decisions.length - dropped.length,
          totalHits: outcome.plan.decisions.length,
          tokenSavings: saved,
          dropsTriggered: dropped.length,
          rest,
        }),
  ]
  return problems.filter((problem) => problem !== null)
}

/**
 * Notes chunks that were dropped: one line each, with the file that has them. To be called when they are in cold
 * storage and have left the context. Answers what went wrong with the log, or null.
 * @param threshold the cut-off that they did not exceed; null for chunks that another rule dropped
 */
export function logDrops(
  log: ContextLog,
  chunks: readonly StoredChunk[],
  threshold: number | null,
): Promise<string | null> {
  return log.addAll(
    'drops',
    chunks.map(({ record: { chunkId, sessionId, reason, score, tokens }, file }) => ({
      chunkId,
      sessionId,
      reason,
      relevanceScore: score,
      thresholdUsed: threshold,
      coldStoragePath: file,
      tokens,
    })),
  )
}
