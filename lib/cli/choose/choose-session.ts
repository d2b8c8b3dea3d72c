import type { FoundStore, FoundTranscript } from '../../engine/read/ports'

/** A transcript and the store that it belongs to. */
export type ListedTranscript = { readonly store: FoundStore; readonly transcript: FoundTranscript }

export type SessionChoice =
  | { readonly kind: 'one'; readonly found: ListedTranscript }
  | { readonly kind: 'none' }
  /** Several fit. */
  | { readonly kind: 'many'; readonly candidates: readonly ListedTranscript[] }

/**
 * Finds the session that `wanted` means: an id or key in full, else the beginning of one. Of several transcripts of the
 * same session (archived copies, checkpoints) the live one is meant; of several live ones the newest, when their id is
 * the same.
 */
export function chooseSession(all: readonly ListedTranscript[], wanted: string): SessionChoice {
  const names = ({ transcript }: ListedTranscript) =>
    [transcript.sessionId, transcript.key, transcript.id].filter((name) => name !== null)
  const exact = all.filter((listed) => names(listed).includes(wanted))
  const fitting =
    exact.length > 0 ? exact : all.filter((listed) => names(listed).some((name) => name.startsWith(wanted)))
  const [first, ...others] = preferLive(fitting)
  if (first === undefined) return { kind: 'none' }
  if (others.every(({ transcript }) => transcript.sessionId === first.transcript.sessionId)) {
    return { kind: 'one', found: first }
  }
  return { kind: 'many', candidates: [first, ...others] }
}

/** Live transcripts, newest first; others only when there is no live one. */
function preferLive(listed: readonly ListedTranscript[]): ListedTranscript[] {
  const live = listed.filter(({ transcript }) => transcript.state === 'live')
  return (live.length > 0 ? live : [...listed]).toSorted(
    (a, b) => b.transcript.stamp.mtimeMs - a.transcript.stamp.mtimeMs,
  )
}
