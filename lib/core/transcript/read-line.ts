import type { EntryCategory } from '../tokens/category'
import { estimateUnits, type TextEstimator } from '../tokens/estimate'
import { resultIdOf } from './blocks'
import { ENTRY_TYPES, type EntryFact, type EntryType } from './entry'
import { isObject, type JsonObject, numberOf, stringOf } from './json'
import { type LongTexts, longTextNumber, MisplacedText } from './long-texts'
import { RULE_CHARS, ruleMarks } from './marks/rule-marks'
import { SUMMARY_CHARS, summaryMark } from './marks/summary-marks'
import { parseResult } from './parse-result'
import { parseTime } from './parse-time'
import type { Beginning } from './read-beginning'
import { readCheckpoint } from './read-checkpoint'
import {
  type ContentFacts,
  type EntryTexts,
  previewOf,
  readContent,
  readPlainText,
  type TextReading,
} from './read-content'
import { readUsage } from './read-usage'
import { SEARCH_CHARS, searchChars } from './search-text'
import { saidOf, type TranslatedEntry } from './translated'

/** Where a line is in its source. Bytes; see `EntryFact`. */
export type LinePlace = Pick<EntryFact, 'seq' | 'line' | 'offset' | 'bytes'>

/** A line, read: what we keep of it, and bounded text for the search index ('' when there is none). */
export type ReadLine = { readonly fact: EntryFact; readonly searchText: string }

/** How content is examined; null: not at all. */
type ContentReading = TextReading | null

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const KNOWN_TYPES: ReadonlySet<string> = new Set(
  ENTRY_TYPES.filter((t) => t !== 'unknown' && t !== 'unreadable'),
)

/** Assistant rows that OpenClaw writes for the reader; no model was asked for them and none is shown them. */
const TRANSCRIPT_ONLY_MODELS = new Set(['delivery-mirror', 'gateway-injected'])

/** The reply with which an agent says that it has nothing to say (lib/docs/openclaw.md#memory-flush). */
const SILENT_TOKEN = 'NO_REPLY'

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
  const fact: Mutable<EntryFact> = read.fact
  if (place.piece !== undefined) fact.piece = place.piece
  const said = saidOf(entry)
  const { outputUnsure, asked, keptUpTo, keptAfter, fixed, window, billed, sentAlong, agentOf } = said
  if (said.clientWritten) fact.clientWritten = true
  if (said.transcriptOnly) fact.transcriptOnly = true
  if (said.joins && fact.header !== undefined) fact.header = { ...fact.header, joins: true }
  if (fact.usage != null && (outputUnsure || isPlaceholder(fact)))
    fact.usage = { ...fact.usage, outputUnsure: true }
  if (agentOf !== undefined && fact.header !== undefined) fact.header = { ...fact.header, agentOf }
  if (said.cwd !== undefined) fact.cwd = said.cwd
  if (said.bare) fact.bare = true
  if (asked) fact.asked = true
  if (keptUpTo !== undefined) fact.keptUpTo = keptUpTo
  if (keptAfter !== undefined) fact.keptAfter = keptAfter
  if (window !== undefined) fact.window = window
  if (billed !== undefined) fact.billed = billed
  if (sentAlong !== undefined && reading !== null)
    fact.units = { ...fact.units, other: (fact.units?.other ?? 0) + reading.estimate(sentAlong) }
  if (fixed !== undefined && reading !== null)
    fact.fixed = { system: reading.estimate(fixed.system), tools: reading.estimate(fixed.tools) }
  return read
}

/** An answer of so many units whose output is less than this share of them: a figure from when it had only begun. */
const PLACEHOLDER = { units: 30, share: 0.5 }

