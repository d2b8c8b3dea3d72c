import { ENTRY_CATEGORIES, ENTRY_PLACES, type EntryCategory, type EntryUnits } from '../core/tokens/category'
import type { EntryFact, ToolCallRef, Usage } from '../core/transcript/entry'
import type { Bytes } from '../core/units/units'
import { type PackedBlock, readPackedBlock } from './packed-block'

/** What the entries of a block often have in common; null: absent. */
type Kind = [
  type: EntryFact['type'],
  role: string | null,
  toolName: string | null,
  provider: string | null,
  model: string | null,
  api: string | null,
  stopReason: string | null,
]

/** 0 means absent, where nothing else is said. */
type Row = [
  kind: number,
  bytes: Bytes,
  id: string | null,
  /** Milliseconds since the entry before that has a time (the first one: since the epoch). */
  at: number | null,
  preview: string | 0,
  /** Units times 16, plus the place of their category in ENTRY_CATEGORIES; a list unless there is one category. */
  units: number | number[],
  /** The call that is answered, or the calls that are made: id and name in turn. */
  calls: string | string[] | 0,
  usage: (number | null)[] | null | 0,
  rest?: Partial<EntryFact>,
]

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Of an entry whose kind is not in its block, as no block of ours has it. */
const NO_KIND: Kind = ['unknown', null, null, null, null, null, null]

const CATEGORY_ROOM = 16
const MOST_UNITS = Math.floor(Number.MAX_SAFE_INTEGER / CATEGORY_ROOM) - 1

/**
 * Facts of consecutive entries as one text of JSON: half the size of the facts themselves and half the work, which is
 * what most of an import's writing consists of. What follows from the entry before is left out.
 */
export function packFacts(facts: readonly EntryFact[]): string {
  const kinds: Kind[] = []
  const rows: Row[] = []
  let lastAt = 0
  let previous: EntryFact | null = null
  for (const fact of facts) {
    const isPlainTime = fact.at === null || Number.isSafeInteger(fact.at)
    const at = fact.at === null || !isPlainTime ? null : fact.at - lastAt
    const units = packUnits(fact.units)
    const row: Row = [
      kindOf(fact, kinds),
      fact.bytes,
      fact.id,
      at,
      fact.preview ?? 0,
      units ?? 0,
      fact.resultFor ?? packCalls(fact.calls),
      packUsage(fact.usage),
    ]
    const rest = restOf(fact, previous, isPlainTime, units === null)
    if (rest !== null) row.push(rest)
    rows.push(row)
    if (at !== null) lastAt += at
    previous = fact
  }
  const packed: PackedBlock<Kind, Row> = { kinds, rows }
  return JSON.stringify(packed)
}

/** @param firstSeq of the first of them */
export function unpackFacts(text: string, firstSeq: number): EntryFact[] {
  const { kinds, rows } = readPackedBlock<Kind, Row>(text, 'entries')
  const facts: EntryFact[] = []
  let lastAt = 0
  let previous: EntryFact | null = null
  for (const [kind, bytes, id, at, preview, units, calls, usage, rest] of rows) {
    const [type, role, toolName, provider, model, api, stopReason] = kinds[kind] ?? NO_KIND
    if (at !== null) lastAt += at
    const seq = firstSeq + facts.length
    const fact: Mutable<EntryFact> = {
      seq,
      line: lineAfter(previous, seq),
      offset: offsetAfter(previous),
      bytes,
      type,
      id,
      parentId: previous === null ? null : previous.id,
      at: at === null ? null : lastAt,
    }
    if (role !== null) fact.role = role
    if (toolName !== null) fact.toolName = toolName
    if (provider !== null) fact.provider = provider
    if (model !== null) fact.model = model
    if (api !== null) fact.api = api
    if (stopReason !== null) fact.stopReason = stopReason
    if (preview !== 0) fact.preview = preview
    if (units !== 0) fact.units = unpackUnits(units)
    if (typeof calls === 'string') fact.resultFor = calls
    else if (calls !== 0) fact.calls = unpackCalls(calls)
    if (usage !== 0) fact.usage = unpackUsage(usage)
    if (rest !== undefined) Object.assign(fact, rest)
    facts.push(fact)
    previous = fact
  }
  return facts
}

function lineAfter(previous: EntryFact | null, seq: number): number {
  return previous === null ? seq + 1 : previous.line + 1
}

function offsetAfter(previous: EntryFact | null): number {
  return previous === null ? 0 : previous.offset + previous.bytes + 1
}

/** The place among `kinds` of what this entry shares with others; added when it is new. */
function kindOf(fact: EntryFact, kinds: Kind[]): number {
  const {
    type,
    role = null,
    toolName = null,
    provider = null,
    model = null,
    api = null,
    stopReason = null,
  } = fact
  for (let i = 0; i < kinds.length; i++) {
    const kind = kinds[i] as Kind
    const isSame =
      kind[1] === role &&
      kind[2] === toolName &&
      kind[6] === stopReason &&
      kind[0] === type &&
      kind[3] === provider &&
      kind[4] === model &&
      kind[5] === api
    if (isSame) return i
  }
  return kinds.push([type, role, toolName, provider, model, api, stopReason]) - 1
}

