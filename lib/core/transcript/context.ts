import { type Branches, ROOT } from './branches'
import type { EntryFact } from './entry'
import { SEND_START, type Sender, type SendState, sendStep, type Unsent, type Verdict } from './send-rules'

/** One entry of a context, in the order in which the model gets it. */
export type ContextEntry = {
  readonly fact: EntryFact
  readonly sent: boolean
  readonly why?: Unsent
}

/** Whether an entry is a model call: an assistant message that a model was asked for. */
export function isCall(fact: EntryFact): boolean {
  return fact.type === 'message' && fact.role === 'assistant' && !fact.transcriptOnly
}

/** Sequence numbers of the assistant entries that calls produced; call N is at index N − 1. */
export function callsOf(facts: readonly EntryFact[]): number[] {
  return facts.filter(isCall).map((fact) => fact.seq)
}

/** Whether an entry of this type and content enters contexts at all (openclaw.md §2.3, rule 5). */
export function entersContext(fact: EntryFact): boolean {
  return (
    fact.type === 'message' ||
    fact.type === 'custom_message' ||
    (fact.type === 'branch_summary' && fact.blank !== true)
  )
}

/** The context whose last entry is `leaf`: what a call made there is given. Empty for ROOT. */
export function contextAt(branches: Branches, leaf: number, sender: Sender): ContextEntry[] {
  const context: ContextEntry[] = []
  let state: SendState = SEND_START
  for (const { fact, afterReset } of walkContext(branches, leaf)) {
    const step = contextStep(state, fact, sender, afterReset)
    state = step.state
    if (step.verdict !== null) context.push(toEntry(fact, step.verdict))
  }
  return context
}

/** The context that the call at sequence number `seq` (an assistant entry) was made with. */
export function contextOfCall(branches: Branches, seq: number, sender: Sender): ContextEntry[] {
  return contextAt(branches, branches.parentOf(seq), sender)
}

/** An entry on the way to a context, and where on the path it stands. */
type Walked = { readonly fact: EntryFact; readonly afterReset: boolean; readonly at: number }

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
export function walkPath(branches: Branches, leaf: number): ContextWalk {
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
  if (fact !== undefined) {
    if (fact.type === 'compaction') walked.push({ fact, afterReset: false, at: boundary })
    const kept = branches.firstKept(path, boundary)
    if (kept >= 0) take(kept, boundary, fact.type === 'reset')
  }
  take(boundary + 1, path.length, false)
  return { path, boundary, walked }
}

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
): { readonly verdict: Verdict | null; readonly state: SendState } {
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
