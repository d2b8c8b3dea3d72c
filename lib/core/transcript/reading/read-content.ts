import type { EntryCategory, EntryUnits } from '../../tokens/category'
import { IMAGE_UNITS, type TextEstimator } from '../../tokens/estimate'
import {
  blockKind,
  callIdOf,
  callInputOf,
  callNameOf,
  encryptedThinking,
  resultContentOf,
  textOfBlock,
  thinkingOfBlock,
} from '../blocks'
import type { ToolCallRef } from '../entry'
import { isObject, type JsonObject, jsonText } from '../json'
import { fetchMark } from '../marks/fetch-marks'
import type { FetchMark } from '../marks/text-marks'
import { binaryChars, fileTextOf, mediaOf } from '../media-block'
import { type EntryTexts, textsIn } from './entry-texts'
import { type LongTexts, longTextNumber, refuseStandIns } from './long-texts'

const MAX_PREVIEW_CHARS = 160
/** Base64 characters of a file that are taken for one page: about 75 kB, as PDF files of text and figures have. */
const FILE_PAGE_CHARS = 100_000
/**
 * Base64 characters of OpenAI's encrypted reasoning: around it, and for a token of it. From what 100 answers of a real
 * Codex session took in the next prompt, off by 10 tokens (median).
 */
const ENCRYPTED = { frame: 845, charsPerUnit: 6.35 }
/** A preview is made of no more of a text than this, white space included. */
const PREVIEW_SOURCE_CHARS = MAX_PREVIEW_CHARS * 2

/** How texts are examined: what sizes them, and those of them that were taken out of the line. */
export type TextReading = {
  readonly estimate: TextEstimator
  readonly longTexts: LongTexts | null
  /** Weighs whole entries; they have neither size nor mark, when it is left out. */
  readonly weigh?: WeighEntry
  /** False without a search: no more text is gathered than the facts need. */
  readonly texts?: boolean
  /** `EntryFact.marks`; false, when it is left out. */
  readonly marks?: boolean
}

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
  readonly fetches: readonly FetchMark[]
  /** First characters for lists, on one line. */
  readonly preview: string
  /** Bounded text for the search index; its beginning, without a search. */
  readonly searchText: string
  /** All visible text is blank, and there is neither call nor image. */
  readonly blank: boolean
}

/** Collects units and text while walking over content blocks. */
class Tally {
  readonly units: { [C in EntryCategory]?: number } = {}
  readonly calls: ToolCallRef[] = []
  readonly fetches: FetchMark[] = []
  images = 0
  /** There is content that cannot be read. */
  isEncrypted = false
  text = ''
  private readonly reading: TextReading
  /** UTF-16 units of text that are kept. */
  private readonly most: number

  constructor(reading: TextReading, most: number) {
    this.reading = reading
    this.most = most
  }

  get wantsMarks(): boolean {
    return this.reading.marks === true
  }

  addText(category: EntryCategory, text: string): void {
    if (text === '') return
    const { estimate, longTexts } = this.reading
    if (longTexts === null || longTextNumber(text) < 0) {
      this.addUnits(category, estimate(text))
      this.note(text)
      return
    }
    const index = longTextNumber(text)
    this.addUnits(category, longTexts.units(index))
    const room = this.most - this.text.length
    if (room > 0) this.note(longTexts.head(index, room))
  }

  /**
   * Adds a text that was put together of several.
   * @throws MisplacedText when one of them was taken out
   */
  addComposed(category: EntryCategory, text: string): void {
    if (this.reading.longTexts !== null) refuseStandIns(jsonText(text))
    this.addText(category, text)
  }

