import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import type { TurnMoment } from '../core/pruning/due-pass'
import { reasonOf } from '../core/words/reason-of'
import type { StoredChunk } from '../engine/cold/cold-store'
import { addedSince, messageKey } from '../engine/knowledge/message-key'
import { CURATED_REASON, keepCopies, SUMMARISED_REASON, takeCopiesBack } from './cold/keep-copies'
import type { ContextCheck } from './live-gauge'
import {
  type ContextPass,
  copyPlace,
  type DropOutcome,
  type LiveParts,
  type PassInput,
  type PassResult,
} from './live-parts'
import { rolledView } from './rolling-summary'

export type PassRun = {
  /** The conversation is another one now. */
  readonly changed: boolean
  readonly drop: DropOutcome | null
  readonly warnings: readonly string[]
}

const NOTHING: PassRun = { changed: false, drop: null, warnings: [] }

export type PassOccasion<M> = {
  readonly moment: TurnMoment
  readonly incoming: readonly M[]
  readonly check: ContextCheck
  readonly waits: boolean
  readonly last: boolean
  readonly signal?: AbortSignal
}

/**
 * Runs one part of the ladder, if it is due. A part that fails costs a warning and changes nothing; messages
 * that come in while it works stay behind what it left.
 */
export async function runPass<M extends ContentMessage>(
  parts: LiveParts<M>,
  pass: ContextPass<M>,
  occasion: PassOccasion<M>,
): Promise<PassRun> {
  const { agent, form, gauge, state } = parts
  const held = await agent.held()
  const { rolling } = await state.get()
  // Nothing is taken apart for a part that is not due.
  const read = once(() => {
    const all = held.parts()
    const view = rolledView(all, rolling, form)
    const summaryTokens = view.summary === null ? 0 : gauge.sizeOf(view.summary)
    return { all, view, beside: parts.fixedTokens() + summaryTokens + gauge.sum(occasion.incoming) }
  })
  const input: PassInput<M> = {
    ...occasion,
    parts,
    isEmpty: held.messages.length === 0,
    get messages() {
      return read().view.rest
    },
    get beside() {
      return read().beside
    },
  }
  try {
    if (!pass.isDue(input)) return NOTHING
    const { all, view } = read()
    const result = await pass.run(input)
    const warnings = [...result.notes]
    if (result.messages === null) {
      warnings.push(...((await result.settled?.()) ?? []))
      return { changed: false, drop: result.drop, warnings }
    }
    const leave = async (why: string, stored: readonly StoredChunk[]): Promise<PassRun> => {
      warnings.push(`${pass.failed}: ${why}`)
      warnings.push(...((await result.discarded?.()) ?? []))
      if (parts.cold !== null) warnings.push(...(await takeCopiesBack(parts.cold.ports, stored)))
      return { changed: false, drop: null, warnings }
    }
    if (tears(view.rest, result.messages)) return leave('it would have parted a call from its result.', [])
    const reason = pass.step === 'curate' ? CURATED_REASON : SUMMARISED_REASON
    const kept = await keepCopies(copyPlace(parts), view.rest, result.messages, reason, result.copied)
    if (kept.kind === 'refused') return leave(kept.refusal.message, [])
    const added = addedSince(form, all, await agent.getContext())
    if (added === null) return leave('the conversation changed meanwhile.', kept.chunks)
    const before = all.slice(0, all.length - view.rest.length)
    const after = [...before, ...result.messages]
    await agent.setContext([...after, ...added])
    gauge.forget()
    await keepPlace(parts, all, after)
    warnings.push(...(await settled(result)))
    return { changed: true, drop: result.drop, warnings }
  } catch (error) {
    const why = reasonOf(error)
    return { ...NOTHING, warnings: [`${pass.failed}: ${why}`] }
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Whether a change leaves calls without results, or results without calls, that were pairs before. */
function tears<M extends ContentMessage>(before: readonly M[], after: readonly M[]): boolean {
  const halves = (messages: readonly M[]) => {
    const { orphans, unanswered } = findUnpaired(messages)
    return orphans.length + unanswered.length
  }
  return halves(after) > halves(before)
}

/** The conversation has changed by now, whatever becomes of its logs. */
async function settled<M>(result: PassResult<M>): Promise<readonly string[]> {
  try {
    return (await result.settled?.()) ?? []
  } catch (error) {
    return [reasonOf(error)]
  }
}

/** What was just compacted still counts as that when a part takes something out of it. */
async function keepPlace<M extends ContentMessage>(
  { state, form }: LiveParts<M>,
  before: readonly M[],
  after: readonly M[],
): Promise<void> {
  const keyOf = (messages: readonly M[]) => {
    const last = messages.at(-1)
    return last === undefined ? null : messageKey(form, last, messages.length - 1)
  }
  const key = keyOf(after)
  await state.update((known) =>
    key === null || known.compacted?.count !== before.length || known.compacted.key !== keyOf(before)
      ? known
      : { ...known, compacted: { count: after.length, key } },
  )
}
