import type { EntryUnits } from '../../tokens/category'
import { estimateUnits, type TextEstimator } from '../../tokens/estimate'
import { ENTRY_TYPES, type EntryFact, type EntryType, type Usage } from '../entry'
import { isObject, type JsonObject, numberOf, stringOf } from '../json'
import { emptyFact, type LinePlace, type OpenFact } from './empty-fact'
import { textsIn } from './entry-texts'
import { type LongTexts, MisplacedText } from './long-texts'
import { parseResult } from './parse-result'
import { timeOf } from './parse-time'
import type { Beginning } from './read-beginning'
import { previewOf, type TextReading } from './read-content'
import { type ContentReading, readBoundary, readCustomMessage, readMessage } from './read-message'
import { readUsage } from './read-usage'
import { saidOf, type TranslatedEntry } from './translated'

/** A line, read: what we keep of it, and bounded text for the search index ('' when there is none). */
export type ReadLine = { readonly fact: EntryFact; readonly searchText: string }

const KNOWN_TYPES: ReadonlySet<string> = new Set(
  ENTRY_TYPES.filter((t) => t !== 'unknown' && t !== 'unreadable'),
)

/**
 * Reads one transcript line of pi or OpenClaw, any version. Never throws: what is not a JSON object becomes an entry
 * of type `unreadable` with the reason, what is of an unknown type is kept as `unknown`.
 * Entries without an id (version 1) get `#<seq>`.
 */
export function readLine(
  text: string,
  place: LinePlace,
  estimate: TextEstimator = estimateUnits,
  { weigh, texts, marks }: Pick<TextReading, 'weigh' | 'texts' | 'marks'> = {},
): ReadLine {
  return readParsed(text, place, { estimate, longTexts: null, weigh, texts, marks })
}

/**
 * The same for a line whose long texts were taken out: `text` has stand-ins in their place. Null when the line must be
 * read with all of its texts, because it is not an object or one of them is needed itself.
 */
export function readSkeleton(
  text: string,
  place: LinePlace,
  reading: TextReading & { readonly longTexts: LongTexts },
): ReadLine | null {
  try {
    const value = parse(text, reading)
    return isObject(value) ? readEntry(value, place, reading) : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof MisplacedText) return null
    throw error
  }
}

/**
 * The same without looking at the content: no units, calls, preview or text. Enough for the tree and for counting, at
 * little more than the price of parsing.
 */
export function readOutline(text: string, place: LinePlace): ReadLine {
  return readParsed(text, place, null)
}

/**
 * The facts of an entry that was made of another runtime's line.
 * @param reading null: without looking at the content
 */
export function readTranslated(
  entry: TranslatedEntry,
  place: LinePlace & Pick<EntryFact, 'piece'>,
  reading: TextReading | null,
): ReadLine {
  const read = readEntry(entry, place, reading)
  const fact: OpenFact = read.fact
  const said = saidOf(entry)
  const { fixed, sentAlong } = said
  fact.piece = place.piece
  fact.clientWritten = said.clientWritten
  fact.bare = said.bare
  fact.asked = said.asked
  fact.cwd = said.cwd
  fact.keptUpTo = said.keptUpTo
  fact.keptAfter = said.keptAfter
  fact.window = said.window
  fact.billed = said.billed
  if (said.transcriptOnly) fact.transcriptOnly = true
  if (fact.header !== undefined) fact.header = { ...fact.header, joins: said.joins, agentOf: said.agentOf }
  if (fact.usage != null && (said.outputUnsure || isPlaceholder(fact.usage, fact.units)))
    fact.usage = { ...fact.usage, outputUnsure: true }
  if (sentAlong !== undefined && reading !== null)
    fact.units = { ...fact.units, other: (fact.units?.other ?? 0) + reading.estimate(sentAlong) }
  if (fixed !== undefined && reading !== null)
    fact.fixed = { system: reading.estimate(fixed.system), tools: reading.estimate(fixed.tools) }
  return read
}

/** An answer of so many units whose output is less than this share of them: a figure from when it had only begun. */
const PLACEHOLDER = { units: 30, share: 0.5 }

