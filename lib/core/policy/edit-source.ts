import { stringify } from 'yaml'
import { setInToml } from './edit-toml'
import type { SourceEdit } from './source-edit'
import type { SourceNode } from './source-node'
import {
  childAt,
  contentEnd,
  lineAndColumn,
  lineEnd,
  nodeAt,
  type ParsedSource,
  parseSource,
  plainValue,
  type Syntax,
} from './source-tree'

/**
 * Sets values in the text of a configuration file. Only what changes is touched: comments, order, quotes and spacing
 * of everything else stay as they are, and without a change the text comes back byte for byte.
 *
 * @throws Error when the text cannot be parsed, or a path runs through something that is no group.
 */
export function editSource(source: ParsedSource, edits: readonly SourceEdit[]): string {
  let current = source
  for (const edit of edits) {
    const text = source.syntax === 'toml' ? setInToml(current, edit) : setOne(current, edit)
    const next = parseSource(text, source.file)
    const written = nodeAt(next.root, edit.path)
    if (written === null || !sameValue(plainValue(written), edit.value)) {
      throw new Error(
        `${source.file}: ${edit.path.join('.')} cannot be set without rewriting the file by hand`,
      )
    }
    current = next
  }
  return current.text
}

function setOne(source: ParsedSource, { path, value }: SourceEdit): string {
  const { text, root, syntax } = source
  const existing = nodeAt(root, path)
  if (existing !== null) {
    if (sameValue(plainValue(existing), value)) return text
    return replace(text, existing, valueText(value, syntax, text.slice(existing.start, existing.end)))
  }
  const { node, rest } = deepest(root, path)
  if (node === null) return appendTop(text, rest, value, syntax)
  if (node.kind !== 'map')
    throw new Error(`${source.file}: ${path.join('.')} runs through a value that is no group`)
  return node.flow ? insertInBraces(text, node, rest, value, syntax) : insertInBlock(text, node, rest, value)
}

function replace(text: string, node: SourceNode, written: string): string {
  const before = text.slice(0, node.start)
  // A YAML text of lines ends behind its last line, whose end stays.
  const behind = text.slice(node.start + text.slice(node.start, node.end).trimEnd().length)
  if (node.start < node.end) return before + written + behind
  // An empty YAML value has no separate place: it is between the colon and the end of the line, or a comment.
  return `${before}${/\s$/.test(before) ? '' : ' '}${written}${/^\S/.test(behind) ? ' ' : ''}${behind}`
}

/** The innermost group on the way to a path that is there already, and the keys that are still to be made. */
function deepest(
  root: SourceNode | null,
  path: readonly string[],
): { node: SourceNode | null; rest: readonly string[] } {
  let node = root
  for (const [i, key] of path.entries()) {
    const next: SourceNode | null = node === null ? null : childAt(node, key)
    if (next === null) return { node, rest: path.slice(i) }
    node = next
  }
  return { node, rest: [] }
}

function valueText(value: unknown, syntax: Syntax, before = ''): string {
  if (Array.isArray(value) && syntax === 'yaml')
    return `[${value.map((item) => valueText(item, syntax)).join(', ')}]`
  if (typeof value !== 'string')
    return syntax === 'json5' ? JSON.stringify(value) : stringify(value).trimEnd()
  // On one line, since the lines below may be anybody's.
  const isQuoted = syntax === 'json5' || value.includes('\n')
  return quotedLike(
    isQuoted ? JSON.stringify(value) : stringify(value, { lineWidth: 0 }).trimEnd(),
    before[0] ?? '',
  )
}

/** Keeps the quotes that a text had before, where the new one can be in them. */
function quotedLike(written: string, quote: string): string {
  const bare = written.replace(/^"(.*)"$/, '$1')
  const isPlain = !/["'\\]/.test(bare)
  return isPlain && (quote === "'" || quote === '"') ? `${quote}${bare}${quote}` : written
}

function insertInBlock(
  text: string,
  map: Extract<SourceNode, { kind: 'map' }>,
  keys: readonly string[],
  value: unknown,
): string {
  const first = map.entries[0]
  const indent = ' '.repeat(first === undefined ? 0 : lineAndColumn(text, first.keyRange.start).column - 1)
  const newline = lineEnd(text, contentEnd(map))
  const at = newline < 0 ? text.length : newline + 1
  const lead = newline < 0 ? '\n' : ''
  return text.slice(0, at) + lead + nestedYaml(keys, value, indent) + text.slice(at)
}

function nestedYaml(keys: readonly string[], value: unknown, indent: string): string {
  return keys
    .map((key, depth) => {
      const line = `${indent}${'  '.repeat(depth)}${stringify(key, { lineWidth: 0 }).trimEnd()}:`
      return depth === keys.length - 1 ? `${line} ${valueText(value, 'yaml')}\n` : `${line}\n`
    })
    .join('')
}

function insertInBraces(
  text: string,
  map: Extract<SourceNode, { kind: 'map' }>,
  keys: readonly string[],
  value: unknown,
  syntax: Syntax,
): string {
  const last = map.entries.at(-1)
  const [head = '', ...rest] = keys
  const member = `${keyText(head, map, text, syntax)}: ${nestedBraces(rest, value, syntax)}`
  if (last === undefined) return `${text.slice(0, map.start + 1)} ${member} ${text.slice(map.end - 1)}`
  const multiline = lineAndColumn(text, last.keyRange.start).line !== lineAndColumn(text, map.start).line
  const lineStart = text.lastIndexOf('\n', last.keyRange.start) + 1
  const separator = multiline ? `\n${/^\s*/.exec(text.slice(lineStart))?.[0]}` : ' '
  return `${text.slice(0, last.value.end)},${separator}${member}${text.slice(last.value.end)}`
}

function nestedBraces(keys: readonly string[], value: unknown, syntax: Syntax): string {
  return keys.reduceRight((inner, key) => `{ ${quotedKey(key, syntax)}: ${inner} }`, valueText(value, syntax))
}

/** Writes a key as its neighbours are written: bare in JSON5 where they are bare. */
function keyText(
  key: string,
  map: Extract<SourceNode, { kind: 'map' }>,
  text: string,
  syntax: Syntax,
): string {
  const neighbour = map.entries[0]
  const bare = neighbour !== undefined && !/["']/.test(text[neighbour.keyRange.start] ?? '')
  return bare && /^[A-Za-z_$][\w$]*$/.test(key) ? key : quotedKey(key, syntax)
}

function quotedKey(key: string, syntax: Syntax): string {
  return syntax === 'json5' ? JSON.stringify(key) : stringify(key).trimEnd()
}

function appendTop(text: string, keys: readonly string[], value: unknown, syntax: Syntax): string {
  const lead = text === '' || text.endsWith('\n') ? '' : '\n'
  const added = syntax === 'json5' ? `${nestedBraces(keys, value, syntax)}\n` : nestedYaml(keys, value, '')
  return text + lead + added
}

function sameValue(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === typeof b && JSON.stringify(a) === JSON.stringify(b))
}
