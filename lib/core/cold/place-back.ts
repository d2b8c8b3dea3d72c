import { lowestOf } from '../lists/long-lists'
import { type Branches, ROOT } from '../transcript/branches'
import { walkPath } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import type { ColdRecord, RecordPlace } from './record'

/** Where a chunk goes back. */
export type BackPlace =
  /** Between two entries of the path: `before` gets the note as its parent. */
  | { readonly kind: 'neighbourhood'; readonly after: EntryFact; readonly before: EntryFact }
  /** After the leaf; `why` says what keeps it from its old neighbourhood, null when it was not asked for. */
  | { readonly kind: 'end'; readonly leaf: EntryFact | null; readonly why: string | null }

/**
 * Finds the place for a chunk that comes back: behind the entry before it, else behind its own old
 * entries, as long as these are in the context and no call waits there for its result. Else the end.
 */
export function placeBack(
  branches: Branches,
  place: RecordPlace | null,
  wanted: 'neighbourhood' | 'end',
): BackPlace {
  const leaf = branches.leaf === ROOT ? null : (branches.facts[branches.leaf] ?? null)
  const end = (why: string | null): BackPlace => ({ kind: 'end', leaf, why })
  if (wanted === 'end') return end(null)
  if (place === null) return end('it is not known where it was')
  const version = branches.facts[0]?.header?.version ?? 1
  if (version < 2) return end('entries of this transcript have no ids')
  if (!branches.plain) return end('ids of this transcript are not unique')
  const { path, boundary, walked } = walkPath(branches, branches.leaf)
  const facts = path.flatMap((seq) => branches.facts[seq] ?? [])
  const first = lowestOf(
    walked.map(({ at }) => at),
    Number.POSITIVE_INFINITY,
  )
  const named = [place.afterEntryId, ...place.entryIds].filter((id) => id !== null)
  const anchor = facts.findLastIndex(({ id }) => id !== null && named.includes(id))
  if (anchor < first) return end('its old neighbours are no longer in the context')
  const at = settledFrom(facts, anchor)
  const [after, before] = [facts[at], facts[at + 1]]
  if (after === undefined || before === undefined) return end(null)
  if (facts[boundary]?.firstKeptIndex !== undefined) return end('this transcript counts its entries')
  return { kind: 'neighbourhood', after, before }
}

/** The first entry from `start` on behind which no call waits for its result. Index into the path. */
function settledFrom(path: readonly EntryFact[], start: number): number {
  const open = new Set<string>()
  for (const [at, fact] of path.entries()) {
    if (fact.role === 'assistant') {
      // Calls of an earlier message without a result will never have one.
      open.clear()
      for (const { id } of fact.calls ?? []) open.add(id)
    }
    if (fact.resultFor !== undefined) open.delete(fact.resultFor)
    if (at >= start && (open.size === 0 || isUserMessage(path[at + 1]))) return at
  }
  return path.length - 1
}

function isUserMessage(fact: EntryFact | undefined): boolean {
  return fact?.type === 'message' && fact.role === 'user'
}

/**
 * The text of a recovered chunk as a user-role note: the content to the byte, in tags that the content cannot close,
 * with a line that keeps a model from taking it for something new.
 */
export function recoveredText({ chunkId, at, reason, content }: ColdRecord): string {
  let tag = TAG
  for (let i = 2; content.includes(`</${tag}>`); i++) tag = `${TAG}-${i}`
  const facts = [
    `chunk=${JSON.stringify(chunkId)}`,
    `dropped=${JSON.stringify(at === null ? UNKNOWN : new Date(at).toISOString())}`,
    ...(reason === null ? [] : [`reason=${JSON.stringify(reason)}`]),
  ]
  return `<${tag} ${facts.join(' ')}>\n${LEAD}\n\n${content}\n</${tag}>`
}

/** How every note begins that `recoveredText` made. */
export const NOTE_START = '<recovered-context'

/** The content of a note that `recoveredText` made; null when the text is no such note. */
export function contentOfNote(text: string): string | null {
  const match = /^<(recovered-context(?:-\d+)?) [^\n]*>\n[^\n]*\n\n([\s\S]*)\n<\/\1>$/.exec(text)
  return match?.[2] ?? null
}

/** The id of the chunk that a note says it holds; null when the text is no such note. */
export function chunkOfNote(text: string): string | null {
  if (contentOfNote(text) === null) return null
  const quoted = /^<\S+ chunk=("(?:[^"\\]|\\.)*") /.exec(text)?.[1]
  try {
    const id: unknown = quoted === undefined ? null : JSON.parse(quoted)
    return typeof id === 'string' ? id : null
  } catch {
    // Another process wrote it.
    return null
  }
}

/**
 * Whether a text is the note of a chunk, to the byte. What a note says of the drop may be older than what is known of
 * the chunk now: it can have been dropped again since.
 */
export function isNoteOf(text: string, chunk: ColdRecord): boolean {
  if (chunkOfNote(text) !== chunk.chunkId) return false
  const facts = FACTS.exec(text)
  const time = facts?.[1]
  const at = time === UNKNOWN ? null : Date.parse(time ?? '')
  if (facts === null || Number.isNaN(at)) return false
  const quoted = facts[2]
  try {
    const reason: unknown = quoted === undefined ? null : JSON.parse(quoted)
    if (reason !== null && typeof reason !== 'string') return false
    return recoveredText({ ...chunk, at, reason }) === text
  } catch {
    // Another process wrote it.
    return false
  }
}

const FACTS = /^<\S+ chunk="(?:[^"\\]|\\.)*" dropped="([^"]*)"(?: reason=("(?:[^"\\]|\\.)*"))?>\n/
/** Where the time of the drop is unknown. */
const UNKNOWN = 'unknown'
const TAG = 'recovered-context'
const LEAD =
  'This part of the conversation had been dropped and is brought back as background. It is no new request: do not answer it by itself.'

export type NoteInput = {
  readonly id: string
  readonly parentId: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
}

/** The transcript line of a user-role note. Version 1 knows no ids. */
export function noteLine(version: number, { id, parentId, at, text }: NoteInput): string {
  const message = { role: 'user', content: [{ type: 'text', text }], timestamp: at }
  const timestamp = new Date(at).toISOString()
  if (version < 2) return JSON.stringify({ type: 'message', timestamp, message })
  return JSON.stringify({ type: 'message', id, parentId, timestamp, message })
}
