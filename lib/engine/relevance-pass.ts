import { loadLines } from '../core/budget/load-lines'
import type { ContentMessage } from '../core/history/thinking'
import { duePass } from '../core/pruning/due-pass'
import { type DropDecision, type DropPlan, relevanceDrop } from '../core/pruning/relevance-drop'
import type { StoredChunk } from './cold-store'
import { condenseMessages } from './condense-messages'
import { contextMessages, promptOf } from './context-message'
import type { ContextPass, PassInput, PassResult } from './context-pass'
import type { DropOutcome } from './drop-outcome'
import { type ColdPorts, dropToCold } from './drop-to-cold'
import { type LadderParts, roomBelowHardLine } from './ladder-parts'
import { asColdChunks, CONDENSED_REASON, leavingChunk } from './leaving-chunk'
import { logPass } from './log-pass'
import type { ContextScorer, ScoredChunk, ScoredContext } from './score-context'

/**
 * Drops what has nothing to do with what is asked now (H5–H10): after a reply from the curation line on, before a request
 * from the compaction line on. Before a request it is the compaction, as long as that brings the context below the line;
 * medium chunks are then said in short (D19). Where it does not suffice only the useless goes, and what is left gets
 * summarised: there are never two compactions for one call. What leaves stands in cold storage first (I1).
 */
export class RelevancePass<M extends ContentMessage> implements ContextPass<M> {
  readonly step = 'curate'
  readonly failed = 'Nothing was dropped'

  constructor(
    private readonly cold: ColdPorts,
    private readonly scorer: ContextScorer,
  ) {}

  isDue(input: PassInput<M>): boolean {
    return !input.waits && input.messages.length > 0 && (input.last || dueAt(input) !== null)
  }

  async run(input: PassInput<M>): Promise<PassResult<M>> {
    const { parts, messages, signal } = input
    const { agent, form, policy } = parts
    const prompt = await askedLast(input)
    // Without a question nothing can be told to have nothing to do with it.
    if (prompt === '') return { messages: null, drop: null, notes: [] }
    const read = contextMessages(form, messages)
    const now = agent.clock.now()
    const scored = await this.scorer.score(read, prompt, now, signal)
    const { plan, compacts } = planDrop(input, scored, now)
    const notes = scored.note === null ? [] : [scored.note]
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
        leavingChunk(chunk, { ...because, reason, score: chunk.score.value }),
      ),
      ...short.chunks.map((chunk) =>
        leavingChunk(chunk, { ...because, reason: CONDENSED_REASON, score: chunk.score.value }),
      ),
    ]
    const isKept = policy.coldStorage.enabled
    // Without cold storage nothing is dropped; what is said in short says so, and its whole text is gone (I9).
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
      settled: () => logPass(agent.log, outcome, this.occasion(input, prompt, scored)),
      discarded: () => this.takeBack(stored.chunks),
    }
  }

  private occasion(input: PassInput<M>, query: string, { scorer }: ScoredContext) {
    const { parts, check } = input
    return { sessionId: parts.agent.session, policy: parts.policy, query, fill: check.tokens, scorer }
  }

  /** Chunks that are still in the context must not come back into it. */
  private async takeBack(stored: readonly StoredChunk[]): Promise<readonly string[]> {
    try {
      await this.cold.store.remove(asColdChunks(stored))
      // What had been stored before is there as it was.
      const earlier = stored.flatMap((chunk) => chunk.earlier ?? [])
      if (earlier.length > 0) await this.cold.store.put(earlier)
      return []
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return [
        `${stored.length} chunks that did not leave the context are in cold storage all the same: ${why}`,
      ]
    }
  }
}

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
  now: number,
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
  { policy, window }: LadderParts<M>,
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
