import type { EntryCategory, EntryUnits } from '../tokens/category'
import { IMAGE_UNITS, type TextEstimator } from '../tokens/estimate'
import type { ToolCallRef } from './entry'
import { isObject, type JsonObject, jsonText, stringOf } from './json'
import { type LongTexts, refuseStandIns, standIn } from './long-texts'

/** Block types under which runtimes and their ancestors write a tool call (openclaw.md §2.2, §6.2). */
const TOOL_CALL_TYPES = new Set([
  'toolCall',
  'toolUse',
  'functionCall',
  'tool_use',
  'tool_call',
  'function_call',
])

const MAX_PREVIEW_CHARS = 160

/** How texts are looked at: what sizes them, and those of them that were taken out of the line. */
export type TextReading = {
  readonly estimate: TextEstimator
  readonly longTexts: LongTexts | null
  /** Weighs whole entries; they have neither size nor mark, when it is left out. */
  readonly weigh?: WeighEntry
}

/** How long a text of an entry is, and the text itself: a parsed line may hold stand-ins for both. */
export type EntryTexts = { lengthOf(text: string): number; whole(text: string): string }

/** What plans need to know of an entry besides. */
export type WeighEntry = (
  entry: JsonObject,
  texts: EntryTexts,
) => { readonly size: number; readonly important: boolean }

/** What the content of one message amounts to. */
export type ContentFacts = {
  readonly units: EntryUnits
  readonly images: number
  readonly calls: readonly ToolCallRef[]
  /** First characters for lists, on one line. */
  readonly preview: string
  /** Bounded text for the search index. */
  readonly searchText: string
  /** All visible text is blank, and there is neither call nor image. */
  readonly blank: boolean
}

/** Collects units and text while walking over content blocks. */
class Tally {
  readonly units: { [C in EntryCategory]?: number } = {}
  readonly calls: ToolCallRef[] = []
  images = 0
  text = ''
  private readonly reading: TextReading
  /** UTF-16 units of text that are kept. */
  private readonly most: number

  constructor(reading: TextReading, most: number) {
    this.reading = reading
    this.most = most
  }

  addText(category: EntryCategory, text: string): void {
    if (text === '') return
    const { estimate, longTexts } = this.reading
    const index = longTexts === null ? -1 : standIn(text)
    if (longTexts === null || index < 0) {
      this.addUnits(category, estimate(text))
      this.note(text)
      return
    }
    this.addUnits(category, longTexts.units(index))
    const room = this.most - this.text.length
    if (room > 0) this.note(longTexts.head(index, room))
  }

  /** Adds what can only be measured as JSON. */
  addJson(category: EntryCategory, value: unknown): void {
    this.addText(category, this.jsonOf(value))
  }

  /** @throws MisplacedText when the value holds a text that was taken out */
  jsonOf(value: unknown): string {
    const json = jsonText(value)
    if (this.reading.longTexts !== null) refuseStandIns(json)
    return json
  }

  addUnits(category: EntryCategory, units: number): void {
    if (units > 0) this.units[category] = (this.units[category] ?? 0) + units
  }

  note(text: string): void {
    const room = this.most - this.text.length
    if (room <= 0) return
    this.text += (this.text === '' ? '' : '\n') + (text.length > room ? text.slice(0, room) : text)
  }

  /** Line ends between pieces may have come on top. */
  get searchText(): string {
    return this.text.length > this.most ? this.text.slice(0, this.most) : this.text
  }

  addImage(): void {
    this.images += 1
    this.addUnits('image', IMAGE_UNITS)
  }
}

/**
 * Reads message content in any of the shapes in use: a string, blocks, or an object (old tool results).
 * @param most UTF-16 units of text to keep for the search; see `searchChars`
 */
export function readContent(
  content: unknown,
  category: EntryCategory,
  reading: TextReading,
  most: number,
): ContentFacts {
  const tally = new Tally(reading, most)
  if (typeof content === 'string') tally.addText(category, content)
  else if (Array.isArray(content)) for (const block of content) readBlock(block, category, tally)
  else if (isObject(content)) tally.addJson(category, content)
  return finish(tally)
}

/** Reads plain text that stands outside of `content` (summaries, shell commands and their output). */
export function readText(
  text: string,
  category: EntryCategory,
  reading: TextReading,
  most: number,
): ContentFacts {
  const tally = new Tally(reading, most)
  tally.addText(category, text)
  return finish(tally)
}

function readBlock(block: unknown, category: EntryCategory, tally: Tally): void {
  if (typeof block === 'string') tally.addText(category, block)
  else if (isObject(block)) readTypedBlock(block, category, tally)
}

function readTypedBlock(block: JsonObject, category: EntryCategory, tally: Tally): void {
  const type = block.type
  if (type === 'text') tally.addText(category, stringOf(block.text) ?? '')
  else if (type === 'thinking' || type === 'redacted_thinking') {
    tally.addText('thinking', stringOf(block.thinking) ?? stringOf(block.data) ?? '')
  } else if (type === 'image') tally.addImage()
  else if (typeof type === 'string' && TOOL_CALL_TYPES.has(type)) readCall(block, tally)
  else tally.addJson('other', block)
}

function readCall(block: JsonObject, tally: Tally): void {
  const name = stringOf(block.name) ?? ''
  const input = block.arguments ?? block.input
  const text = typeof input === 'string' ? input : tally.jsonOf(input)
  tally.addText('tool-call', text === '' ? name : `${name} ${text}`)
  const id = stringOf(block.id) ?? stringOf(block.call_id) ?? stringOf(block.callId)
  if (id !== undefined) tally.calls.push({ id, name })
}

function finish(tally: Tally): ContentFacts {
  return {
    units: tally.units,
    images: tally.images,
    calls: tally.calls,
    preview: previewOf(tally.text),
    searchText: tally.searchText,
    blank: tally.images === 0 && tally.calls.length === 0 && tally.text.trim() === '',
  }
}

/** Three plain dots: with one wide character in it, all that a preview goes into would take twice the memory. */
const CUT = '...'

/** First characters of a text on one line. */
export function previewOf(text: string): string {
  const line = onOneLine(text, MAX_PREVIEW_CHARS * 2)
  return line.length > MAX_PREVIEW_CHARS ? line.slice(0, MAX_PREVIEW_CHARS - CUT.length) + CUT : line
}

/**
 * The first `limit` characters, or as many as a preview needs, with every run of white space made one space and none
 * at the ends. By hand: it is done for every entry of every transcript, and a regular expression takes twice as long.
 */
function onOneLine(text: string, limit: number): string {
  const end = Math.min(text.length, limit)
  let line = ''
  let from = 0
  let i = 0
  while (i < end && line.length <= MAX_PREVIEW_CHARS) {
    const code = text.charCodeAt(i)
    if (!isSpace(code)) {
      i += 1
      continue
    }
    const at = i
    do i += 1
    while (i < end && isSpace(text.charCodeAt(i)))
    const isPlain = code === 32 && i === at + 1 && at > from && i < end
    if (isPlain) continue
    if (at > from) line += (line === '' ? '' : ' ') + text.slice(from, at)
    from = i
  }
  if (end > from && line.length <= MAX_PREVIEW_CHARS) line += (line === '' ? '' : ' ') + text.slice(from, end)
  return line
}

function isSpace(code: number): boolean {
  if (code > 32 && code < 0xa0) return false
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
  return WIDE_SPACE.test(String.fromCharCode(code))
}

const WIDE_SPACE = /\s/
