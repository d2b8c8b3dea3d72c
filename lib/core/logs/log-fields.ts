import * as z from 'zod'
import type { LogKind } from './log-kinds'

/** Says whether a value is of a type, and if not, why; the checkers of zod are such. */
type ValueCheck<T> = {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false
        readonly error: { readonly issues: readonly { readonly message: string }[] }
      }
}

/** A value of a line: its type, and the names that it goes by. The first one is written, all are read. */
export type LogField<T = unknown> = {
  readonly type: ValueCheck<T>
  readonly names: readonly [string, ...string[]]
}

const text = z.string({ error: 'must be a text' })
const number = z.number({ error: 'must be a number' })
const flag = z.boolean({ error: 'must be true or false' })
const texts = z.array(text, { error: 'must be a list of texts' })

function field<T>(type: ValueCheck<T>, ...names: [string, ...string[]]): LogField<T> {
  return { type, names }
}

const sessionId = field(text, 'session_id', 'sessionId', 'session')

/**
 * What is known of each kind of line. Names in the order: those of the plan of memfas v4, then those that its own
 * module writes. Tokens are whole numbers, shares (`pctUsed`) go from 0 to 1.
 */
export const LOG_FIELDS = {
  compaction: {
    sessionId,
    trigger: field(text, 'trigger'),
    tokensBefore: field(number, 'tokens_before'),
    tokensAfter: field(number, 'tokens_after'),
    tokenSavings: field(number, 'token_savings'),
    chunksDropped: field(number, 'chunks_dropped'),
    chunksSummarized: field(number, 'chunks_summarized'),
    configUsed: field(text, 'config_used'),
  },
  curation: {
    sessionId,
    query: field(text, 'query'),
    hitsFound: field(number, 'hits_found'),
    totalHits: field(number, 'total_hits_before_curation', 'total_before_curation'),
    tokenSavings: field(number, 'token_savings'),
    dropsTriggered: field(number, 'drops_triggered'),
  },
  drops: {
    chunkId: field(text, 'chunk_id'),
    sessionId,
    reason: field(text, 'reason', 'drop_reason'),
    relevanceScore: field(number, 'relevance_score'),
    thresholdUsed: field(number, 'threshold_used'),
    coldStoragePath: field(text, 'cold_storage_path'),
    tokens: field(number, 'tokens'),
  },
  recovery: {
    chunkId: field(text, 'chunk_id'),
    chunkIds: field(texts, 'chunk_ids'),
    sessionId,
    trigger: field(text, 'trigger'),
    query: field(text, 'query'),
    chunksRecovered: field(number, 'chunks_recovered'),
    relevanceScore: field(number, 'relevance_score'),
    tokens: field(number, 'tokens'),
    destination: field(text, 'destination'),
  },
  health: {
    sessionId,
    currentTokens: field(number, 'current_tokens', 'token_count'),
    limit: field(number, 'limit', 'max_tokens'),
    pctUsed: field(number, 'pct_used'),
    nextCompaction: field(number, 'next_compaction_estimate'),
    chunksHeld: field(number, 'memcached_chunks', 'chunks_count', 'context_chunks'),
    chunksCold: field(number, 'cold_storage_chunks', 'cold_storage_count'),
    needsCompaction: field(flag, 'needs_compaction'),
    notifiedAbove: field(number, 'notified_above'),
    notifiedBy: field(texts, 'notified_by'),
    findingsNotified: field(texts, 'findings_notified'),
  },
} as const satisfies { readonly [K in LogKind]: { readonly [name: string]: LogField<unknown> } }

/** What a line must hold to be one of its kind. */
export const REQUIRED: { readonly [K in LogKind]?: string } = { drops: 'chunkId' }

type Fields = typeof LOG_FIELDS

/** The known values of a line; null where it does not hold one. */
type Values<K extends LogKind> = {
  readonly [F in keyof Fields[K]]: Fields[K][F] extends LogField<infer T> ? T | null : never
}

/** A line of a log of this kind. */
export type LogRecord<K extends LogKind> = {
  readonly kind: K
  /** Milliseconds since the epoch; null when the line does not say. */
  readonly at: number | null
  readonly event: string | null
  /** All that the line holds besides, under its own names. */
  readonly rest: Readonly<Record<string, unknown>>
} & Values<K>

export type AnyLogRecord = { readonly [K in LogKind]: LogRecord<K> }[LogKind]

/** What the caller has to say of an event; everything that is left out is unknown. */
export type LogEntry<K extends LogKind> = Partial<Omit<LogRecord<K>, 'kind' | 'at'>>
