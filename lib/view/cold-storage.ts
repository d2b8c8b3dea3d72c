import { isExpired } from '../core/cold/retention'
import { maskSecrets } from '../core/redaction/secrets'
import type { EntryFact } from '../core/transcript/entry'

import { type SessionNames, sessionTitle } from './session-title'
import { makeSnippet, type SnippetPart, searchTerms, snippetStart } from './snippet'
import type { ProbeView } from './stores'
import { visibleLine } from './visible-text'

/** Rows of one page. */
export const COLD_PAGE_ROWS = 50

/** What the screen of cold storage is asked for; all of it stands in the address. */
export type ColdParams = {
  readonly q: string
  readonly session: string
  readonly reason: string
  /** Scores as they are typed; '' does not ask. */
  readonly min: string
  readonly max: string
  /** Days as YYYY-MM-DD, UTC. */
  readonly since: string
  readonly until: string
  /** '' leaves expired chunks out. */
  readonly expired: '' | 'with' | 'only'
  readonly page: number
}

const MAX_TEXT = 200

/** Reads an address; what cannot be meant is left out. */
export function parseColdParams(get: (name: string) => string | null): ColdParams {
  const text = (name: string) => (get(name) ?? '').slice(0, MAX_TEXT)
  const number = (name: string) => (/^\d*\.?\d+$/.test(text(name)) ? text(name) : '')
  const day = (name: string) =>
    /^\d{4}-\d\d-\d\d$/.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : ''
  const expired = text('expired')
  return {
    q: text('q'),
    session: text('session'),
    reason: text('reason'),
    min: number('min'),
    max: number('max'),
    since: day('since'),
    until: day('until'),
    expired: expired === 'with' || expired === 'only' ? expired : '',
    page: Math.max(1, Math.floor(Number(text('page'))) || 1),
  }
}

export const NO_COLD_PARAMS: ColdParams = parseColdParams(() => null)

