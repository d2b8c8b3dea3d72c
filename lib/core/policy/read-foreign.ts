import { notAllowed } from './fault-of'
import type { KeyRule, PolicyFormat } from './formats/key-rule'
import type { Part } from './includes'
import { escapeKey } from './path'
import { type Reading, takeValue } from './reading'
import type { SourceNode } from './source-node'
import { nodeAt, plainValue } from './source-tree'

/** Whether a file holds anything that this format has a rule for. */
export function recognises(format: PolicyFormat, part: Part): boolean {
  return matchesOf(part, format).length > 0
}

/** Reads a file of another program by its rules; keys it should not have are warnings, within our sections only. */
export function readForeign(reading: Reading, part: Part, format: PolicyFormat): void {
  const matched = new Set<SourceNode>()
  for (const { rule, node, wild, key } of matchesOf(part, format)) {
    matched.add(node)
    const inFile = plainValue(node)
    if (rule.wants?.is(inFile) === false) {
      // What no policy value comes from changes nothing here, whatever it is.
      const severity = rule.to === null ? 'warning' : 'error'
      reading.report(severity, part.source, node.start, key, notAllowed(inFile, rule.wants.allowed))
      continue
    }
    if (rule.to === null) continue
    const value = rule.read === undefined ? inFile : rule.read(inFile)
    if (value === undefined) continue
    takeValue(reading, part.source, node, fill(rule.to, wild), key, value, (p, v, n, k) => {
      reading.set(p, v, part.source, n.start, k)
      if (rule.also !== undefined) reading.set(rule.also.path, rule.also.value, part.source, n.start, k)
    })
  }
  for (const section of format.sections) warnUnknown(reading, part, section, matched)
}

function warnUnknown(reading: Reading, part: Part, section: string, matched: ReadonlySet<SourceNode>): void {
  const path = section === '' ? [] : section.split('.')
  const inside = path.slice(part.at.length)
  if (!startsWith(path, part.at) && !startsWith(part.at, path)) return
  const root = startsWith(path, part.at) ? nodeAt(part.root, inside) : part.root
  const walk = (node: SourceNode, key: string): boolean => {
    if (matched.has(node)) return true
    if (node.kind !== 'map') return false
    for (const entry of node.entries) {
      const here = key === '' ? entry.key : `${key}.${entry.key}`
      if (entry.key === '$include' || walk(entry.value, here)) continue
      reading.report('warning', part.source, entry.keyRange.start, here, 'unknown setting, passed over')
    }
    // What is in a group was judged; an empty one is judged itself.
    return node.entries.length > 0
  }
  if (root !== null) walk(root, [...part.at, ...inside].join('.'))
}

type Match = {
  readonly rule: KeyRule
  readonly node: SourceNode
  readonly wild: readonly string[]
  readonly key: string
}

function matchesOf(part: Part, format: PolicyFormat): Match[] {
  const same = format.ignoreCase
    ? (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
    : (a: string, b: string) => a === b
  return format.rules.flatMap((rule) => {
    const segments = rule.from.split('.')
    const outer = segments.slice(0, part.at.length)
    if (!outer.every((segment, i) => segment === '*' || same(segment, part.at[i] ?? ''))) return []
    const wild = outer.flatMap((segment, i) => (segment === '*' ? [part.at[i] ?? ''] : []))
    return find(part.root, segments.slice(part.at.length), same).map((found) => ({
      rule,
      node: found.node,
      wild: [...wild, ...found.wild],
      key: [...part.at, ...found.keys].join('.'),
    }))
  })
}

type Found = { readonly node: SourceNode; readonly wild: readonly string[]; readonly keys: readonly string[] }

function find(
  node: SourceNode,
  segments: readonly string[],
  same: (a: string, b: string) => boolean,
): Found[] {
  const [head, ...rest] = segments
  if (head === undefined) return [{ node, wild: [], keys: [] }]
  if (node.kind !== 'map') return []
  return node.entries
    .filter((entry) => head === '*' || same(entry.key, head))
    .flatMap((entry) =>
      find(entry.value, rest, same).map((found) => ({
        node: found.node,
        wild: head === '*' ? [entry.key, ...found.wild] : found.wild,
        keys: [entry.key, ...found.keys],
      })),
    )
}

function fill(pattern: string, wild: readonly string[]): string {
  let next = 0
  return pattern.replace(/\*/g, () => escapeKey(wild[next++] ?? ''))
}

function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((key, i) => path[i] === key)
}
