import * as z from 'zod'
import type { BelievedWindow, WindowSource } from '../core/budget/window'
import type { CallRecord } from '../core/tokens/call-record'
import { CATEGORIES, type Category, inOrder } from '../core/tokens/category'
import { markCuts } from '../core/tokens/cut-prompts'
import { type Basis, type Figure, measured, UNKNOWN } from '../core/tokens/figure'
import type { Frame } from '../core/tokens/frame'
import type { PriceSource } from '../core/tokens/own-prices'
import type { Tokens, Usd } from '../core/units/units'
import type { Connection } from './connection'
import { type PackedBlock, readPackedBlock } from './packed-block'
import { RowShapeError, rowsOf } from './rows'

/** Calls that go into one block. */
export const CALLS_PER_BLOCK = 64

type Kind = [
  provider: string | null,
  model: string | null,
  windowSource: WindowSource,
  basis: string,
  bases: string,
  stopReason: string | null,
  /** Only where the provider proved another window than the runtime reckons with. Tokens. */
  believed?: [tokens: Tokens, source: BelievedWindow['source']],
]

type Row = [
  kind: number,
  seq: number,
  at: number | null,
  errorPct: number | null,
  splitErrorPct: number | null,
  output: number | null,
  cacheRead: number | null,
  cacheWrite: number | null,
  costUsd: Usd | null,
  tokens: number[],
  /** Only where the provider may have cut prompts: what it saw; our own count, and its band in percent. */
  doubt?: [seenTokens: Tokens | null, sent: number | null, sentErrorPct: number | null] | null,
  /** Only where no cost was recorded: what list prices make of it, or the operator's own. */
  listUsd?: Usd,
  /** Only where `listUsd` is of the operator's own prices. */
  isOwnPrice?: 1,
]

/** Of a call whose kind is not in its block, as no block of ours has it. */
const NO_KIND: Kind = [null, null, 'default', 'unknown', '', null]

const BLOCK = z.object({
  firstN: z.number(),
  totalsJson: z.string(),
  windowsJson: z.string(),
  callsJson: z.string(),
})

const LETTERS: Readonly<Record<Basis, string>> = { measured: 'm', estimated: 'e', unknown: 'u' }
const BASES: Readonly<Record<string, Basis>> = { m: 'measured', e: 'estimated', u: 'unknown' }

/** The JSON columns of a block. */
export type PackedCalls = {
  readonly totalsJson: string
  readonly windowsJson: string
  readonly callsJson: string
}

/** What a call cost, in US dollars; null: unknown. */
export type PackedCost = {
  readonly recorded: number | null
  readonly listed: number | null
  /** Whose prices `listed` is of. */
  readonly source: PriceSource | null
}

export function packCalls(frames: readonly Frame[], costs: readonly (PackedCost | null)[]): PackedCalls {
  return {
    totalsJson: JSON.stringify(
      frames.map(({ total }) => (total.value === null ? null : Math.round(total.value))),
    ),
    windowsJson: JSON.stringify(frames.map(({ window }) => window.tokens)),
    callsJson: JSON.stringify(packRows(frames, costs)),
  }
}

function packRows(frames: readonly Frame[], costs: readonly (PackedCost | null)[]): PackedBlock<Kind, Row> {
  const kinds: Kind[] = []
  const rows = frames.map((frame, i): Row => {
    const { total, categories, output } = frame
    const row: Row = [
      kindOf(frame, kinds),
      frame.seq,
      frame.at,
      total.basis === 'estimated' ? total.errorPct : null,
      frame.errorPct,
      output.value,
      frame.cacheRead,
      frame.cacheWrite,
      costs[i]?.recorded ?? null,
      inOrder(categories),
    ]
    const doubt = doubtOf(frame)
    const listed = costs[i]?.listed ?? null
    if (listed !== null)
      row.push(doubt ?? null, listed, ...(costs[i]?.source === 'settings' ? [1 as const] : []))
    else if (doubt !== null) row.push(doubt)
    return row
  })
  return { kinds, rows }
}

function doubtOf({ seenTokens, sent }: Frame): NonNullable<Row[10]> | null {
  if (seenTokens === null && sent === null) return null
  return [seenTokens, sent?.value ?? null, sent?.basis === 'estimated' ? sent.errorPct : null]
}

