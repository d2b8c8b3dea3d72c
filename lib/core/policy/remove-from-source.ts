import type { SourceNode } from './source-node'
import { contentEnd, lineEnd, nodeAt, type ParsedSource, parseSource, plainValue } from './source-tree'

/**
 * Takes a value out of the text of a configuration file, and groups that this leaves empty. Everything else stays as it
 * is, comments included; a value that is not there changes nothing.
 *
 * @param path keys as they are in the file
 * @throws Error when the value cannot be taken out without touching others
 */
export function removeFromSource(source: ParsedSource, path: readonly string[]): string {
  if (nodeAt(source.root, path) === null) return source.text
  const target = emptiedBy(source.root, path)
  const parent = nodeAt(source.root, target.slice(0, -1))
  if (parent?.kind !== 'map') return source.text
  const at = parent.entries.findIndex((entry) => entry.key === target.at(-1))
  const text = parent.flow ? cutMember(source.text, parent, at) : cutLines(source.text, parent, at)
  const after = parseSource(text, source.file)
  if (after.problems.length > source.problems.length || !sameWithout(source.root, after.root, target)) {
    throw new Error(
      `${source.file}: ${path.join('.')} cannot be taken out without rewriting the file by hand`,
    )
  }
  return text
}

/** The outermost group that holds nothing but this value; the whole of a file is never taken out. */
function emptiedBy(root: SourceNode | null, path: readonly string[]): readonly string[] {
  for (let length = 1; length < path.length; length++) {
    const inner = path.slice(length)
    let node = nodeAt(root, path.slice(0, length))
    const lone = inner.every((key) => {
      const only = node?.kind === 'map' && node.entries.length === 1
      node = node === null ? null : nodeAt(node, [key])
      return only
    })
    if (lone) return path.slice(0, length)
  }
  return path
}

type MapNode = Extract<SourceNode, { kind: 'map' }>

/** Block style: the lines of the entry go, with a comment that is on them. */
function cutLines(text: string, map: MapNode, at: number): string {
  const entry = map.entries[at]
  if (entry === undefined) return text
  const lineStart = text.lastIndexOf('\n', entry.keyRange.start) + 1
  const newline = lineEnd(text, contentEnd(entry.value))
  return text.slice(0, lineStart) + (newline < 0 ? '' : text.slice(newline + 1))
}

/** In braces: the member and the comma that parts it from its neighbour; its lines, where it has them to itself. */
function cutMember(text: string, map: MapNode, at: number): string {
  const entry = map.entries[at]
  if (entry === undefined) return text
  if (map.entries.length === 1) return `${text.slice(0, map.start)}{}${text.slice(map.end)}`
  const before = map.entries[at - 1]
  const comma = /^\s*,/.exec(text.slice(entry.value.end))?.[0].length ?? 0
  // Without a comma behind it, it is the last one, and the comma before it would be left over.
  const start = comma > 0 || before === undefined ? entry.keyRange.start : before.value.end
  const end = entry.value.end + comma
  const lineStart = text.lastIndexOf('\n', entry.keyRange.start) + 1
  const restOfLine = /^[^\S\n]*(?:\/\/[^\n]*|#[^\n]*)?\n/.exec(text.slice(end))?.[0]
  const alone = text.slice(lineStart, entry.keyRange.start).trim() === ''
  if (alone && restOfLine !== undefined) {
    const from = Math.min(start, lineStart)
    const between = text.slice(from, lineStart).replace(',', '')
    return text.slice(0, from) + between + text.slice(end + restOfLine.length)
  }
  const behind = text.slice(end)
  return text.slice(0, start) + (comma > 0 ? behind.trimStart() : behind)
}

function sameWithout(before: SourceNode | null, after: SourceNode | null, path: readonly string[]): boolean {
  const expected = before === null ? {} : (plainValue(before) as { [key: string]: unknown })
  let at: unknown = expected
  for (const key of path.slice(0, -1)) at = (at as { [key: string]: unknown })[key]
  delete (at as { [key: string]: unknown })[path.at(-1) ?? '']
  const rest = after === null ? {} : plainValue(after)
  return JSON.stringify(rest ?? {}) === JSON.stringify(expected)
}
