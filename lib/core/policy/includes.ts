import type { Reading } from './reading'
import { type ParsedSource, plainValue, type SourceNode } from './source-tree'

/** Reads another file for `$include`; null when it may not be read or is not there. */
export type LoadInclude = (path: string, from: string) => ParsedSource | null

const MAX_INCLUDES = 32

/** A part of a configuration: a file, and at which key of the whole its content stands. */
export type Part = {
  readonly source: ParsedSource
  readonly root: SourceNode
  readonly at: readonly string[]
}

/** The file and all that it includes, each at its key; what is included comes first, so that the file itself wins. */
export function withIncludes(
  reading: Reading,
  source: ParsedSource,
  root: SourceNode,
  load: LoadInclude,
): Part[] {
  const parts: Part[] = []
  const open = new Set<string>()
  const visit = (from: ParsedSource, node: SourceNode, at: readonly string[]) => {
    open.add(from.file)
    walk(from, node, at)
    open.delete(from.file)
    parts.push({ source: from, root: node, at })
  }
  const walk = (from: ParsedSource, node: SourceNode, at: readonly string[]) => {
    if (node.kind !== 'map') return
    for (const { key, value } of node.entries) {
      if (key === '$include') for (const target of targetsOf(value)) include(from, target, value.start, at)
      else walk(from, value, [...at, key])
    }
  }
  const include = (from: ParsedSource, target: string, offset: number, at: readonly string[]) => {
    const loaded = load(target, from.file)
    const key = [...at, '$include'].join('.')
    const why = refusal(loaded, target)
    if (why !== null) reading.report('error', from, offset, key, why)
    if (loaded === null || why !== null) return
    reading.adopt(loaded)
    if (loaded.root !== null) visit(loaded, loaded.root, at)
  }
  const refusal = (loaded: ParsedSource | null, target: string): string | null => {
    if (loaded === null) return `cannot include "${target}"`
    if (open.has(loaded.file)) return `"${target}" includes itself`
    return parts.length >= MAX_INCLUDES ? 'too many included files' : null
  }
  visit(source, root, [])
  return parts
}

function targetsOf(node: SourceNode): string[] {
  const value = plainValue(node)
  const list = Array.isArray(value) ? value : [value]
  return list.filter((item): item is string => typeof item === 'string')
}
