import { isExpired } from '../../core/cold/retention'
import { maskSecrets } from '../../core/redaction/secrets'
import type { EntryFact } from '../../core/transcript/entry'
import type { Milliseconds, Tokens } from '../../core/units/units'
import type { RefusedAnswer } from '../actions/action-answer'

import { type SessionNames, sessionTitle } from '../session/session-title'
import type { ProbeView } from '../stores/stores'
import { differingQuery, typedDay, typedPage, typedText } from '../text/address-query'
import { shownText } from '../text/shown-text'
import { makeSnippet, type SnippetPart, searchTerms, snippetStart } from '../text/snippet'

/** Rows of one page. */
export const COLD_PAGE_ROWS = 50

/** What the screen of cold storage is asked for; all of it is in the address. */
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

/** Reads an address; what cannot be meant is left out. */
export function parseColdParams(get: (name: string) => string | null): ColdParams {
  const text = (name: string) => typedText(get(name))
  const number = (name: string) => (/^\d*\.?\d+$/.test(text(name)) ? text(name) : '')
  const expired = text('expired')
  return {
    q: text('q'),
    session: text('session'),
    reason: text('reason'),
    min: number('min'),
    max: number('max'),
    since: typedDay(get('since')),
    until: typedDay(get('until')),
    expired: expired === 'with' || expired === 'only' ? expired : '',
    page: typedPage(get('page')),
  }
}

export const NO_COLD_PARAMS: ColdParams = parseColdParams(() => null)

/** The query of an address, with its question mark; '' for what is shown at first. */
export function coldQueryText(params: ColdParams): string {
  return differingQuery(params, NO_COLD_PARAMS)
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
  readonly tokens: Tokens | null
  readonly reason: string | null
  readonly score: number | null
  readonly snippet: readonly SnippetPart[]
}

/** An entry of a transcript that its runtime has archived. */
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
  /** Chunks that fit the filter; null while words are searched for, and nothing is counted. */
  readonly total: number | null
  readonly hasMore: boolean
  /** Files read so far, while the index is being brought up to date. */
  readonly progress: { readonly read: number; readonly of: number } | null
  /** null while nothing is searched for. */
  readonly archives: { readonly rows: readonly ArchiveRow[]; readonly transcripts: number } | null
}

type Stored = ColdName & {
  readonly content: string
  readonly until: number | null
  readonly tokens: Tokens | null
  readonly reason: string | null
  readonly score: number | null
}

/** A row of the list. The text was written by others: credentials are covered, and it stays text. */
export function coldRow(
  chunk: Stored,
  words: string,
  now: Milliseconds,
  session: (SessionNames & { readonly id: string }) | null,
): ColdRow {
  const { chunkId, sessionId, at, until, tokens, reason, score, content } = chunk
  return {
    ...{ chunkId, sessionId, at, until, tokens, score },
    shownId: shownText(chunkId),
    shownSession: session === null ? shownText(sessionId) : sessionTitle(session),
    sessionHref: session === null ? null : `/sessions/${session.id}`,
    expired: isExpired(chunk, now),
    reason: reason === null ? null : shownText(reason),
    snippet: coldSnippet(content, words),
  }
}

export function coldSnippet(content: string, words: string): readonly SnippetPart[] {
  const text = maskSecrets(content)
  return (words === '' ? null : makeSnippet(text, searchTerms(words))) ?? snippetStart(text)
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
  return { seq, who: shownText(who), at, text: shownText(text) }
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
  readonly tokens: Tokens
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
  readonly tokens: Tokens
  readonly unknownTokens: Tokens
  readonly keep: number
  /** The first ones. */
  readonly rows: readonly ColdRow[]
  /** Names what is meant: a purge of anything else is refused. */
  readonly stamp: string
}

/** What a purge would remove, or why that is unknown. */
export type PurgePreviewAnswer = { readonly kind: 'planned'; readonly preview: PurgePreview } | RefusedAnswer

export type ColdAnswer =
  | { readonly kind: 'done'; readonly message: string; readonly receipt: string | null }
  | { readonly kind: 'unchanged'; readonly message: string }
  | RefusedAnswer

export type DownloadAnswer =
  | { readonly kind: 'text'; readonly name: string; readonly text: string; readonly notes: readonly string[] }
  | RefusedAnswer

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
