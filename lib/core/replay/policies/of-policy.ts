import { hardLine, loadLines } from '../../budget/load-lines'
import { historyBudget } from '../../budget/regions'
import { rollingDue, verbatimStart } from '../../compaction/rolling'
import type { Policy } from '../../policy/policy'
import { digestBudget } from '../../summary/digest'
import type { Tokens } from '../../units/units'
import type { PolicyStep, ReplayPolicy } from '../replay-policy'
import { NEVER } from '../replay-session'
import { placeFacts } from '../walk/place-facts'
import type { ReplayWalk } from '../walk/replay-walk'
import { KIND } from '../walk/session-shape'
import { byWindow, type CompactAt, compactNow, staysInSummary } from './compact-at'
import { type PrunePolicyFacts, prunePolicyFacts, pruneStep, WalkPruning } from './prune-step'
import { WalkRelevance } from './relevance-step'

/** A policy of ours as the live engine would carry it out, call by call. */
export function policyReplay(
  policy: Policy,
  { id, label, about, source, family }: Omit<ReplayPolicy, 'start'>,
): ReplayPolicy {
  const facts = prunePolicyFacts(policy)
  const linesAt = byWindow((window) => linesOf(policy, window))
  const start = (walk: ReplayWalk) => new PolicyWalk(walk, policy, facts, linesAt).step
  return { id, label, about, source, family, start }
}

/** A compaction that frees less than this share of the prompt is not made, as the live engine leaves it. */
const WORTH = 0.1
/** A rolling summary is extended for a part of at least this share of its trigger, as the live engine does. */
const WORTH_EXTENDING = 0.25
/** Clearing by sliding summaries frees at least so many summaries. */
const WORTH_SUMMARIES = 2

/** Lines of a window, in tokens; above every prompt where there is none. */
type Lines = {
  readonly curate: number
  readonly compact: number
  readonly slide: number
  readonly hard: number
}

/** One walk up the ladder of a policy for each call, in the order of the live engine. */
class PolicyWalk {
  private readonly how: CompactAt
  private readonly prune: PolicyStep
  private readonly relevance: WalkRelevance | null
  private readonly sliding: WalkPruning | null
  private turn = 0
  private requests = 0
  private turns = 0
  /** Nothing could be done at this size; no more is tried before the prompt has grown by a little. */
  private triedAt = 0

  constructor(
    private readonly walk: ReplayWalk,
    private readonly policy: Policy,
    facts: PrunePolicyFacts,
    private readonly linesOf: (window: Tokens) => Lines,
  ) {
    const { maxTokens } = policy.summary.rolling
    this.how = {
      line: () => null,
      policy,
      summary: 'digest',
      request: policy.summary.model === '' ? 'none' : 'cold',
      summaryTokens: (gone) => Math.min(maxTokens, digestBudget(gone)),
      carries: 'ask and important',
      worth: WORTH,
    }
    this.prune = pruneStep(walk, facts)
    this.relevance =
      policy.coldStorage.enabled || policy.summary.mediumChunks ? new WalkRelevance(walk, policy) : null
    this.sliding = policy.summary.sliding.enabled ? new WalkPruning(walk, facts) : null
  }

  readonly step = (call: number): void => {
    const { walk, policy } = this
    const lines = this.linesOf(walk.window)
    const turn = walk.session.chunks.turn[walk.end - 1] ?? 0
    if (turn !== this.turn) this.endTurn(lines)
    this.turn = turn
    this.requests += 1
    this.limitTurns(turn)
    const isFull = walk.prompt >= Math.min(lines.compact, lines.hard)
    const compacted = isFull && walk.prompt >= this.triedAt && this.compact(lines)
    if (isFull && !compacted) this.triedAt = Math.max(this.triedAt, walk.prompt * 1.02)
    if (!isFull) {
      this.triedAt = 0
      this.slide(lines)
    }
    if (walk.prompt >= lines.hard) this.holdLine(lines.hard)
    if (!compacted && policy.budget.enabled && policy.summary.rolling.enabled) this.roll()
    this.prune(call)
  }

  /** What is done between turns: curation, and sliding summaries after so many turns. */
  private endTurn(lines: Lines): void {
    const { walk, policy, relevance } = this
    this.turns += 1
    this.requests = 0
    if (relevance !== null && walk.prompt >= lines.curate && walk.prompt < lines.compact)
      relevance.apply(relevance.plan('curate', null).plan)
    const { everyIterations } = policy.summary.sliding
    if (everyIterations > 0 && this.turns % everyIterations === 0) this.clearDone()
  }

