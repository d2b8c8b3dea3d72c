import { isObject, type JsonObject } from '../../core/transcript/json'
import type { LinePlace } from '../../core/transcript/reading/empty-fact'
import { type ReadLine, readTranslated, unreadable } from '../../core/transcript/reading/read-line'
import type { Translate, TranslatedEntry } from '../../core/transcript/reading/translated'
import type { ReadLimits } from './read-limits'

/** How the lines of one transcript become entries. @param ofAgent the transcript is a sub-agent's alone */
export type LineTranslator = { readonly translate: Translate; readonly ofAgent: boolean }

/** The entries of one line of another runtime; what cannot be parsed is one that is unreadable. */
export function translateLine(
  translator: LineTranslator,
  text: string,
  place: LinePlace,
  limits: ReadLimits,
): readonly ReadLine[] {
  const value = parsed(text)
  return typeof value === 'string'
    ? [unreadable(place, value, text)]
    : readTranslation(translator, value, place, limits)
}

/** The same of a line, or a record of a database, that is an object already. */
export function readTranslation(
  { translate, ofAgent }: LineTranslator,
  value: JsonObject,
  place: LinePlace,
  limits: ReadLimits,
): readonly ReadLine[] {
  const reading = limits.outline ? null : { ...limits, longTexts: null }
  return translate(value, { first: place.seq === 0, ofAgent }).map((entry, i) =>
    readTranslated(entry, { ...place, seq: place.seq + i, ...(i > 0 && { piece: i }) }, reading),
  )
}

/** The object of a line, or why it is none. */
function parsed(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : 'not a JSON object'
  } catch (error) {
    return error instanceof Error ? error.message : 'not JSON'
  }
}

/** One entry of a line in pi's form, as text; null when the line does not hold it. */
export function translatedText(
  { translate, ofAgent }: LineTranslator,
  line: string,
  { seq, piece = 0 }: { readonly seq: number; readonly piece?: number },
): string | null {
  const value = parsed(line)
  if (typeof value === 'string') return line
  const entries: readonly TranslatedEntry[] = translate(value, { first: seq - piece === 0, ofAgent })
  const entry = entries[piece]
  return entry === undefined ? null : JSON.stringify(entry)
}
