import { type AnyNode, parse as parseJson } from '@humanwhocodes/momoa'
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { reasonOf } from '../words/reason-of'
import { json5Nesting, type YamlShape, yamlShape } from './nesting'
import { parseToml } from './parse-toml'
import { MOST_CONFIG_BYTES } from './size-limit'
import type { SourceNode, TextRange } from './source-node'

export type Syntax = 'yaml' | 'json5' | 'toml'

/** What is wrong with a file, and where. Lines and columns count from 1. */
export type SyntaxProblem = {
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
  readonly problems: readonly SyntaxProblem[]
}

/** Syntax by file name: .json and .json5 are JSON5 (a superset), .toml is TOML, everything else is YAML. */
export function syntaxOf(file: string): Syntax {
  if (/\.toml$/i.test(file)) return 'toml'
  return /\.json5?$/i.test(file) ? 'json5' : 'yaml'
}

/** Bounds of a configuration, so that one that is made to block a reader is refused before it is parsed. */
const MOST_CHARS = MOST_CONFIG_BYTES
/** Characters without which no key and no item of a list can begin: about six thousand lines of settings. */
const MOST_MARKS = 20_000
const MARK = /[\n,:[{-]/g
/** The parser looks through the file anew for each alias. */
const MOST_ALIASES = 100
/** Maps and lists inside one another. */
const DEEPEST = 100
/** Faults that are listed, and one that says that there are more. */
const MOST_PROBLEMS = 100

/** Texts that were parsed last, so that a page that shows the files of many stores parses only what changed. */
const parsedBefore = new Map<string, ParsedSource>()
/** Characters of all texts that are kept parsed, together. */
const MOST_KEPT = 8 * MOST_CHARS
let keptChars = 0

function keep(key: string, parsed: ParsedSource): ParsedSource {
  parsedBefore.set(key, parsed)
  keptChars += key.length
  for (const [oldest] of parsedBefore) {
    if (keptChars <= MOST_KEPT) break
    parsedBefore.delete(oldest)
    keptChars -= oldest.length
  }
  return parsed
}

/**
 * Parses a configuration file. Never throws; duplicate keys, faults of syntax and a file beyond all bounds are problems
 * with their line.
 */
export function parseSource(text: string, file: string): ParsedSource {
  // Nothing is kept of what is too long to be parsed at all.
  if (text.length > MOST_CHARS) return parseAnew(text, file)
  const key = `${file}\0${text}`
  return parsedBefore.get(key) ?? keep(key, parseAnew(text, file))
}

function parseAnew(text: string, file: string): ParsedSource {
  const syntax = syntaxOf(file)
  const refuse = (message: string, at = 0): ParsedSource => {
    const problem: SyntaxProblem = { severity: 'error', file, ...lineAndColumn(text, at), key: '', message }
    return { file, text, syntax, root: null, problems: [problem] }
  }
  const excess = excessOf(text)
  if (excess !== null) return refuse(excess)
  const shape = shapeOf(text, syntax)
  if (shape.nesting > 2 * DEEPEST) return refuse(TOO_DEEP)
  if (shape.unexpectedAt !== null) return refuse(NO_CONFIGURATION, shape.unexpectedAt)
  let parsed: ParsedSource
  try {
    parsed = PARSERS[syntax](text, file)
  } catch (error) {
    // Parsers call themselves for what is nested, and end where the stack does.
    if (!(error instanceof RangeError)) throw error
    return refuse(TOO_DEEP)
  }
  if (parsed.root !== null && isDeeper(parsed.root, DEEPEST)) return refuse(TOO_DEEP)
  return { ...parsed, problems: limitProblems(parsed.problems) }
}

function shapeOf(text: string, syntax: Syntax): YamlShape {
  if (syntax === 'yaml') return yamlShape(text)
  // The parser of TOML has its own bounds.
  return { nesting: syntax === 'json5' ? json5Nesting(text) : 0, unexpectedAt: null }
}

const NO_CONFIGURATION =
  'no configuration can go on like this: a bracket closes that was not opened, or texts follow one another with nothing between; the file is not read'

const TOO_DEEP = `maps and lists lie more than ${DEEPEST} deep inside one another; the file is not read`

function excessOf(text: string): string | null {
  if (text.length > MOST_CHARS) {
    return `the file has ${text.length} characters; a configuration over ${MOST_CHARS} is not read`
  }
  if ((text.match(MARK)?.length ?? 0) > MOST_MARKS) {
    return `the file has more keys and items than any configuration (over ${MOST_MARKS} lines, commas, colons, dashes and brackets); it is not read`
  }
  return null
}

function isDeeper(node: SourceNode, levels: number): boolean {
  if (node.kind === 'scalar') return false
  if (levels === 0) return true
  const inside = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)
  return inside.some((one) => isDeeper(one, levels - 1))
}

/** The first of many problems, errors and warnings each counted separately, and how many more there are. */
export function limitProblems(problems: readonly SyntaxProblem[]): readonly SyntaxProblem[] {
  if (problems.length <= MOST_PROBLEMS) return problems
  return (['error', 'warning'] as const).flatMap((severity) => {
    const all = problems.filter((problem) => problem.severity === severity)
    const [first] = all
    if (first === undefined || all.length <= MOST_PROBLEMS) return all
    const message = `${all.length - MOST_PROBLEMS} more ${severity}s are not listed`
    return [...all.slice(0, MOST_PROBLEMS), { ...first, key: '', message }]
  })
}

/**
 * Where the lines of the text begin that was asked about last: places in one text are asked for one after the other.
 */
let counted: { readonly text: string; readonly starts: readonly number[] } = { text: '', starts: [0] }

function lineStarts(text: string): readonly number[] {
  if (counted.text !== text) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    counted = { text, starts }
  }
  return counted.starts
}