function isPlaceholder({ output }: Usage, units: EntryUnits | undefined): boolean {
  const visible = (units?.assistant ?? 0) + (units?.['tool-call'] ?? 0)
  return visible >= PLACEHOLDER.units && output < visible * PLACEHOLDER.share
}

/** Weighing an entry needs all of it. */
function parse(text: string, reading: ContentReading): unknown {
  const quick = reading?.weigh === undefined ? parseResult(text) : null
  return quick ?? JSON.parse(text)
}

function readParsed(text: string, place: LinePlace, reading: ContentReading): ReadLine {
  let value: unknown
  try {
    value = parse(text, reading)
  } catch (error) {
    return unreadable(place, error instanceof Error ? error.message : 'not JSON', text)
  }
  if (!isObject(value)) return unreadable(place, `not a JSON object but ${describe(value)}`, text)
  return readEntry(value, place, reading)
}

/**
 * An entry for bytes that cannot be read as a transcript line, e.g. because the line is longer than the limit.
 * @param beginning what gives it its place in the tree all the same
 */
export function unreadable(
  place: LinePlace,
  problem: string,
  text = '',
  beginning: Beginning | null = null,
): ReadLine {
  const { id = null, parentId = null, timestamp, role } = beginning ?? {}
  const fact = emptyFact(place, 'unreadable', id, parentId, timeOf(timestamp))
  fact.role = role
  fact.problem = problem
  fact.preview = previewOf(text)
  return { fact, searchText: '' }
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}

function readEntry(raw: JsonObject, place: LinePlace, reading: ContentReading): ReadLine {
  const written = stringOf(raw.type)
  const kind = (written !== undefined && KNOWN_TYPES.has(written) ? written : 'unknown') as EntryType
  const id = kind === 'session' ? null : (stringOf(raw.id) ?? `#${place.seq}`)
  const fact = emptyFact(place, kind, id, stringOf(raw.parentId) ?? null, timeOf(raw.timestamp))
  if (raw.appendMode === 'side') fact.side = true
  let searchText = ''
  switch (kind) {
    case 'session':
      readHeader(raw, fact)
      break
    case 'message':
      searchText = readMessage(raw, fact, reading)
      break
    case 'custom_message':
      searchText = readCustomMessage(raw, fact, reading)
      break
    case 'compaction':
    case 'reset':
    case 'branch_summary':
      searchText = readBoundary(raw, fact, reading)
      break
    case 'model_change':
      fact.provider = stringOf(raw.provider)
      fact.model = stringOf(raw.modelId) ?? stringOf(raw.model)
      fact.preview = [fact.provider, fact.model].filter(Boolean).join('/')
      break
    case 'thinking_level_change':
      fact.preview = stringOf(raw.thinkingLevel)
      break
    case 'custom':
      fact.customType = stringOf(raw.customType)
      fact.preview = fact.customType
      break
    case 'label':
      fact.targetId = stringOf(raw.targetId) ?? null
      fact.preview = stringOf(raw.label)
      break
    case 'leaf':
      fact.targetId = stringOf(raw.targetId) ?? null
      break
    case 'usage':
      fact.usage = readUsage(raw.usage)
      fact.requestId = stringOf(raw.responseId)
      fact.model = stringOf(raw.model)
      break
    case 'session_info':
      fact.preview = stringOf(raw.name)
      searchText = fact.preview ?? ''
      break
    case 'unknown':
      fact.rawType = written ?? '(none)'
      break
    case 'unreadable':
      break
    default:
      kind satisfies never
  }
  const weight = reading?.weigh?.(raw, textsIn(reading.longTexts))
  if (weight !== undefined) {
    fact.size = weight.size
    if (weight.important) fact.important = true
  }
  return { fact, searchText }
}

function readHeader(raw: JsonObject, fact: OpenFact): void {
  fact.header = {
    version: numberOf(raw.version) ?? 1,
    sessionId: stringOf(raw.id) ?? '',
    cwd: stringOf(raw.cwd),
    parentSession: stringOf(raw.parentSession),
  }
  // Version 1 names the model in the header instead of a model_change entry.
  fact.provider = stringOf(raw.provider)
  fact.model = stringOf(raw.modelId)
  if (stringOf(raw.id) === undefined) fact.problem = 'the header has no session id'
}
