import { type Branches, ROOT } from './branches'
import type { EntryFact } from './entry'
import { type CallRoute, routeHash, UNKNOWN_ROUTE } from './fold/call-route'
import { changesReplay, findReplay, keepsOrphans, replayedOwner } from './replay-plan'
import {
  replayStep,
  SEND_START,
  type Sender,
  type SendState,
  sendStep,
  type Unsent,
  type Verdict,
} from './send-rules'

/** One entry of a context, in the order in which the model gets it. */
export type ContextEntry = {
  readonly fact: EntryFact
  readonly sent: boolean
  readonly why?: Unsent
  /**
   * Its provider's checkpoint is sent in place of all that came before it; `fact` is what is sent of it
   * (`replayedOwner`).
   */
  readonly replayed?: true
}

/**
 * Which context: as a call on a route is sent it, or with the full history, whatever providers have compacted on their
 * side. Without a route it is the one that the entries before it name.
 */
export type ContextView = CallRoute | 'full'

/** Whether an entry is a model call: an assistant message that a model was asked for, its first record, and no copy. */
export function isCall(fact: EntryFact): boolean {
  return isAnswer(fact) && !fact.again && !fact.copied
}

/** Whether a model answered with this entry, or with a part of it. */
export function isAnswer(fact: EntryFact): boolean {
  return fact.type === 'message' && fact.role === 'assistant' && !fact.transcriptOnly && !fact.clientWritten
}

/** Sequence numbers of the assistant entries that calls produced; call N is at index N − 1. */
export function callEntries(facts: readonly EntryFact[]): number[] {
  return facts.filter(isCall).map((fact) => fact.seq)
}

/** Whether an entry of this type and content enters contexts at all (lib/docs/openclaw.md#context). */
export function entersContext(fact: EntryFact): boolean {
  return (
    fact.type === 'message' ||
    fact.type === 'custom_message' ||
    (fact.type === 'branch_summary' && fact.blank !== true)
  )
}

/** The context whose last entry is `leaf`: what a call made there is given. Empty for ROOT. */
export function contextAt(
  branches: Branches,
  leaf: number,
  sender: Sender,
  view: ContextView = routeAfter(branches, leaf),
): ContextEntry[] {
  const context: ContextEntry[] = []
  let state: SendState = SEND_START
  for (const { fact, afterReset, replayed } of walkPath(branches, leaf, view).walked) {
    const step = contextStep(state, fact, sender, afterReset, replayed)
    state = step.state
    if (step.verdict !== null)
      context.push({ ...toEntry(fact, step.verdict), ...(replayed !== undefined && { replayed: true }) })
  }
  return context
}

/** The context that the call at sequence number `seq` (an assistant entry) was made with. */
export function contextOfCall(branches: Branches, seq: number, sender: Sender): ContextEntry[] {
  return contextAt(branches, branches.parentOf(seq), sender, routeOfCall(branches, seq))
}

/** On which way the call at sequence number `seq` was made, as far as its answer tells. */
export function routeOfCall(branches: Branches, seq: number): CallRoute {
  const { provider = null, model = null, api = null } = branches.facts[seq] ?? {}
  return { provider, model, api, hidden: null, session: sessionOf(branches) }
}

/** On which way a call after an entry would be made: as the last one, or with the model that was chosen since. */
function routeAfter(branches: Branches, leaf: number): CallRoute {
  const seen = new Set<number>()
  for (let at = leaf; at !== ROOT && !seen.has(at); at = branches.parentOf(at)) {
    const fact = branches.facts[at]
    if (fact !== undefined && (isCall(fact) || fact.type === 'model_change')) return routeOfCall(branches, at)
    if (!branches.plain) seen.add(at)
  }
  return UNKNOWN_ROUTE
}

function sessionOf({ facts }: Branches): string | null {
  return routeHash(facts[0]?.header?.sessionId ?? '') ?? null
}

/** An entry on the way to a context, and where on the path it is. */
type Walked = {
  readonly fact: EntryFact
  readonly afterReset: boolean
  readonly at: number
  readonly replayed?: Replayed
}

/** The checkpoint of this entry is in force; `orphans`: results are sent whose call it covers. */
type Replayed = { readonly orphans: boolean }

export type ContextWalk = {
  /** The end of the path to the leaf, as far back as its context reaches. Sequence numbers. */
  readonly path: readonly number[]
  /** Index of the last compaction or reset in it; -1 when there is none. */
  readonly boundary: number
  /**
   * Entries that make up the context, in order: the boundary's summary, what the boundary keeps, what follows it.
   * `afterReset` marks what a reset keeps: only conversation passes it.
   */
  readonly walked: readonly Walked[]
}

/** Entries of the path to `leaf` that make up its context, in order; see `ContextWalk`. */
export function walkContext(branches: Branches, leaf: number): readonly Walked[] {
  return walkPath(branches, leaf).walked
}

