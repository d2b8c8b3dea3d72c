import { parse, TomlError, type TomlValue } from 'smol-toml'
import type { SourceNode, TextRange } from './source-node'

/** What a TOML text holds, or what is wrong with it and where. Lines and columns count from 1. */
export type ParsedToml =
  | { readonly ok: true; readonly root: SourceNode }
  | { readonly ok: false; readonly message: string; readonly line: number; readonly column: number }

const NOWHERE: TextRange = { start: 0, end: 0 }

/**
 * Parses TOML. The parser knows no places: those of keys that are written one to a line, below a plain table, are looked
 * for in the text; all others are said to be at its beginning.
 */
export function parseToml(text: string): ParsedToml {
  try {
    const places = placesIn(text)
    return { ok: true, root: nodeOf(parse(text, { integersAsBigInt: 'asNeeded' }), '', places) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [first = ''] = error.message.split('\n')
    const message = first.replace(/^Invalid TOML document: /, '')
    return { ok: false, message, line: error.line, column: error.column }
  }
}

type Place = { readonly key: TextRange; readonly value: TextRange }

function nodeOf(value: TomlValue, path: string, places: ReadonlyMap<string, Place>): SourceNode {
  const { start, end } = places.get(path)?.value ?? NOWHERE
  if (Array.isArray(value))
    return {
      ...{ kind: 'list', flow: true, start, end },
      items: value.map((item, i) => nodeOf(item, `${path}\n${i}`, places)),
    }
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const entries = Object.entries(value).map(([key, inside]) => {
      const inner = path === '' ? key : `${path}\n${key}`
      return { key, keyRange: places.get(inner)?.key ?? NOWHERE, value: nodeOf(inside, inner, places) }
    })
    return { kind: 'map', flow: false, start, end, entries }
  }
  return { kind: 'scalar', value: value instanceof Date ? value.toISOString() : value, start, end }
}

const BARE = String.raw`[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*`
const TABLE = new RegExp(String.raw`^[ \t]*\[(${BARE})\]`)
const KEY = new RegExp(String.raw`^([ \t]*)(${BARE})([ \t]*=[ \t]*)`)

/** Places of keys by their path, its keys parted by newlines. */
function placesIn(text: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  let table: readonly string[] | null = []
  let at = 0
  for (const line of text.split('\n')) {
    const header = TABLE.exec(line)?.[1]
    if (header !== undefined) table = header.split('.')
    else if (/^[ \t]*\[/.test(line)) table = null
    else {
      const [, blank = '', name, middle = ''] = KEY.exec(line) ?? []
      if (name !== undefined && table !== null) {
        const key = { start: at + blank.length, end: at + blank.length + name.length }
        const value = { start: key.end + middle.length, end: at + line.trimEnd().length }
        const path = [...table, ...name.split('.')].join('\n')
        if (!places.has(path)) places.set(path, { key, value })
      }
    }
    at += line.length + 1
  }
  return places
}
