import { isObject, type JsonObject } from '../transcript/json'

/** An entry found inside of a line that cannot be parsed as a whole: characters from and up to. */
export type Salvaged = { readonly from: number; readonly to: number; readonly value: JsonObject }

/** Longer lines are not searched: each try costs as much as parsing what is left. */
const MAX_LENGTH = 8 * 1024 * 1024
const MAX_TRIES = 24

const BEGINNING =
  /\{"type":"(?:session|message|thinking_level_change|model_change|compaction|reset|branch_summary|custom|custom_message|label|session_info|leaf)"/g

/** The entry of a line once stray bytes at its ends are taken away; null when there is none. */
export function withoutStrayBytes(text: string): Salvaged | null {
  let from = 0
  let to = text.length
  while (from < to && isStray(text.charCodeAt(from))) from++
  while (to > from && isStray(text.charCodeAt(to - 1))) to--
  if (from >= to || (from === 0 && to === text.length)) return null
  const value = parseObject(text.slice(from, to))
  return value === null ? null : { from, to, value }
}

/** Controls and blanks, a byte order mark, and what stands for bytes that are not UTF-8. */
function isStray(code: number): boolean {
  return code <= 0x20 || code === 0xfeff || code === 0xfffd
}

/** Whole entries that grew together on one line, with what is torn between them left out. */
export function splitJoined(text: string): readonly Salvaged[] {
  if (text.length > MAX_LENGTH) return []
  const starts = [...text.matchAll(BEGINNING)].slice(0, MAX_TRIES).map((match) => match.index)
  const ends = [...starts, text.length]
  const found: Salvaged[] = []
  for (let at = 0; at < starts.length; at++) {
    const from = starts[at] ?? 0
    for (let end = at + 1; end < ends.length; end++) {
      const to = ends[end] ?? text.length
      const value = parseObject(text.slice(from, to))
      if (value === null) continue
      found.push({ from, to, value })
      at = end - 1
      break
    }
  }
  return found
}

/** Id and parent of a line that cannot be parsed, from its beginning: what named it can go on from its parent. */
export function namesOfBadLine(
  text: string,
): { readonly id: string; readonly parentId: string | null } | null {
  const match = NAMES.exec(text.slice(0, 512))
  return match?.[1] === undefined ? null : { id: match[1], parentId: match[2] ?? null }
}

const NAMES = /\{"type":"[a-z_]+","id":"([^"\\]{1,128})","parentId":(?:"([^"\\]{1,128})"|null)/

/** A JSON object, or null for anything else. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
