import { stringify } from 'yaml'
import { OVERRIDE_KEYS, type OverrideKey } from '../../core/policy/formats/plimsoll'
import { knobWords } from '../../core/policy/knobs/knob-words'
import { patchAt, valueAt } from '../../core/policy/resolve'
import { lineAndColumn, nodeAt, parseSource } from '../../core/policy/source-tree'
import type { Edited } from './policy-edit'
import type { PolicyReading } from './policy-reading'
import { readableValue } from './policy-values'

/** A narrower policy of our own file, as it is there. */
export type OverrideView = {
  /** From 1, in the order of the file. */
  readonly n: number
  readonly key: OverrideKey
  readonly match: string
  readonly line: number
  readonly values: readonly { readonly path: string; readonly label: string; readonly value: string }[]
}

export const OVERRIDE_ABOUT: { readonly [K in OverrideKey]: string } = {
  store: 'id or folder of a store',
  agent: 'name of an agent',
  channel: 'telegram, discord …',
  model: 'model id, gpt-*',
  session: 'session id or key',
}

export function overrideViews({ file, source }: PolicyReading): OverrideView[] {
  const list = nodeAt(source.root, ['overrides'])
  const items = list?.kind === 'list' ? list.items : []
  // Items that are no override are reported and not among those that were read.
  const readable = items.filter((item) =>
    OVERRIDE_KEYS.some((key) => nodeAt(item, [key]) !== null && nodeAt(item, ['policy']) !== null),
  )
  return file.overrides.map(({ key, match, patch }, i) => ({
    n: i + 1,
    key,
    match,
    line: lineAndColumn(source.text, readable[i]?.start ?? list?.start ?? 0).line,
    values: leaves(patch, '').map((path) => {
      const { label, unit } = knobWords(path)
      return { path, label, value: readableValue(valueAt(patch, path), unit) }
    }),
  }))
}

function leaves(value: object, prefix: string): string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = prefix + key.replaceAll('.', '\\.')
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? leaves(inner, `${path}.`)
      : [path]
  })
}

/** Adds a narrower policy with one value to the end of the list, in a file of YAML. */
export function addOverride(
  reading: PolicyReading,
  override: {
    readonly key: OverrideKey
    readonly match: string
    readonly path: string
    readonly value: unknown
  },
): Edited {
  const { source } = reading
  if (reading.broken) return { ok: false, problem: 'The file has a syntax error; fix it first.' }
  const list = nodeAt(source.root, ['overrides'])
  const empty = list === null || (list.kind === 'scalar' && list.value === null)
  if (source.syntax !== 'yaml' || !(empty || (list.kind === 'list' && !list.flow))) {
    return { ok: false, problem: 'The list of overrides is written in braces; add to it in the file.' }
  }
  const entry = stringify([
    { [override.key]: override.match, policy: patchAt(override.path, override.value) },
  ])
  const text = empty ? appended(source.text, list, entry) : behind(source.text, list, entry)
  const after = parseSource(text, source.file)
  const grown = nodeAt(after.root, ['overrides'])
  const before = list?.kind === 'list' ? list.items.length : 0
  if (
    after.problems.length > source.problems.length ||
    grown?.kind !== 'list' ||
    grown.items.length !== before + 1
  ) {
    return { ok: false, problem: 'The override could not be put into the file; add it there.' }
  }
  return { ok: true, text }
}

type Node = NonNullable<ReturnType<typeof nodeAt>>

function appended(text: string, list: Node | null, entry: string): string {
  if (list !== null) {
    const newline = text.indexOf('\n', list.start)
    const at = newline < 0 ? text.length : newline + 1
    return `${text.slice(0, at)}${newline < 0 ? '\n' : ''}${indented(entry, '  ')}${text.slice(at)}`
  }
  const lead = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${text}${lead}overrides:\n${indented(entry, '  ')}`
}

function behind(text: string, list: Node, entry: string): string {
  const first = list.kind === 'list' ? list.items[0] : undefined
  const last = list.kind === 'list' ? list.items.at(-1) : undefined
  const dash = text.lastIndexOf('-', first?.start ?? 0)
  const indent = text.slice(text.lastIndexOf('\n', dash) + 1, dash)
  const newline = text.indexOf('\n', contentEnd(last))
  const at = newline < 0 ? text.length : newline + 1
  return `${text.slice(0, at)}${newline < 0 ? '\n' : ''}${indented(entry, indent)}${text.slice(at)}`
}

/** Groups of YAML end with their last value, not with the blank lines behind it. */
function contentEnd(node: Node | undefined): number {
  if (node === undefined) return 0
  const last =
    node.kind === 'map' && !node.flow
      ? node.entries.at(-1)?.value
      : node.kind === 'list' && !node.flow
        ? node.items.at(-1)
        : undefined
  return last === undefined ? Math.max(node.start, node.end - 1) : contentEnd(last)
}

function indented(text: string, indent: string): string {
  return text.replace(/^(?=.)/gm, indent)
}
