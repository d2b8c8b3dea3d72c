import { chunkOfNote, isNoteOf } from '../core/cold/place-back'
import { isExpired } from '../core/cold/retention'
import type { ContentMessage } from '../core/history/thinking'
import type { ColdChunk } from './cold-store'
import type { LadderParts } from './ladder-parts'
import { NO_LOG } from './log-ports'
import { logUndoneRecovery } from './log-recovery'
import type { Refusal } from './receipt'
import { rolledView } from './rolling-summary'

/** What became of taking a recovery back. */
export type UndoneRecovery =
  | {
      readonly kind: 'undone'
      readonly chunk: ColdChunk
      /** What the note took. */
      readonly tokens: number
      /** Messages that came after the note and stay, other notes not counted. 0: it stood at the end. */
      readonly later: number
      readonly warnings: readonly string[]
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export type UndoRequest = {
  readonly chunkId: string
  /** All that cold storage has under that id. */
  readonly chunks: readonly ColdChunk[]
  /** Whether such a chunk came back since the agent was opened. */
  readonly cameBack: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Takes the note of a recovered chunk out of a context. A note is known by its whole text, which is that of the chunk in
 * cold storage: what only looks like one stays, and nothing leaves that is not kept there.
 */
export async function undoRecovery<M extends ContentMessage>(
  parts: LadderParts<M>,
  { chunkId, chunks, cameBack, now }: UndoRequest,
): Promise<UndoneRecovery> {
  const { agent, form, gauge, state } = parts
  const { rolling } = await state.get()
  const messages = await agent.getContext()
  const texts = messages.map((message, index) => form.toSource(message, index)?.text ?? '')
  const chunkIn = (text: string) => chunks.find((one) => isNoteOf(text, one))
  const at = texts.findLastIndex((text) => chunkIn(text) !== undefined)
  const note = messages[at]
  const chunk = chunkIn(texts[at] ?? '')
  if (note === undefined || chunk === undefined)
    return refused(
      ...whyNot(
        chunkId,
        cameBack,
        texts.some((text) => chunkOfNote(text) === chunkId),
      ),
    )
  if (at < (rolledView(messages, rolling, form).rolling?.covered ?? 0))
    return refused(
      'changed',
      `A rolling summary speaks for the note of the chunk ${chunkId} already: it stays.`,
    )
  await agent.setContext([...messages.slice(0, at), ...messages.slice(at + 1)])
  gauge.forget()
  const problem = await logUndoneRecovery(agent.log ?? NO_LOG, chunk)
  const warnings = problem === null ? [] : [problem]
  if (isExpired(chunk, now))
    warnings.push(
      `The chunk ${chunkId} has expired meanwhile and cannot be brought back, unless it is extended.`,
    )
  const later = texts.slice(at + 1).filter((text) => chunkOfNote(text) === null).length
  return { kind: 'undone', chunk, tokens: gauge.sizeOf(note), later, warnings }
}

function whyNot(
  chunkId: string,
  cameBack: boolean,
  isNamed: boolean,
): [code: Refusal['code'], message: string] {
  if (isNamed)
    return [
      'missing',
      `Cold storage does not have what the note of the chunk ${chunkId} holds: it stays, as taking it out would lose it.`,
    ]
  if (cameBack)
    return [
      'changed',
      `The note of the chunk ${chunkId} is not in the context any more: a compaction, a drop or the hard line has taken it.`,
    ]
  return ['missing', `The context has no note of a chunk ${chunkId}: there is nothing to take back.`]
}

function refused(code: Refusal['code'], message: string): UndoneRecovery {
  return { kind: 'refused', refusal: { code, message } }
}
