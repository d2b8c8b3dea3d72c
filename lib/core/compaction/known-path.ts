import type { HistoryMessage } from '../history/message'
import type { EntryFact } from '../transcript/entry'
import type { SizedEntry } from './sized-entry'

/** A message of a path as requests are made of it. */
export type PathMessage = HistoryMessage & { readonly seq: number; readonly size: number }

/** What of a path no knob changes. */
type KnownPath = {
  /** Its messages in order. */
  readonly messages: readonly PathMessage[]
  /** How many of them are before each index of the path; one longer than the path. */
  readonly messagesBefore: Int32Array
  /** Index in the path by sequence number, -1 for what is not on it. */
  readonly places: Int32Array
  /** Index of its last compaction or reset; negative when there is none. */
  readonly boundary: number
}

/** Plans of one path are made again and again, with other knobs. */
const known = new WeakMap<readonly SizedEntry[], KnownPath>()

/** Looks a path through, once. Paths are never changed in place. */
export function knownPath(path: readonly SizedEntry[]): KnownPath {
  const before = known.get(path)
  if (before !== undefined) return before
  const messages: PathMessage[] = []
  const messagesBefore = new Int32Array(path.length + 1)
  const places = new Int32Array(path.reduce((most, { fact }) => Math.max(most, fact.seq), 0) + 1).fill(-1)
  let boundary = -1
  for (let i = 0; i < path.length; i++) {
    const { fact, size } = path[i] as SizedEntry
    const { type, seq, role, calls, resultFor } = fact
    places[seq] = i
    if (type === 'compaction' || type === 'reset') boundary = i
    if (type === 'message' && isPathMessage(fact, size)) messages.push(fact)
    else if (type === 'message' || type === 'custom_message' || type === 'branch_summary')
      messages.push({ seq, size, role, calls, resultFor })
    messagesBefore[i + 1] = messages.length
  }
  const fresh = { messages, messagesBefore, places, boundary }
  known.set(path, fresh)
  return fresh
}

/** Whether a fact says all that requests need to know of its message. */
function isPathMessage(fact: EntryFact, size: number): fact is EntryFact & PathMessage {
  return fact.size === size && fact.role !== undefined
}

/** The messages of a part of a path. Indices into the path, `to` exclusive. */
export function messagesIn(path: readonly SizedEntry[], from: number, to: number): readonly PathMessage[] {
  const { messages, messagesBefore } = knownPath(path)
  return messages.slice(messagesBefore[from], messagesBefore[to])
}
