import type { Reading } from './reading'
import type { SourceNode } from './source-node'
import { type ParsedSource, plainValue } from './source-tree'

/** Why a file may not be included. A sentence that names the file and says what to do. */
export type RefusedInclude = { readonly refused: string }

/** Reads another file for `$include`; null when it lies elsewhere or is not there. */
export type LoadInclude = (path: string, from: string) => ParsedSource | RefusedInclude | null

const MAX_INCLUDES = 32

/** A part of a configuration: a file, and at which key of the whole its content is. */
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
    const refuse = (why: string) => reading.report('error', from, offset, [...at, '$include'].join('.'), why)
    if (loaded === null) return refuse(`cannot include "${target}"`)
    if ('refused' in loaded) return refuse(`cannot include "${target}": ${loaded.refused}`)
    if (open.has(loaded.file)) return refuse(`"${target}" includes itself`)
    if (parts.length >= MAX_INCLUDES) return refuse('too many included files')
    reading.adopt(loaded)
    if (loaded.root !== null) visit(loaded, loaded.root, at)
  }
  visit(source, root, [])
  return parts
}

function targetsOf(node: SourceNode): string[] {
  const value = plainValue(node)
  const list = Array.isArray(value) ? value : [value]
  return list.filter((item): item is string => typeof item === 'string')
}