/** Line and column (from 1) of an offset. */
export function lineAndColumn(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const starts = lineStarts(text)
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}

/** The node at a path of keys (of a list: the number of an item, from 0), or null. */
export function nodeAt(root: SourceNode | null, path: readonly string[]): SourceNode | null {
  let at = root
  for (const key of path) at = at === null ? null : childAt(at, key)
  return at
}

/** What is under a key of a map, or the item of a list with this number; null: nothing. */
export function childAt(node: SourceNode, key: string): SourceNode | null {
  if (node.kind === 'map') return node.entries.find((entry) => entry.key === key)?.value ?? null
  return node.kind === 'list' && /^\d+$/.test(key) ? (node.items[Number(key)] ?? null) : null
}

/** Where the written content of a node ends: a group ends with its last value, not with the blank lines behind it. */
export function contentEnd(node: SourceNode): number {
  if (node.kind === 'scalar' || node.flow) return node.end
  const last = node.kind === 'map' ? node.entries.at(-1)?.value : node.items.at(-1)
  return last === undefined ? node.end : contentEnd(last)
}

/** The end of the line on which content ends; negative where the text ends before. A YAML text of lines ends behind its own. */
export function lineEnd(text: string, end: number): number {
  return text.indexOf('\n', end - 1)
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
  // The parser would compare each key with all before it.
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: false, prettyErrors: false })
  const problems = [...document.errors, ...document.warnings].map((fault): SyntaxProblem => {
    const { line, col } = counter.linePos(fault.pos[0])
    return {
      severity: fault.name === 'YAMLWarning' ? 'warning' : 'error',
      file,
      line,
      column: col,
      key: '',
      message: fault.message,
    }
  })
  const report = (start: number, message: string) => {
    const { line, col } = counter.linePos(start)
    problems.push({ severity: 'error', file, line, column: col, key: '', message })
  }
  let aliases = 0
  const walk = (node: Node): SourceNode => {
    const { start, end } = rangeOf(node)
    if (isAlias(node)) {
      // Only plain values: an alias of a map may contain itself.
      const target = ++aliases > MOST_ALIASES ? undefined : node.resolve(document)
      if (isScalar(target)) return { kind: 'scalar', value: target.value, start, end }
      if (aliases <= MOST_ALIASES) report(start, 'an alias of a map or list is not read; write the part out')
      else if (aliases === MOST_ALIASES + 1) {
        report(
          start,
          `from here on aliases are not read: a file has at most ${MOST_ALIASES}; write the values out`,
        )
      }
      return { kind: 'scalar', value: null, start, end }
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => walk(item as Node))
      return { kind: 'list', flow: node.flow === true, start, end, items }
    }
    if (!isMap(node)) return { kind: 'scalar', value: isScalar(node) ? node.value : null, start, end }
    const seen = new Set<string>()
    const entries = node.items.map((item) => {
      const key = item.key as Node
      const keyRange = rangeOf(key)
      const name = String(key)
      if (seen.has(name)) report(keyRange.start, 'the key is here a second time; keep one of them')
      seen.add(name)
      const value = item.value as Node | null
      const empty: SourceNode = {
        kind: 'scalar',
        value: null,
        start: keyRange.end + 1,
        end: keyRange.end + 1,
      }
      return {
        key: name,
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
    const problems: SyntaxProblem[] = []
    // The parser never ends on a text whose last character is a backslash within quotes; a line behind it ends it.
    const ended = text.endsWith('\\') ? `${text}\n` : text
    const root = fromJson(parseJson(ended, { mode: 'json5', ranges: true }).body, text, file, problems)
    return { file, text, syntax: 'json5', root, problems }
  } catch (error) {
    // The parser says the place in its message as well.
    const message = reasonOf(error).replace(/ \(\d+:\d+\)$/, '')
    // Where a text ends too early is reported wrong: at its beginning, or at its last token's.
    const ended = /^unexpected end of input/i.test(message)
    const { line, column } = ended ? lineAndColumn(text, text.trimEnd().length) : placeIn(error)
    return {
      file,
      text,
      syntax: 'json5',
      root: null,
      problems: [{ severity: 'error', file, line, column, key: '', message }],
    }
  }
}

function parseTomlSource(text: string, file: string): ParsedSource {
  if (text.trim() === '') return { file, text, syntax: 'toml', root: null, problems: [] }
  const parsed = parseToml(text)
  if (parsed.ok) return { file, text, syntax: 'toml', root: parsed.root, problems: [] }
  const { line, column, message } = parsed
  const problem: SyntaxProblem = { severity: 'error', file, line, column, key: '', message }
  return { file, text, syntax: 'toml', root: null, problems: [problem] }
}

const PARSERS: { readonly [S in Syntax]: (text: string, file: string) => ParsedSource } = {
  yaml: parseYaml,
  json5: parseJson5,
  toml: parseTomlSource,
}

function placeIn(error: unknown): { readonly line: number; readonly column: number } {
  const { line = 1, column = 1 } = error as { line?: number; column?: number }
  return { line, column }
}

function fromJson(node: AnyNode, text: string, file: string, problems: SyntaxProblem[]): SourceNode {
  const [start, end] = node.range ?? [0, 0]
  switch (node.type) {
    case 'Object': {
      const seen = new Set<string>()
      const entries = node.members.map((member) => {
        const key = member.name.type === 'Identifier' ? member.name.name : member.name.value
        const [keyStart, keyEnd] = member.name.range ?? [0, 0]
        if (seen.has(key)) {
          const message = 'the key is here a second time; keep one of them'
          problems.push({ severity: 'error', file, ...lineAndColumn(text, keyStart), key, message })
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