function isPlaceholder({ role, usage, units }: EntryFact): boolean {
  const visible = (units?.assistant ?? 0) + (units?.['tool-call'] ?? 0)
  const output = usage?.output ?? 0
  return role === 'assistant' && visible >= PLACEHOLDER.units && output < visible * PLACEHOLDER.share
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

const PLAIN_TEXTS: EntryTexts = { lengthOf: ({ length }) => length, whole: (text) => text }

/** Texts as they are, or those that they replace. */
function textsIn(longTexts: LongTexts | null): EntryTexts {
  if (longTexts === null) return PLAIN_TEXTS
  return {
    lengthOf: (text) => {
      const index = longTextNumber(text)
      return index < 0 ? text.length : longTexts.length(index)
    },
    whole: (text) => {
      const index = longTextNumber(text)
      return index < 0 ? text : longTexts.head(index, longTexts.length(index))
    },
  }
}

/**
 * An entry with room for everything that may be found out about it: objects of one shape are filled, walked over and
 * written out much faster than such of many.
 */
function emptyFact(
  { seq, line, offset, bytes }: LinePlace,
  type: EntryType,
  id: string | null,
  parentId: string | null,
  at: number | null,
): Mutable<EntryFact> {
  return {
    seq,
    line,
    offset,
    bytes,
    type,
    id,
    parentId,
    at,
    role: undefined,
    units: undefined,
    preview: undefined,
    resultFor: undefined,
    marks: undefined,
    calls: undefined,
    toolName: undefined,
    provider: undefined,
    model: undefined,
    api: undefined,
    stopReason: undefined,
    usage: undefined,
    requestId: undefined,
    again: undefined,
    errorMessage: undefined,
    isError: undefined,
    images: undefined,
    size: undefined,
    important: undefined,
    side: undefined,
    silent: undefined,
    blank: undefined,
    checkpoint: undefined,
    transcriptOnly: undefined,
    excluded: undefined,
    customType: undefined,
    rawType: undefined,
    problem: undefined,
    header: undefined,
    targetId: undefined,
    firstKeptEntryId: undefined,
    firstKeptIndex: undefined,
    tokensBefore: undefined,
    tokensAfter: undefined,
    fromHook: undefined,
    ours: undefined,
    piece: undefined,
    bare: undefined,
    asked: undefined,
    keptUpTo: undefined,
    keptAfter: undefined,
    clientWritten: undefined,
    fixed: undefined,
    cwd: undefined,
    window: undefined,
    billed: undefined,
  }
}

function readHeader(raw: JsonObject, fact: Mutable<EntryFact>): void {
  fact.header = {
    version: numberOf(raw.version) ?? 1,
    sessionId: stringOf(raw.id) ?? '',
    ...(stringOf(raw.cwd) === undefined ? {} : { cwd: stringOf(raw.cwd) }),
    ...(stringOf(raw.parentSession) === undefined ? {} : { parentSession: stringOf(raw.parentSession) }),
  }
  // Version 1 names the model in the header instead of a model_change entry.
  fact.provider = stringOf(raw.provider)
  fact.model = stringOf(raw.modelId)
  if (stringOf(raw.id) === undefined) fact.problem = 'the header has no session id'
}

function readMessage(raw: JsonObject, fact: Mutable<EntryFact>, reading: ContentReading): string {
  const message = raw.message
  if (!isObject(message)) {
    fact.problem = 'the message is missing'
    return ''
  }
  // Version 2 calls the role of extension messages hookMessage.
  const role = message.role === 'hookMessage' ? 'custom' : stringOf(message.role)
  if (role === undefined) fact.problem = 'the message has no role'
  fact.role = role ?? ''
  fact.at ??= timeOf(message.timestamp)
  if (role === 'bashExecution') return readShell(message, fact, reading)
  const most = searchChars(role, message.isError === true)
  const category = saidOf(raw).category ?? categoryOf(role, message)
  const content = reading === null ? null : readContent(message.content, category, reading, most)
  take(fact, content)
  if (reading !== null && (category === 'user' || category === 'summary'))
    markTexts(fact, category, message.content, reading)
  if (role === 'assistant') {
    readAssistant(message, fact, content)
    fact.checkpoint = readCheckpoint(message, textsIn(reading?.longTexts ?? null), reading)
    if (fact.checkpoint?.kind === 'broken')
      fact.problem = `the provider's checkpoint cannot be read: ${fact.checkpoint.problem}`
  } else if (message.providerReplay !== undefined) {
    fact.problem = `a provider's checkpoint on a message of role ${role ?? '(none)'} is not used`
  }
  if (role === 'toolResult') {
    fact.resultFor = resultIdOf(message)
    fact.toolName = stringOf(message.toolName)
    if (message.isError === true) fact.isError = true
  }
  if (role === 'custom') fact.customType = stringOf(message.customType)
  return content?.searchText ?? ''
}

function categoryOf(role: string | undefined, message: JsonObject): EntryCategory {
  switch (role) {
    case 'user':
      return 'user'
    case 'assistant':
      return 'assistant'
    case 'toolResult':
      return 'tool-result'
    case 'branchSummary':
    case 'compactionSummary':
      return 'summary'
    default:
      return recalledOrOther(message.customType)
  }
}

/** Context that an extension injects: recalled memory has another type than the rest. */
function recalledOrOther(customType: unknown): EntryCategory {
  return typeof customType === 'string' && /memor|recall|knowledge/i.test(customType) ? 'recalled' : 'other'
}

function readAssistant(message: JsonObject, fact: Mutable<EntryFact>, content: ContentFacts | null): void {
  fact.provider = stringOf(message.provider)
  fact.model = stringOf(message.model)
  fact.api = stringOf(message.api)
  fact.stopReason = stringOf(message.stopReason)
  fact.errorMessage = stringOf(message.errorMessage)
  fact.requestId = stringOf(message.responseId)
  fact.usage = readUsage(message.usage)
  if (fact.provider === 'openclaw' && TRANSCRIPT_ONLY_MODELS.has(fact.model ?? '')) fact.transcriptOnly = true
  if (content === null) return
  if (content.calls.length > 0) fact.calls = content.calls
  if (content.fetches.length > 0) fact.marks = { fetches: content.fetches }
  if (content.calls.length === 0 && content.searchText.trim() === SILENT_TOKEN) fact.silent = true
  if (content.blank) fact.blank = true
}

function readShell(message: JsonObject, fact: Mutable<EntryFact>, reading: ContentReading): string {
  const command = stringOf(message.command) ?? ''
  const exitCode = numberOf(message.exitCode)
  const failed = exitCode !== undefined && exitCode !== 0
  const content =
    reading === null
      ? null
      : readPlainText(
          `Ran \`${command}\`\n${stringOf(message.output) ?? ''}`,
          'tool-result',
          reading,
          searchChars('bashExecution', failed),
        )
  take(fact, content)
  fact.toolName = 'bash'
  if (message.excludeFromContext === true) fact.excluded = true
  if (failed) fact.isError = true
  return content?.searchText ?? ''
}

function readCustomMessage(raw: JsonObject, fact: Mutable<EntryFact>, reading: ContentReading): string {
  fact.role = 'custom'
  fact.customType = stringOf(raw.customType)
  if (reading === null) return ''
  const category = saidOf(raw).category ?? recalledOrOther(raw.customType)
  const content = readContent(raw.content, category, reading, SEARCH_CHARS)
  take(fact, content)
  if (category === 'summary') markTexts(fact, category, raw.content, reading)
  return content.searchText
}

/** Rules that the user sets, and what a summary says. */
function markTexts(
  fact: Mutable<EntryFact>,
  category: 'user' | 'summary',
  content: unknown,
  { longTexts, marks }: TextReading,
): void {
  if (!marks) return
  const most = category === 'user' ? RULE_CHARS : SUMMARY_CHARS
  const begin = (text: string) => {
    const index = longTexts === null ? -1 : longTextNumber(text)
    return longTexts === null || index < 0 ? text.slice(0, most) : longTexts.head(index, most)
  }
  const texts: string[] = []
  for (const block of Array.isArray(content) ? content : [content]) {
    if (typeof block === 'string') texts.push(begin(block))
    else if (isObject(block) && typeof block.text === 'string') texts.push(begin(block.text))
  }
  if (category === 'summary') fact.marks = { summary: summaryMark(texts.join('\n')) }
  else {
    const [text = ''] = texts
    const rules = texts.length > 1 ? texts.flatMap(ruleMarks) : ruleMarks(text)
    if (rules.length > 0) fact.marks = { rules }
  }
}

function readBoundary(raw: JsonObject, fact: Mutable<EntryFact>, reading: ContentReading): string {
  fact.firstKeptEntryId = stringOf(raw.firstKeptEntryId)
  fact.firstKeptIndex = numberOf(raw.firstKeptEntryIndex)
  // A context of nothing is never compacted: 0 where the client did not know.
  fact.tokensBefore = numberOf(raw.tokensBefore) || undefined
  fact.tokensAfter = numberOf(raw.tokensAfter)
  if (raw.fromHook === true) fact.fromHook = true
  if (isObject(raw.details) && raw.details.by === 'plimsoll') fact.ours = true
  if (fact.type === 'branch_summary') fact.targetId = stringOf(raw.fromId) ?? null
  if (fact.type === 'reset') {
    fact.preview = stringOf(raw.reason)
    return ''
  }
  fact.role = fact.type === 'compaction' ? 'compactionSummary' : 'branchSummary'
  if (reading === null) return ''
  const content = readPlainText(stringOf(raw.summary) ?? '', 'summary', reading, SEARCH_CHARS)
  take(fact, content)
  if (fact.type === 'compaction' && typeof raw.summary === 'string')
    markTexts(fact, 'summary', raw.summary, reading)
  if (content.blank) fact.blank = true
  return content.searchText
}

function take(fact: Mutable<EntryFact>, content: ContentFacts | null): void {
  if (content === null) return
  fact.units = content.units
  if (content.images > 0) fact.images = content.images
  if (content.preview !== '') fact.preview = content.preview
}

/** The last moment that a date can name, before and after 1970. Milliseconds (ECMA-262, Time Values). */
const LAST_MOMENT = 8.64e15

/** Milliseconds of an ISO time or of a number of milliseconds; null when it is neither. */
function timeOf(value: unknown): number | null {
  if (typeof value === 'number') return Math.abs(value) <= LAST_MOMENT ? value : null
  if (typeof value !== 'string') return null
  const ms = parseTime(value)
  return Number.isNaN(ms) ? null : ms
}
