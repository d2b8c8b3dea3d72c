import { fillOf, type LogSummary } from '../../core/logs/fold-logs'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import { LOG_KINDS, type LogKind } from '../../core/logs/log-kinds'
import { maskValue } from '../../core/logs/mask-value'
import { isUndoing } from '../../core/logs/recovery-events'
import { maskSecrets } from '../../core/redaction/secrets'
import type { Bytes } from '../../core/units/units'
import { recoveryPlace, recoveryTrigger } from '../cold/recovery-words'
import type { ProbeView } from '../stores/stores'
import { differingQuery, typedDay, typedPage, typedText } from '../text/address-query'
import { formatCount, formatPercent } from '../text/format'
import { shownText } from '../text/shown-text'

/** Rows of one page. */
export const ACTIVITY_PAGE_ROWS = 100

/** What the screen of the logs is asked for; all of it is in the address. */
export type ActivityParams = {
  readonly q: string
  readonly kind: '' | LogKind
  readonly session: string
  /** Days as YYYY-MM-DD, UTC. */
  readonly since: string
  readonly until: string
  readonly page: number
}

/** Reads an address; what cannot be meant is left out. */
export function parseActivityParams(get: (name: string) => string | null): ActivityParams {
  const text = (name: string) => typedText(get(name))
  return {
    q: text('q'),
    kind: LOG_KINDS.find((kind) => kind === text('kind')) ?? '',
    session: text('session'),
    since: typedDay(get('since')),
    until: typedDay(get('until')),
    page: typedPage(get('page')),
  }
}

export const NO_ACTIVITY_PARAMS: ActivityParams = parseActivityParams(() => null)

/** The query of an address, with its question mark; '' for what is shown at first. */
export function activityQueryText(params: ActivityParams): string {
  return differingQuery(params, NO_ACTIVITY_PARAMS)
}

/** Names of the logs, as people read them. */
export const LOG_WORDS: { readonly [K in LogKind]: string } = {
  compaction: 'compaction',
  curation: 'curation',
  drops: 'drop',
  recovery: 'recovery',
  health: 'health',
}

export type ActivityRow = {
  readonly key: string
  readonly kind: LogKind
  /** Milliseconds since the epoch; null when the line does not say. */
  readonly at: number | null
  readonly session: string | null
  readonly shownSession: string
  readonly sessionHref: string | null
  /** The chunk that it is about, for the page of its life. */
  readonly chunk: string | null
  readonly what: string
  /** The rest of what the line says, as `name value`. */
  readonly more: string
  readonly place: string
}

/** Tokens saved on one UTC day, as the lines say; unknown ones are counted. */
export type SavingsDay = {
  readonly day: string
  readonly compaction: number
  readonly curation: number
  readonly unknown: number
}

export type ActivityView = {
  readonly places: readonly ProbeView[]
  /** Lines in the database, whatever is asked for. */
  readonly logged: number
  readonly summary: LogSummary
  readonly savings: readonly SavingsDay[]
  /** The charts are of the newest lines only; how many there are in all. null: of all. */
  readonly foldedOf: number | null
  /** Thresholds that drops were compared with, newest first. */
  readonly thresholds: readonly number[]
  readonly broken: {
    readonly count: number
    readonly first: readonly { readonly place: string; readonly problem: string }[]
  }
  /** Files of which only the end was read. */
  readonly skipped: readonly { readonly path: string; readonly bytes: Bytes }[]
  readonly unread: readonly string[]
  readonly rows: readonly ActivityRow[]
  readonly total: number
  readonly sessions: readonly { readonly value: string; readonly label: string }[]
}

/** A line of a log as one row; its values were written by others. */
export function activityRow(
  record: AnyLogRecord,
  place: { readonly file: string; readonly line: number },
  session: { readonly title: string; readonly id: string } | null,
): ActivityRow {
  const { kind, at, sessionId } = record
  return {
    key: `${place.file}:${place.line}`,
    kind,
    at,
    session: sessionId,
    shownSession: session?.title ?? (sessionId === null ? '' : shownText(sessionId)),
    sessionHref: session === null ? null : `/sessions/${session.id}`,
    chunk: kind === 'drops' || kind === 'recovery' ? record.chunkId : null,
    what: whatHappened(record),
    more: restOf(record),
    place: shownText(`${place.file}:${place.line}`),
  }
}

function whatHappened(record: AnyLogRecord): string {
  const count = (value: number | null) => (value === null ? '?' : formatCount(Math.round(value)))
  const score = (value: number | null) => (value === null ? '?' : value.toFixed(3))
  switch (record.kind) {
    case 'compaction': {
      const { tokensBefore, tokensAfter, tokenSavings, trigger } = record
      const size =
        tokensBefore === null && tokensAfter === null
          ? `${count(tokenSavings)} tokens saved`
          : `${count(tokensBefore)} → ${count(tokensAfter)} tokens`
      return shownText(`${size}, by ${trigger ?? 'an unknown trigger'}`)
    }
    case 'curation':
      return shownText(
        `${count(record.tokenSavings)} tokens saved, ${count(record.dropsTriggered)} dropped for “${record.query ?? '?'}”`,
      )
    case 'drops':
      return shownText(
        `${record.reason ?? 'no reason given'}: score ${score(record.relevanceScore)}, cut-off ${record.thresholdUsed ?? '?'}, ${count(record.tokens)} tokens`,
      )
    case 'recovery': {
      const chunks = record.chunksRecovered ?? record.chunkIds?.length ?? 1
      const { preposition, place, isCopy } = recoveryPlace(record.destination)
      if (isUndoing(record)) return shownText(`${count(chunks)} taken back out of ${place}`)
      const trigger = record.trigger === null ? '?' : recoveryTrigger(record.trigger)
      const why = record.query === null ? '' : ` for “${record.query}”`
      const what = isCopy ? 'copied' : 'back'
      return shownText(`${count(chunks)} ${what} ${preposition} ${place}, by ${trigger}${why}`)
    }
    case 'health': {
      const share = fillOf(record)
      const fill = share === null ? '? of the window' : `${formatPercent(share)} of the window`
      return shownText(`${fill}: ${count(record.currentTokens)} of ${count(record.limit)} tokens`)
    }
  }
}

/** Values that are in their own column. */
const ELSEWHERE = new Set(['kind', 'at', 'sessionId', 'rest', 'chunkId', 'event'])

function restOf(record: AnyLogRecord): string {
  const known = Object.entries(record).filter(([key, value]) => !ELSEWHERE.has(key) && value !== null)
  return [...known, ...Object.entries(record.rest)]
    .map(([key, value]) => {
      const covered = maskValue(key, value, maskSecrets)
      return shownText(`${key} ${typeof covered === 'string' ? covered : JSON.stringify(covered)}`)
    })
    .join(' · ')
}