/** 0 when there are none; null when they cannot be packed. */
function packUnits(units: EntryUnits | undefined): number | number[] | null {
  if (units === undefined) return 0
  let only = 0
  let list: number[] | null = null
  for (const category in units) {
    const amount = units[category as EntryCategory]
    if (amount === undefined) continue
    if (!Number.isInteger(amount) || amount <= 0 || amount > MOST_UNITS) return null
    const packed = amount * CATEGORY_ROOM + ENTRY_PLACES[category as EntryCategory]
    if (list !== null) list.push(packed)
    else if (only === 0) only = packed
    else list = [only, packed]
  }
  return list ?? (only === 0 ? [] : only)
}

function unpackUnits(packed: number | number[]): EntryUnits {
  const units: { [C in EntryCategory]?: number } = {}
  for (const value of typeof packed === 'number' ? [packed] : packed) {
    const category = ENTRY_CATEGORIES[value % CATEGORY_ROOM]
    if (category !== undefined) units[category] = Math.floor(value / CATEGORY_ROOM)
  }
  return units
}

function packCalls(calls: readonly ToolCallRef[] | undefined): string[] | 0 {
  if (calls === undefined) return 0
  const list: string[] = []
  for (const { id, name } of calls) list.push(id, name)
  return list
}

function unpackCalls(list: readonly string[]): ToolCallRef[] {
  const calls: ToolCallRef[] = []
  for (let i = 0; i < list.length; i += 2) calls.push({ id: list[i] ?? '', name: list[i + 1] ?? '' })
  return calls
}

function packUsage(usage: Usage | null | undefined): (number | null)[] | null | 0 {
  if (usage == null) return usage === undefined ? 0 : null
  const { input, output, cacheRead, cacheWrite, costUsd, cacheWrite1h, outputUnsure } = usage
  const list = [input, output, cacheRead, cacheWrite, costUsd]
  if (outputUnsure) return [...list, cacheWrite1h ?? null, 1]
  return cacheWrite1h === undefined ? list : [...list, cacheWrite1h]
}

function unpackUsage(list: readonly (number | null)[] | null): Usage | null {
  if (list === null) return null
  const [input, output, cacheRead, cacheWrite, costUsd, cacheWrite1h, unsure] = list
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: cacheRead ?? 0,
    cacheWrite: cacheWrite ?? 0,
    ...(cacheWrite1h == null ? {} : { cacheWrite1h }),
    costUsd: costUsd ?? null,
    ...(unsure == null ? {} : { outputUnsure: true as const }),
  }
}

/** What few entries have, or have otherwise than follows from the one before; null when there is nothing. */
function restOf(
  fact: EntryFact,
  previous: EntryFact | null,
  isPlainTime: boolean,
  withUnits: boolean,
): Partial<EntryFact> | null {
  let rest: Mutable<Partial<EntryFact>> | null = null
  const { line, offset, parentId } = fact
  if (line !== lineAfter(previous, fact.seq)) rest = { line }
  if (offset !== offsetAfter(previous)) rest = { ...rest, offset }
  if (parentId !== (previous === null ? null : previous.id)) rest = { ...rest, parentId }
  if (!isPlainTime) rest = { ...rest, at: fact.at }
  if (withUnits) rest = { ...rest, units: fact.units }
  // Both a result and calls: no runtime writes that.
  if (fact.resultFor !== undefined && fact.calls !== undefined) rest = { ...rest, calls: fact.calls }
  return hasRare(fact) ? { ...rest, ...rareOf(fact) } : rest
}

function hasRare(fact: EntryFact): boolean {
  return (
    fact.rawType !== undefined ||
    fact.side !== undefined ||
    fact.images !== undefined ||
    fact.isError !== undefined ||
    fact.errorMessage !== undefined ||
    fact.requestId !== undefined ||
    fact.again !== undefined ||
    fact.copied !== undefined ||
    fact.firstKeptEntryId !== undefined ||
    fact.firstKeptIndex !== undefined ||
    fact.tokensBefore !== undefined ||
    fact.tokensAfter !== undefined ||
    fact.fromHook !== undefined ||
    fact.targetId !== undefined ||
    fact.customType !== undefined ||
    fact.excluded !== undefined ||
    fact.transcriptOnly !== undefined ||
    fact.silent !== undefined ||
    fact.blank !== undefined ||
    fact.checkpoint !== undefined ||
    fact.problem !== undefined ||
    fact.header !== undefined ||
    fact.piece !== undefined ||
    fact.bare !== undefined ||
    fact.keptUpTo !== undefined ||
    fact.keptAfter !== undefined ||
    fact.clientWritten !== undefined ||
    fact.fixed !== undefined ||
    fact.window !== undefined ||
    fact.billed !== undefined
  )
}

function rareOf(fact: EntryFact): Partial<EntryFact> {
  const {
    seq: _seq,
    line: _line,
    offset: _offset,
    bytes: _bytes,
    type: _type,
    id: _id,
    parentId: _parentId,
    at: _at,
    role: _role,
    toolName: _toolName,
    provider: _provider,
    model: _model,
    api: _api,
    stopReason: _stopReason,
    preview: _preview,
    units: _units,
    resultFor: _resultFor,
    calls: _calls,
    usage: _usage,
    marks: _marks,
    ...rare
  } = fact
  return rare
}