/** The same with the path itself. */
export function walkPath(
  branches: Branches,
  leaf: number,
  view: ContextView = routeAfter(branches, leaf),
): ContextWalk {
  const path = contextPath(branches, leaf)
  const boundary = path.findLastIndex((seq) => isBoundary(branches.facts[seq]))
  const walked: Walked[] = []
  const take = (from: number, to: number, afterReset: boolean) => {
    for (let at = from; at < to; at++) {
      const fact = branches.facts[path[at] ?? ROOT]
      if (fact !== undefined && entersContext(fact)) walked.push({ fact, afterReset, at })
    }
  }
  const fact = branches.facts[path[boundary] ?? ROOT]
  let next = boundary + 1
  if (fact !== undefined) {
    if (fact.type === 'compaction' && !fact.bare) walked.push({ fact, afterReset: false, at: boundary })
    const first = branches.firstKept(path, boundary)
    const anchor = fact.keptAfter === undefined ? -1 : indexOfId(branches, path, fact.keptAfter, boundary)
    if (anchor >= 0) take(next, anchor + 1, false)
    next = Math.max(next, anchor + 1)
    if (first >= 0) take(first, keptEnd(branches, path, fact, first, boundary), fact.type === 'reset')
  }
  const kept = walked.length
  take(next, path.length, false)
  const replayed = view === 'full' ? null : replayIn(walked, kept, view)
  return { path, boundary, walked: replayed ?? walked }
}

/** Where on a path the entry with this id is, from `from` on; -1 when it is not there. */
function indexOfId({ facts }: Branches, path: readonly number[], id: string, from: number): number {
  for (let at = from; at < path.length; at++) if (facts[path[at] ?? ROOT]?.id === id) return at
  return -1
}

/** Where on a path the kept part ends: at the boundary, or behind the last entry that it names. */
function keptEnd(
  branches: Branches,
  path: readonly number[],
  { keptUpTo }: EntryFact,
  first: number,
  boundary: number,
): number {
  if (keptUpTo === undefined) return boundary
  const last = indexOfId(branches, path, keptUpTo, first)
  return last < 0 || last >= boundary ? boundary : last + 1
}

/**
 * What is sent of a context from its checkpoint on; null when no checkpoint is in force. A window that cannot be read
 * is none: OpenClaw refuses the call until the session is compacted anew.
 * @param kept entries at its beginning that a local boundary kept: their checkpoints are no more
 */
function replayIn(walked: readonly Walked[], kept: number, route: CallRoute): Walked[] | null {
  let from = kept
  while (from < walked.length && !changesReplay(walked[from]?.fact ?? NO_CHECKPOINT)) from += 1
  if (from === walked.length) return null
  const found = findReplay(
    walked.slice(from).map(({ fact }) => fact),
    route,
  )
  const owner = found === null ? undefined : walked[from + found.owner]
  if (found === null || owner === undefined || found.checkpoint.kind === 'stale') return null
  const { checkpoint } = found
  const first = {
    ...owner,
    fact: replayedOwner(owner.fact, checkpoint),
    replayed: { orphans: keepsOrphans(checkpoint) },
  }
  return [first, ...walked.slice(from + found.owner + 1)]
}

const NO_CHECKPOINT = {}

/**
 * The end of the path to `leaf` that its context can come from: from the first entry that the last boundary keeps.
 * Long sessions are compacted often, and each time only this much is walked.
 */
function contextPath(branches: Branches, leaf: number): number[] {
  // Where parents may form rings the whole path decides.
  if (!branches.plain) return branches.path(leaf)
  const path: number[] = []
  let first: number | null = null
  for (let at = leaf; at !== ROOT; at = branches.parentOf(at)) {
    path.push(at)
    const fact = branches.facts[at]
    if (first === null && fact !== undefined && isBoundary(fact)) first = branches.namedByBoundary(fact)
    else if (at === first) break
    if (first === ROOT) break
  }
  return path.reverse()
}

export function isBoundary(fact: EntryFact | undefined): boolean {
  return fact?.type === 'compaction' || fact?.type === 'reset'
}

/** One step of building a context; a null verdict means that the entry is not in the context at all. */
export function contextStep(
  state: SendState,
  fact: EntryFact,
  sender: Sender,
  afterReset: boolean,
  replayed?: Replayed,
): { readonly verdict: Verdict | null; readonly state: SendState } {
  if (replayed !== undefined) return replayStep(fact, replayed.orphans)
  if (!afterReset) return sendStep(state, fact, sender)
  if (fact.role !== 'user' && fact.role !== 'assistant' && fact.role !== 'toolResult')
    return { verdict: null, state }
  const step = sendStep(state, fact, sender)
  const unpaired = fact.role === 'toolResult' && !step.verdict.sent
  return unpaired ? { verdict: null, state } : step
}

function toEntry(fact: EntryFact, verdict: Verdict): ContextEntry {
  return verdict.sent ? { fact, sent: true } : { fact, sent: false, why: verdict.why }
}
