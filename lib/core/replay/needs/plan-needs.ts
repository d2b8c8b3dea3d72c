import { NEED_KINDS, type ReplaySession } from '../replay-session'

/** A plan at one call, as far as needs go by it. Entries by their sequence numbers. */
export type PlanAtCall = {
  /** Entry of the answer of the call before which the plan acts. */
  readonly callEntry: number
  /** Entries that stay word for word, and those that do not. */
  readonly kept: ReadonlySet<number>
  readonly left: ReadonlySet<number>
  /** The text in the place of what leaves. */
  readonly summary: string
}

/** A later need that nothing in the context would have held. */
type PlanLoss = {
  readonly text: string
  readonly kind: string
  readonly weight: number
  /** Number of the call that wrote it, from 0. */
  readonly call: number
  /** Entries of the newest chunk that held it, and of the call. */
  readonly entry: number
  readonly callEntry: number
}

/** What of the needs after a call a plan would have left unmet. */
export type PlanNeeds = {
  /** Needs after that call whose sources were in the context then, and their weight. */
  readonly needs: number
  readonly weight: number
  /** Those that nothing would have held, each text once: a miss brings it back. The heaviest first. */
  readonly lost: readonly PlanLoss[]
  readonly lostWeight: number
}

/**
 * What a plan would have lost of what was needed later, assuming that the agent had done the same: needs of later calls
 * whose sources were in the context at that call, none of which stays, which nothing after it repeated, and which the
 * summary does not hold word for word. null: the call is not on the path that was prepared.
 */
export function needsLostByPlan(session: ReplaySession, plan: PlanAtCall): PlanNeeds | null {
  const { calls, needs, spans } = session
  const from = calls.entry.indexOf(plan.callEntry)
  if (from < 0) return null
  const summary = plan.summary.toLowerCase()
  const back = new Set<string>()
  const lost: PlanLoss[] = []
  let [count, weight, lostWeight] = [0, 0, 0]
  for (let need = 0; need < needs.count; need++) {
    const call = needs.at[need] as number
    if (call < from) continue
    const found = sourcesOf(session, need, from, plan)
    if (found === null) continue
    const text = spans.texts[needs.span[need] as number] ?? ''
    const own = needs.weight[need] as number
    count += 1
    weight += own
    if (found.stays || back.has(text) || summary.includes(text.toLowerCase())) continue
    back.add(text)
    lostWeight += own
    lost.push({
      ...{ text, weight: own, call, entry: found.entry },
      kind: NEED_KINDS[needs.kind[need] as number] ?? '',
      callEntry: calls.entry[call] as number,
    })
  }
  lost.sort((a, b) => b.weight - a.weight || a.call - b.call)
  return { needs: count, weight, lost, lostWeight }
}

/** Whether a source of a need stays, and the newest one that was in the context; null: none was. */
function sourcesOf(
  { needs, chunks }: ReplaySession,
  need: number,
  from: number,
  { kept, left }: PlanAtCall,
): { readonly stays: boolean; readonly entry: number } | null {
  let [stays, entry] = [false, -1]
  for (let s = needs.offset[need] as number; s < (needs.offset[need + 1] as number); s++) {
    const chunk = needs.source[s] as number
    const seq = chunks.entry[chunk] as number
    const isLater = (chunks.born[chunk] as number) > from
    const isThere = kept.has(seq) || left.has(seq)
    if (isThere) entry = seq
    if (isLater || kept.has(seq)) stays = true
  }
  return entry < 0 ? null : { stays, entry }
}
