import { isUserTurn } from '../core/history/message'
import type { ContentMessage } from '../core/history/thinking'
import { type Checkpoint, checkCheckpoint } from '../core/memory/checkpoint'
import { type FlushState, noteToolCall } from '../core/memory/flush'
import { fileLedger } from '../core/summary/file-ledger'
import { currentCheck, type DropOutcome, type LiveParts, noteReport } from './live-parts'
import { isAmount } from './port-problems'
import { runPass } from './run-pass'
import { writeCheckpoint } from './write-checkpoint'

/** A turn that has ended. */
export type EndedTurn = {
  /** What the provider reported for its last request; null when it reports nothing. Tokens. */
  readonly usage?: { readonly prompt: number; readonly output: number } | null
  readonly signal?: AbortSignal
}

/** What was noted of a turn that has ended. */
export type AfterResponse = {
  readonly turns: number
  /** The agent has saved its memory since it was asked to. */
  readonly memorySaved: boolean
  readonly checkpoint: Checkpoint | null
  readonly warnings: readonly string[]
}

const UNUSABLE =
  'The usage of the turn is no pair of numbers (`prompt`, `output`) and is left out: the context is estimated.'

/** Counts a turn, notes whether the agent saved its memory, and writes a checkpoint where one is due. */
export async function endTurn<M extends ContentMessage>(
  parts: LiveParts<M>,
  { usage, signal }: EndedTurn,
): Promise<AfterResponse> {
  const { agent, state, policy, window, form, summary } = parts
  const held = await agent.held()
  const isUsable = usage != null && isAmount(usage.prompt) && isAmount(usage.output)
  if (isUsable) await noteReport(parts, usage.prompt + usage.output)
  const noted = usage == null || isUsable ? [] : [UNUSABLE]
  const counted = await state.update((known) => ({
    ...known,
    turns: known.turns + 1,
    flush: notedWrites(known.flush, () => held.parts(), form.toSource),
  }))
  const tokens = (await currentCheck(parts, [])).tokens.value ?? 0
  const { due, state: checkpoint } = checkCheckpoint(
    policy,
    { tokens, window, turns: counted.turns },
    counted.checkpoint,
  )
  const ended = { turns: counted.turns, memorySaved: counted.flush.actioned }
  if (due === null) return { ...ended, checkpoint: null, warnings: [...noted, ...state.takeProblems()] }
  // Crossed from now on, so that a turn that ends meanwhile writes no second one.
  await state.update((known) => ({ ...known, checkpoint }))
  const earlier = (await state.attempt('read', () => state.memory.checkpoints(state.session))) ?? []
  const written = await writeCheckpoint(held.parts(), {
    session: agent.session,
    at: agent.clock.now(),
    policy,
    form,
    chain: agent.chain ?? null,
    previous: earlier.at(-1) ?? null,
    summary,
    signal,
  })
  await state.attempt('written', () => state.memory.addCheckpoint(written.checkpoint))
  return {
    ...ended,
    checkpoint: written.checkpoint,
    warnings: [...noted, ...written.notes, ...state.takeProblems()],
  }
}

/** Files that the running turn wrote, for comparison with where memory is kept. */
function notedWrites<M extends ContentMessage>(
  before: FlushState,
  read: () => readonly M[],
  toSource: LiveParts<M>['form']['toSource'],
): FlushState {
  if (before.prompted === 0 || before.actioned) return before
  const messages = read()
  const from = Math.max(0, messages.findLastIndex(isUserTurn))
  const sources = messages.slice(from).flatMap((message, i) => toSource(message, from + i) ?? [])
  let flush = before
  for (const { path, created, edits } of fileLedger(sources).values())
    if (created || edits > 0) flush = noteToolCall(flush, 'write', path)
  return flush
}

/** What was dropped after a reply. */
export type AfterCuration = {
  /** What was dropped by relevance; null when nothing was looked at. */
  readonly drop: DropOutcome | null
  readonly warnings: readonly string[]
}

/** Tidies a context up after a reply, while no request waits. */
export async function curateAfter<M extends ContentMessage>(
  parts: LiveParts<M>,
  signal?: AbortSignal,
): Promise<AfterCuration> {
  const warnings: string[] = []
  let drop: DropOutcome | null = null
  for (const pass of parts.passes) {
    const check = await currentCheck(parts, [])
    const occasion = { moment: 'after', incoming: [], check, waits: false, last: false, signal } as const
    const done = await runPass(parts, pass, occasion)
    warnings.push(...done.warnings)
    drop = done.drop ?? drop
    if (done.changed) parts.agent.onStep?.(pass.step)
  }
  return { drop, warnings }
}