/** The query of an address, with its question mark; '' for what is shown at first. */
export function coldQueryText(params: ColdParams): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    if (value !== '' && value !== NO_COLD_PARAMS[name as keyof ColdParams]) query.set(name, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** What names one chunk: ids repeat in other sessions, and at other times. */
export type ColdName = { readonly chunkId: string; readonly sessionId: string; readonly at: number | null }

export function coldNameText({ chunkId, sessionId, at }: ColdName): string {
  return new URLSearchParams({ chunk: chunkId, of: sessionId, at: at === null ? '' : String(at) }).toString()
}

export type ColdRow = ColdName & {
  /** As they may be shown: credentials covered, hidden characters named. */
  readonly shownId: string
  readonly shownSession: string
  /** Of the page of its session; null when no transcript of it is known. */
  readonly sessionHref: string | null
  readonly until: number | null
  readonly expired: boolean
  readonly tokens: number | null
  readonly reason: string | null
  readonly score: number | null
  readonly snippet: readonly SnippetPart[]
}

/** An entry of a transcript that its runtime has put away. */
export type ArchiveRow = {
  readonly key: string
  readonly title: string
  readonly state: string
  readonly href: string
  readonly at: number | null
  readonly snippet: readonly SnippetPart[]
}

export type ColdView = {
  readonly places: readonly ProbeView[]
  readonly chunks: number
  readonly expired: number
  /** Lines that are no chunks, or not whole ones, by what is wrong with them. */
  readonly problems: readonly {
    readonly what: string
    readonly count: number
    readonly example: string | null
  }[]
  readonly reasons: readonly { readonly name: string; readonly count: number }[]
  readonly rows: readonly ColdRow[]
  /** Chunks that fit the filter; null while words are looked for, and nobody counts. */
  readonly total: number | null
  readonly hasMore: boolean
  /** Files read so far, while the index is being brought up to date. */
  readonly progress: { readonly read: number; readonly of: number } | null
  /** null while nothing is looked for. */
  readonly archives: { readonly rows: readonly ArchiveRow[]; readonly transcripts: number } | null
}

type Stored = ColdName & {
  readonly content: string
  readonly until: number | null
  readonly tokens: number | null
  readonly reason: string | null
  readonly score: number | null
}

/** A row of the list. The text was written by others: credentials are covered, and it stays text. */
export function coldRow(
  chunk: Stored,
  words: string,
  now: number,
  session: (SessionNames & { readonly id: string }) | null,
): ColdRow {
  const { chunkId, sessionId, at, until, tokens, reason, score, content } = chunk
  return {
    ...{ chunkId, sessionId, at, until, tokens, score },
    shownId: shown(chunkId),
    shownSession: session === null ? shown(sessionId) : sessionTitle(session),
    sessionHref: session === null ? null : `/sessions/${session.id}`,
    expired: isExpired(chunk, now),
    reason: reason === null ? null : shown(reason),
    snippet: coldSnippet(content, words),
  }
}

export function coldSnippet(content: string, words: string): readonly SnippetPart[] {
  const text = maskSecrets(content)
  return (words === '' ? null : makeSnippet(text, searchTerms(words))) ?? snippetStart(text)
}

/** A text of others on one line, credentials covered. */
export function shown(text: string): string {
  return visibleLine(maskSecrets(text))
}

/** An entry beside the place of a chunk. */
export type Neighbour = {
  readonly seq: number
  readonly who: string
  readonly at: number | null
  readonly text: string
}

export function neighbourOf({ seq, role, type, toolName, at, preview, calls }: EntryFact): Neighbour {
  const who = role === 'toolResult' ? `result of ${toolName ?? 'a tool'}` : (role ?? type)
  const called = (calls ?? []).map(({ name }) => name).join(', ')
  const text = preview ?? (called === '' ? '' : `calls ${called}`)
  return { seq, who: shown(who), at, text: shown(text) }
}

/** A transcript that a chunk can go back into. */
export type ColdTarget = {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly state: string
}

/** What is known of where a chunk would go. */
export type ColdPlacing = {
  readonly target: string
  readonly file: string
  readonly kind: 'neighbourhood' | 'end'
  /** Why it is the end although the old place was asked for. */
  readonly why: string | null
  readonly before: readonly Neighbour[]
  readonly after: readonly Neighbour[]
  /** Of the note, estimated. */
  readonly tokens: number
  readonly isThere: boolean
  readonly refusal: string | null
}

/** One chunk, with its text as far as it is shown. */
export type ColdDetail = {
  readonly row: ColdRow
  readonly file: string
  readonly prompt: string | null
  readonly text: string
  /** Characters that are not shown. */
  readonly more: number
  readonly targets: readonly ColdTarget[]
  /** null: no transcript of its session is known. */
  readonly placing: ColdPlacing | null
  /** Why the transcript cannot be read. */
  readonly problem: string | null
}

/** What a purge would take away. */
export type PurgePreview = {
  readonly chunks: number
  readonly tokens: number
  readonly unknownTokens: number
  readonly keep: number
  /** The first ones. */
  readonly rows: readonly ColdRow[]
  /** Names what is meant: a purge of anything else is refused. */
  readonly stamp: string
}

export type ColdAnswer =
  | { readonly kind: 'done'; readonly message: string; readonly receipt: string | null }
  | { readonly kind: 'unchanged'; readonly message: string }
  | { readonly kind: 'refused'; readonly problem: string }

export type DownloadAnswer =
  | { readonly kind: 'text'; readonly name: string; readonly text: string; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly problem: string }

const PROBLEM_WORDS: { readonly [kind: string]: string } = {
  torn: 'torn, left alone',
  malformed: 'malformed, left alone',
  foreign: 'of another session, left alone',
  archive: 'archived messages of ended sessions, left alone',
  odd: 'with a field that counts as unknown',
  unreadable: 'unreadable, left alone',
}

/** What is wrong with lines, in words. */
export function problemWord(kind: string): string {
  return PROBLEM_WORDS[kind] ?? kind
}