/** The place among `kinds` of what this call shares with others; added when it is new. */
function kindOf({ provider, model, window, total, basis, stopReason }: Frame, kinds: Kind[]): number {
  const bases = lettersOf(basis)
  for (let i = kinds.length - 1; i >= 0; i--) {
    const kind = kinds[i] as Kind
    const isSame =
      kind[4] === bases &&
      kind[5] === stopReason &&
      kind[3] === total.basis &&
      kind[1] === model &&
      kind[0] === provider &&
      kind[2] === window.source &&
      kind[6]?.[0] === window.believed?.tokens &&
      kind[6]?.[1] === window.believed?.source
    if (isSame) return i
  }
  const { source, believed } = window
  const kind: Kind = [provider, model, source, total.basis, bases, stopReason]
  if (believed !== undefined) kind.push([believed.tokens, believed.source])
  return kinds.push(kind) - 1
}

// Calls share the object that says it, for as long as the same categories have tokens.
let lastBasis: Frame['basis'] | null = null
let lastLetters = ''

function lettersOf(basis: Frame['basis']): string {
  if (basis === lastBasis) return lastLetters
  lastBasis = basis
  lastLetters = CATEGORIES.map((category) => {
    const known = basis[category]
    return known === undefined ? '-' : LETTERS[known]
  }).join('')
  return lastLetters
}

/** Prompt sizes of a block's calls: the column `totalsJson`. Tokens; null: unknown. */
export function readTotals(text: string): readonly (number | null)[] {
  return readList(text, isList<number | null>)
}

/** What was in a block's calls, in the order of CATEGORIES, and their answers: from the column `callsJson`. Tokens. */
export function readParts(
  text: string,
): { readonly tokens: readonly number[]; readonly output: Tokens | null }[] {
  return readPackedBlock<Kind, Row>(text, 'calls').rows.map((row) => ({ tokens: row[9], output: row[5] }))
}

/** The windows that a block's calls were sent into: the column `windowsJson`. Tokens. */
export function readWindows(text: string): readonly number[] {
  return readList(text, isList<number>)
}

function readList<T>(text: string, isOurs: (value: unknown) => value is T[]): readonly T[] {
  const list: unknown = JSON.parse(text)
  if (!isOurs(list)) throw new RowShapeError('A block of calls in the database is no block')
  return list
}

/** Written by us (`packCalls`). */
function isList<T>(value: unknown): value is T[] {
  return Array.isArray(value)
}

/** Takes the last call of a session out of its block, to be written anew. @param n its number */
export function takeBackCall(connection: Connection, sessionRow: number, n: number): void {
  const answer = connection.run(
    'SELECT "firstN", "totalsJson", "windowsJson", "callsJson" FROM "CallBlock" WHERE "sessionRow" = ? AND "firstN" <= ? ORDER BY "firstN" DESC LIMIT 1',
    [sessionRow, n],
  )
  connection.run('DELETE FROM "FailedCall" WHERE "sessionRow" = ? AND "n" >= ?', [sessionRow, n])
  const [block] = rowsOf(BLOCK, answer)
  if (block === undefined) return
  const { firstN } = block
  connection.run('DELETE FROM "CallBlock" WHERE "sessionRow" = ? AND "firstN" >= ?', [sessionRow, firstN])
  const count = n - firstN
  if (count <= 0) return
  const { kinds, rows } = readPackedBlock<Kind, Row>(block.callsJson, 'calls')
  connection.run(
    'INSERT INTO "CallBlock" ("sessionRow", "firstN", "count", "totalsJson", "windowsJson", "callsJson") VALUES (?, ?, ?, ?, ?, ?)',
    [
      sessionRow,
      firstN,
      count,
      JSON.stringify(readTotals(block.totalsJson).slice(0, count)),
      JSON.stringify(readWindows(block.windowsJson).slice(0, count)),
      JSON.stringify({ kinds, rows: rows.slice(0, count) }),
    ],
  )
}

