import { type AnyNode, parse as parseJson } from '@humanwhocodes/momoa'
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

/** Offsets into the text of a file, in UTF-16 units. */
export type TextRange = { readonly start: number; readonly end: number }

/** A configuration file, parsed with the place of every part. */
export type SourceNode = TextRange &
  (
    | {
        readonly kind: 'map'
        /** Written in braces on one or more lines, as all of JSON is. */
        readonly flow: boolean
        readonly entries: readonly {
          readonly key: string
          readonly keyRange: TextRange
          readonly value: SourceNode
        }[]
      }
    | { readonly kind: 'list'; readonly flow: boolean; readonly items: readonly SourceNode[] }
    | { readonly kind: 'scalar'; readonly value: unknown }
  )

export type Syntax = 'yaml' | 'json5'

/** What is wrong with a file, and where. Lines and columns count from 1. */
export type SourceProblem = {
  readonly severity: 'error' | 'warning'
  readonly file: string
  readonly line: number
  readonly column: number
  /** Dotted path of the key; empty for faults of the syntax. */
  readonly key: string
  readonly message: string
}

export type ParsedSource = {
  readonly file: string
  readonly text: string
  readonly syntax: Syntax
  /** null when the text cannot be parsed at all, or is empty. */
  readonly root: SourceNode | null
  readonly problems: readonly SourceProblem[]
}

/** Syntax by file name: .json and .json5 are JSON5 (a superset), everything else is YAML. */
export function syntaxOf(file: string): Syntax {
  return /\.json5?$/i.test(file) ? 'json5' : 'yaml'
}

/** Parses a configuration file. Never throws; duplicate keys and faults of syntax are problems with their line. */
export function parseSource(text: string, file: string): ParsedSource {
  return syntaxOf(file) === 'json5' ? parseJson5(text, file) : parseYaml(text, file)
}

/** Line and column (from 1) of an offset. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}

/** The node at a path of keys, or null. */
export function nodeAt(root: SourceNode | null, path: readonly string[]): SourceNode | null {
  let at = root
  for (const key of path) {
    if (at?.kind !== 'map') return null
    at = at.entries.find((entry) => entry.key === key)?.value ?? null
  }
  return at
}

/** The plain value of a node. */
export function plainValue(node: SourceNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plainValue)
  // A null prototype, so that a key like __proto__ is a key like any other.
  const object: { [key: string]: unknown } = Object.create(null)
  for (const { key, value } of node.entries) object[key] = plainValue(value)
  return object
}

function parseYaml(text: string, file: string): ParsedSource {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  const problems = [...document.errors, ...document.warnings].map((fault): SourceProblem => {
    const { line, col } = counter.linePos(fault.pos[0])
    const message =
      fault.code === 'DUPLICATE_KEY'
        ? 'the key stands here a second time; keep one of them'
        : firstLine(fault.message)
    return {
      severity: fault.name === 'YAMLWarning' ? 'warning' : 'error',
      file,
      line,
      column: col,
      key: '',
      message,
    }
  })
  const walk = (node: Node): SourceNode => {
    const { start, end } = rangeOf(node)
    if (isAlias(node)) {
      // Only plain values: an alias of a map may contain itself.
      const target = node.resolve(document)
      if (isScalar(target)) return { kind: 'scalar', value: target.value, start, end }
      const message = 'an alias of a map or list is not read; write the part out'
      problems.push({ severity: 'error', file, ...placeOf(text, start), key: '', message })
      return { kind: 'scalar', value: null, start, end }
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => walk(item as Node))
      return { kind: 'list', flow: node.flow === true, start, end, items }
    }
    if (!isMap(node)) return { kind: 'scalar', value: isScalar(node) ? node.value : null, start, end }
    const entries = node.items.map((item) => {
      const key = item.key as Node
      const keyRange = rangeOf(key)
      const value = item.value as Node | null
      const empty: SourceNode = {
        kind: 'scalar',
        value: null,
        start: keyRange.end + 1,
        end: keyRange.end + 1,
      }
      return {
        key: isScalar(key) ? String(key.value) : String(key),
        keyRange,
        value: value === null ? empty : walk(value),
      }
    })
    return { kind: 'map', flow: node.flow === true, start, end, entries }
  }
  const root = document.contents === null ? null : walk(document.contents)
  return { file, text, syntax: 'yaml', root, problems }
}

function rangeOf(node: Node): TextRange {
  const [start, end] = node.range ?? [0, 0]
  return { start, end }
}

function parseJson5(text: string, file: string): ParsedSource {
  if (text.trim() === '') return { file, text, syntax: 'json5', root: null, problems: [] }
  try {
    const problems: SourceProblem[] = []
    const root = fromJson(parseJson(text, { mode: 'json5', ranges: true }).body, text, file, problems)
    return { file, text, syntax: 'json5', root, problems }
  } catch (error) {
    const message = firstLine(error instanceof Error ? error.message : String(error))
    // Where a text ends too early is told wrong: at its beginning, or at its last token's.
    const ended = /^unexpected end of input/i.test(message)
    const { line, column } = ended ? placeOf(text, text.trimEnd().length) : placeIn(error)
    return {
      file,
      text,
      syntax: 'json5',
      root: null,
      problems: [{ severity: 'error', file, line, column, key: '', message }],
    }
  }
}

function placeIn(error: unknown): { readonly line: number; readonly column: number } {
  const { line = 1, column = 1 } = error as { line?: number; column?: number }
  return { line, column }
}

function fromJson(node: AnyNode, text: string, file: string, problems: SourceProblem[]): SourceNode {
  const [start, end] = node.range ?? [0, 0]
  switch (node.type) {
    case 'Object': {
      const seen = new Set<string>()
      const entries = node.members.map((member) => {
        const key = member.name.type === 'Identifier' ? member.name.name : member.name.value
        const [keyStart, keyEnd] = member.name.range ?? [0, 0]
        if (seen.has(key)) {
          const message = 'the key stands here a second time; keep one of them'
          problems.push({ severity: 'error', file, ...placeOf(text, keyStart), key, message })
        }
        seen.add(key)
        return {
          key,
          keyRange: { start: keyStart, end: keyEnd },
          value: fromJson(member.value, text, file, problems),
        }
      })
      return { kind: 'map', flow: true, start, end, entries }
    }
    case 'Array':
      return {
        kind: 'list',
        flow: true,
        start,
        end,
        items: node.elements.map((e) => fromJson(e.value, text, file, problems)),
      }
    case 'String':
    case 'Boolean':
    case 'Number':
      return { kind: 'scalar', value: node.value, start, end }
    case 'NaN':
      return { kind: 'scalar', value: Number.NaN, start, end }
    case 'Infinity':
      return {
        kind: 'scalar',
        value: node.sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
        start,
        end,
      }
    default:
      return { kind: 'scalar', value: null, start, end }
  }
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? message)
    .replace(/ at line \d+, column \d+:?$/, '')
    .replace(/ \(\d+:\d+\)$/, '')
}
