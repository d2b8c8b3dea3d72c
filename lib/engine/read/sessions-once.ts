import { foldCopies } from '../../core/transcript/copies'
import type { Milliseconds } from '../../core/units/units'
import type { FoundStore, FoundTranscript } from './ports'

/** A transcript and its store. */
export type StoredTranscript = { readonly store: FoundStore; readonly transcript: FoundTranscript }

/** Copies that hold the calls of their session a second time. */
const REPEATING: readonly string[] = ['backup', 'checkpoint', 'imported', 'gone']

/**
 * Each session once, newest first: copies that repeat calls are left out, and files that were not written since.
 * @param from milliseconds; null: everything
 */
export function sessionsOnce<T extends StoredTranscript>(
  listed: readonly T[],
  from: Milliseconds | null,
): readonly T[] {
  const folded = foldCopies(listed, ({ store, transcript }) => {
    const { agent, sessionId, state, stamp, index } = transcript
    return { store: store.root, agent, sessionId, state, updatedAt: index?.updatedAt ?? stamp.mtimeMs }
  })
  return folded
    .flatMap(({ head, copies }) => [
      head,
      ...copies.filter(({ transcript }) => !REPEATING.includes(transcript.state)),
    ])
    .filter(
      ({ store, transcript }) => from === null || store.era !== 'jsonl' || transcript.stamp.mtimeMs >= from,
    )
    .sort((a, b) => b.transcript.stamp.mtimeMs - a.transcript.stamp.mtimeMs)
}