  /** Relevance first; where that does not suffice only what is of no use goes, and the rest is summarised. */
  private compact(lines: Lines): boolean {
    const { walk, relevance, policy } = this
    const { fixed } = walk.session
    const line = Math.min(lines.compact, lines.hard)
    if (relevance !== null) {
      const room = lines.hard === NEVER ? null : Math.max(0, lines.hard - 1 - fixed)
      const { plan, live } = relevance.plan('compact', room)
      if (policy.compaction.mode === 'off' || live + fixed < line) return relevance.apply(plan)
      relevance.apply(relevance.plan('curate', null).plan)
    }
    return compactNow(walk, this.how)
  }

  private slide(lines: Lines): void {
    const { everyIterations } = this.policy.summary.sliding
    const isRound = this.requests > 1 && everyIterations > 0 && (this.requests - 1) % everyIterations === 0
    if (isRound || this.walk.prompt > lines.slide) this.clearDone()
  }

  /** Results of completed work give way to a summary at the head. */
  private clearDone(): void {
    const { sliding, policy, walk } = this
    const { targetTokens } = policy.summary
    if (sliding === null) return
    const { places, freed } = sliding.oldResults()
    if (freed <= targetTokens * WORTH_SUMMARIES) return
    const tokens = Math.min(targetTokens, digestBudget(freed))
    walk.addSummary(tokens, this.how.request, sliding.clearPlaces(places))
  }

  private limitTurns(turn: number): void {
    const { maxTurns, trimAbove } = this.policy.history
    const { walk } = this
    if (maxTurns === null || turn <= maxTurns * trimAbove) return
    const { turn: turnOf } = walk.session.chunks
    let to = walk.summarisedTo
    while (to < walk.end && (turnOf[to] as number) <= turn - maxTurns) to++
    if (to > walk.summarisedTo && walk.isWhole(to - 1)) walk.leaveEntries(walk.summarisedTo, to, 'turns')
  }

  /** What still does not fit goes, oldest first; the newest message of the user stays. */
  private holdLine(line: number): void {
    const { walk } = this
    const { placeOf, firstChunk } = walk.shape
    const { kind, turn } = walk.session.chunks
    for (let from = walk.summarisedTo; from < walk.end && walk.prompt >= line; ) {
      const next = firstChunk[(placeOf[from] as number) + 1] as number
      if (next >= walk.end) return
      const isAsk = kind[from] === KIND.user && turn[from] === this.turn
      from = isAsk || !walk.isWhole(from) ? next : walk.leaveEntries(from, next, 'window')
    }
  }

  private roll(): void {
    const { walk, policy } = this
    const { windowTurns, maxTokens } = policy.summary.rolling
    const { fixed } = walk.session
    const budget = historyBudget(walk.window, policy.budget, { system: fixed, bootstrap: 0 }).clamped
    const { due, trigger } = rollingDue(policy, walk.live, budget)
    if (!due) return
    const { placeOf, firstChunk } = walk.shape
    const places = (placeOf[walk.end - 1] as number) + 1
    const { kind } = placeFacts(walk.shape)
    const start = verbatimStart(places, (at) => kind[at] === KIND.user, windowTurns)
    const to = start >= places ? walk.end : (firstChunk[start] as number)
    if (to <= walk.summarisedTo) return
    const fresh = walk.prefix(to) - walk.prefix(walk.summarisedTo)
    if (walk.summarisedTo > 0 && fresh < trigger * WORTH_EXTENDING) return
    const tokens = Math.min(maxTokens, digestBudget(walk.prefix(to) - fixed))
    const stays = staysInSummary(walk, 'ask and important', to)
    walk.summarise(to, tokens, { kind: 'digest', request: this.how.request, stays })
  }
}

function linesOf(policy: Policy, window: Tokens): Lines {
  const lines = loadLines(policy, window).filter(({ unreachable }) => unreachable !== true)
  const at = (kind: string) => lines.find((line) => line.kind === kind)?.tokens ?? NEVER
  return {
    curate: at('curate'),
    compact: at('compact'),
    slide: at('slide'),
    hard: hardLine(policy, window)?.tokens ?? NEVER,
  }
}