/** All calls of a session in order (0.05 s for 20,000 calls). */
export function readCallBlocks(connection: Connection, sessionRow: number): CallRecord[] {
  const answer = connection.run(
    'SELECT "firstN", "totalsJson", "windowsJson", "callsJson" FROM "CallBlock" WHERE "sessionRow" = ? ORDER BY "firstN"',
    [sessionRow],
  )
  const records = rowsOf(BLOCK, answer).flatMap(({ firstN, totalsJson, windowsJson, callsJson }) => {
    const totals = readTotals(totalsJson)
    const windows = readWindows(windowsJson)
    const { kinds, rows: calls } = readPackedBlock<Kind, Row>(callsJson, 'calls')
    return calls.map((call, i) =>
      unpackCall(firstN + i, totals[i] ?? null, windows[i] ?? 0, call, kinds[call[0]] ?? NO_KIND),
    )
  })
  return records.some(({ seenTokens }) => seenTokens !== null) ? withCuts(records) : records
}

/** That a call was cut may have come out only after its block was written. */
function withCuts(records: readonly CallRecord[]): CallRecord[] {
  const frames = records.map(frameOfCall)
  const marked = markCuts(frames)
  return records.map((record, i) => {
    const frame = marked[i]
    if (frame === undefined || frame === frames[i]) return record
    const { total, window, seenTokens, categories } = frame
    return {
      ...record,
      total: total.value === null ? null : Math.round(total.value),
      basis: total.basis,
      errorPct: total.basis === 'estimated' ? total.errorPct : null,
      window: window.tokens,
      windowSource: window.source,
      believed: window.believed ?? null,
      seenTokens,
      sent: null,
      sentErrorPct: null,
      tokens: inOrder(categories),
    }
  })
}

function unpackCall(n: number, total: number | null, window: number, row: Row, kind: Kind): CallRecord {
  const [
    ,
    seq,
    at,
    errorPct,
    splitErrorPct,
    output,
    cacheRead,
    cacheWrite,
    costUsd,
    tokens,
    doubt,
    listUsd = null,
    isOwnPrice,
  ] = row
  const [seenTokens, sent, sentErrorPct] = doubt ?? [null, null, null]
  const [provider, model, windowSource, basis, bases, stopReason, believed] = kind
  return {
    n,
    total,
    window,
    seq,
    at,
    provider,
    model,
    windowSource,
    believed: believed === undefined ? null : { tokens: believed[0], source: believed[1] },
    basis,
    errorPct,
    splitErrorPct,
    bases,
    output,
    cacheRead,
    cacheWrite,
    costUsd,
    listUsd,
    listFrom: listUsd === null ? null : isOwnPrice === 1 ? 'settings' : 'list',
    stopReason,
    seenTokens,
    sent,
    sentErrorPct,
    tokens,
  }
}

/** The frame that a record was made from. */
export function frameOfCall(record: CallRecord): Frame {
  const categories: { [C in Category]?: number } = {}
  const basis: { [C in Category]?: Basis } = {}
  CATEGORIES.forEach((category, i) => {
    const known = BASES[record.bases[i] ?? '-']
    if (known === undefined) return
    categories[category] = record.tokens[i] ?? 0
    basis[category] = known
  })
  return {
    call: record.n,
    seq: record.seq,
    at: record.at,
    provider: record.provider,
    model: record.model,
    window: {
      tokens: record.window,
      source: record.windowSource,
      ...(record.believed === null ? {} : { believed: record.believed }),
    },
    total: figureOf(record.total, record.basis, record.errorPct),
    categories,
    basis,
    errorPct: record.splitErrorPct,
    output: record.output === null ? UNKNOWN : measured(record.output),
    cacheRead: record.cacheRead,
    cacheWrite: record.cacheWrite,
    stopReason: record.stopReason,
    seenTokens: record.seenTokens,
    sent:
      record.sent === null
        ? null
        : figureOf(record.sent, record.sentErrorPct === null ? 'measured' : 'estimated', record.sentErrorPct),
  }
}

/** A figure from its three columns. */
function figureOf(value: number | null, basis: string, errorPct: number | null): Figure {
  if (value === null || basis === 'unknown') return UNKNOWN
  return basis === 'measured' ? measured(value) : { value, basis: 'estimated', errorPct: errorPct ?? 0 }
}