  /** Adds thinking that is sized by its encrypted form. @param shown its summary, or that form once more */
  addEncrypted(encrypted: string, shown: string): void {
    const { longTexts } = this.reading
    const chars = textsIn(longTexts).lengthOf(encrypted)
    this.addUnits('thinking', Math.max(1, Math.round((chars - ENCRYPTED.frame) / ENCRYPTED.charsPerUnit)))
    this.isEncrypted = true
    if (shown === encrypted) return
    if (longTexts !== null) refuseStandIns(jsonText(shown))
    this.note(shown)
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

  /** Whether there may be more text than was kept. */
  get isFull(): boolean {
    return this.text.length >= this.most
  }

  /** Line ends between pieces may have come on top. */
  get searchText(): string {
    return this.text.length > this.most ? this.text.slice(0, this.most) : this.text
  }

  addImage(): void {
    this.images += 1
    this.addUnits('image', IMAGE_UNITS)
  }

  /** A file that is sent as bytes is read by pages, none of which takes less than a picture of it. */
  addFile(block: JsonObject): void {
    const { base64 } = mediaOf(block)
    const binary = binaryChars(block)
    if (base64 === '' && binary === null) {
      this.addJson('other', block)
      return
    }
    const chars = binary ?? textsIn(this.reading.longTexts).lengthOf(base64)
    this.addUnits('other', IMAGE_UNITS * Math.max(1, Math.ceil(chars / FILE_PAGE_CHARS)))
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
  return gather(reading, most, (tally) => addContent(content, category, tally, MAX_DEPTH))
}

/** Units of message content in any of the shapes in use, of all categories together. */
export function contentUnits(content: unknown, estimate: TextEstimator): number {
  if (typeof content === 'string') return content === '' ? 0 : estimate(content)
  if (!Array.isArray(content)) return tallied(content, estimate)
  let units = 0
  let others: unknown[] | null = null
  for (let at = 0; at < content.length; at++) {
    const block: unknown = content[at]
    // Most blocks are a text or a call, which need no tally.
    const text = typeof block === 'string' ? block : shortWay(block)
    if (text === null) {
      if (others === null) others = [block]
      else others.push(block)
    } else if (text !== '') units += Math.max(0, estimate(text))
  }
  return others === null ? units : units + tallied(others, estimate)
}

function tallied(content: unknown, estimate: TextEstimator): number {
  const tally = new Tally({ estimate, longTexts: null }, 0)
  addContent(content, 'other', tally, MAX_DEPTH)
  let units = 0
  for (const category in tally.units) units += tally.units[category as EntryCategory] ?? 0
  return units
}

/** The one text by which a block of text or a call is sized; null for other blocks. */
function shortWay(block: unknown): string | null {
  if (!isObject(block)) return ''
  if (block.type === 'text' && typeof block.text === 'string' && block.content === undefined)
    return block.text
  if (blockKind(block) !== 'call') return null
  const input = callInputOf(block)
  return callText(callNameOf(block), typeof input === 'string' ? input : jsonText(input))
}

/** Results that hold results are read so far down; what is deeper is measured as it is written. */
const MAX_DEPTH = 4

function addContent(content: unknown, category: EntryCategory, tally: Tally, depth: number): void {
  if (typeof content === 'string') tally.addText(category, content)
  else if (Array.isArray(content)) for (const block of content) readBlock(block, category, tally, depth)
  else if (isObject(content)) tally.addJson(category, content)
}

/** Reads plain text that is outside of `content` (summaries, shell commands and their output). */
export function readPlainText(
  text: string,
  category: EntryCategory,
  reading: TextReading,
  most: number,
): ContentFacts {
  return gather(reading, most, (tally) => tally.addText(category, text))
}

/** Gathers as much text as is wanted, and no less than what all other facts follow from. */
function gather(reading: TextReading, most: number, add: (tally: Tally) => void): ContentFacts {
  if (reading.texts === false && most > PREVIEW_SOURCE_CHARS) {
    const brief = new Tally(reading, PREVIEW_SOURCE_CHARS)
    add(brief)
    const facts = finish(brief)
    // Else anything may be behind so much white space.
    if (!brief.isFull || facts.preview.length >= MAX_PREVIEW_CHARS) return facts
  }
  const tally = new Tally(reading, most)
  add(tally)
  return finish(tally)
}

function readBlock(block: unknown, category: EntryCategory, tally: Tally, depth: number): void {
  if (typeof block === 'string') tally.addText(category, block)
  else if (isObject(block)) readTypedBlock(block, category, tally, depth)
}

function readTypedBlock(block: JsonObject, category: EntryCategory, tally: Tally, depth: number): void {
  const kind = blockKind(block)
  if (kind === 'text') {
    if (Array.isArray(block.content)) tally.addComposed(category, textOfBlock(block))
    else tally.addText(category, textOfBlock(block))
  } else if (kind === 'thinking') readThinking(block, tally)
  else if (kind === 'image') tally.addImage()
  else if (kind === 'file') readFile(block, category, tally, depth)
  else if (kind === 'aside') return
  else if (kind === 'call') readCall(block, tally)
  else if (kind !== 'result') tally.addJson('other', block)
  else if (depth > 0) addContent(resultContentOf(block), 'tool-result', tally, depth - 1)
  else tally.addJson('tool-result', block)
}

function readThinking(block: JsonObject, tally: Tally): void {
  const encrypted = encryptedThinking(block)
  if (encrypted !== null) tally.addEncrypted(encrypted, thinkingOfBlock(block))
  else if (Array.isArray(block.summary)) tally.addComposed('thinking', thinkingOfBlock(block))
  else tally.addText('thinking', thinkingOfBlock(block))
}

function readFile(block: JsonObject, category: EntryCategory, tally: Tally, depth: number): void {
  const text = fileTextOf(block)
  if (text === null || depth === 0) tally.addFile(block)
  else addContent(text, category, tally, depth - 1)
}

function readCall(block: JsonObject, tally: Tally): void {
  const name = callNameOf(block)
  const input = callInputOf(block)
  tally.addText('tool-call', callText(name, typeof input === 'string' ? input : tally.jsonOf(input)))
  const id = callIdOf(block)
  if (id === undefined) return
  tally.calls.push({ id, name })
  const fetched = tally.wantsMarks ? fetchMark(id, name, input) : null
  if (fetched !== null) tally.fetches.push(fetched)
}

/** The tool and its arguments as they are written. */
function callText(name: string, input: string): string {
  return input === '' ? name : `${name} ${input}`
}

function finish(tally: Tally): ContentFacts {
  const preview = previewOf(tally.text)
  return {
    units: tally.units,
    images: tally.images,
    calls: tally.calls,
    fetches: tally.fetches,
    preview,
    searchText: tally.searchText,
    blank:
      !tally.isEncrypted &&
      tally.images === 0 &&
      tally.calls.length === 0 &&
      preview === '' &&
      tally.text.trim() === '',
  }
}

/** Three plain dots: with one wide character in it, all that a preview goes into would take twice the memory. */
const CUT = '...'

/** First characters of a text on one line: every run of white space is one space, and there is none at the ends. */
export function previewOf(text: string): string {
  let line = onOneLine(text, USUAL_SOURCE_CHARS)
  // Two may go at the ends yet.
  const isShort = line.length <= MAX_PREVIEW_CHARS + 2
  if (isShort && text.length > USUAL_SOURCE_CHARS) line = onOneLine(text, PREVIEW_SOURCE_CHARS)
  if (line.startsWith(' ') || line.endsWith(' ')) line = line.trim()
  return line.length > MAX_PREVIEW_CHARS ? line.slice(0, MAX_PREVIEW_CHARS - CUT.length) + CUT : line
}

/** Enough for most previews. */
const USUAL_SOURCE_CHARS = 200

/** White space that is more, or another, than one space. Single ones are left alone: there is one behind every word. */
const ODD_SPACE = / ?[^\S ]\s*| {2}\s*/g

function onOneLine(text: string, limit: number): string {
  return (text.length > limit ? text.slice(0, limit) : text).replace(ODD_SPACE, ' ')
}
