import type { KeyRule } from './formats/key-rule'
import { knobNodeAt } from './knobs/knob-at'
import { splitPath } from './path'
import { FOREIGN_FORMATS } from './read-policy'
import type { PolicyFile } from './reading'
import type { SourceEdit } from './source-edit'

/** Changes that a file can take, and those that its format has no key for. */
export type PlannedEdits = { readonly edits: readonly SourceEdit[]; readonly unsupported: readonly string[] }

/**
 * Turns changed policy values into edits of the file that they are kept in. A value that is in the file is
 * changed where it is; another one goes where its format keeps it. A file of no known format takes nothing: whose
 * it is must be said by giving it a format.
 */
export function planEdits(
  file: PolicyFile,
  changes: { readonly [policyPath: string]: unknown },
): PlannedEdits {
  const edits: SourceEdit[] = []
  const unsupported: string[] = []
  for (const [path, value] of Object.entries(changes)) {
    const found = editsFor(file, path, value)
    if (found === null) unsupported.push(path)
    else edits.push(...found)
  }
  return { edits, unsupported }
}

/** Under which keys a file holds a value of the policy, or would hold it; null when its format has none for it. */
export function holdingKeys(file: PolicyFile, path: string): readonly string[] | null {
  if (knobNodeAt(path) === null) return null
  if (isOwn(file)) return ownKeys(path)
  const homes = homesOf(file, path)
  return (homes.find(({ inUse }) => inUse) ?? homes[0])?.keys ?? null
}

function editsFor(file: PolicyFile, path: string, value: unknown): SourceEdit[] | null {
  if (knobNodeAt(path) === null) return null
  if (isOwn(file)) return [{ path: ownKeys(path), value }]
  const home = homesOf(file, path).find(({ rule }) => rule.takes?.(value) !== false)
  if (home === undefined) return null
  const { rule, keys, inUse } = home
  const edit = { path: keys, value: rule.write === undefined ? value : rule.write(value) }
  const { from, value: left } = rule.insteadOf ?? {}
  const stays = inUse || file.places[path] === undefined || from === undefined || left === undefined
  return stays ? [edit] : [edit, { path: from.split('.'), value: left }]
}

function isOwn({ format }: PolicyFile): boolean {
  return format === 'plimsoll' || format === 'empty'
}

function ownKeys(path: string): string[] {
  return ['policy', ...splitPath(path)]
}

/** A key that can hold a value; `inUse`: the file says the value there. */
type Home = { readonly rule: KeyRule; readonly keys: readonly string[]; readonly inUse: boolean }

/** The keys for a value. Where several mean the same, the one that the file uses stays in use. */
function homesOf(file: PolicyFile, path: string): Home[] {
  const placed = file.places[path]?.key
  const rules = FOREIGN_FORMATS.filter(({ name }) => name === file.format).flatMap(({ rules }) => rules)
  return rules.flatMap((rule): Home[] => {
    const wild = rule.to === null || rule.readOnly ? null : matchPattern(rule.to, path)
    if (wild === null) return []
    const keys = fillPattern(rule.from, wild)
    if (placed === undefined) return [{ rule, keys, inUse: false }]
    if (isSameKey(placed, keys.join('.'))) {
      // As it is written there; a key with a dot in it cannot be distinguished from two.
      const there = placed.split('.')
      return [{ rule, keys: there.length === keys.length ? there : keys, inUse: true }]
    }
    const replaces = rule.insteadOf !== undefined && isSameKey(placed, rule.insteadOf.from)
    return replaces ? [{ rule, keys, inUse: false }] : []
  })
}

function isSameKey(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** The keys that are where a pattern has `*`, or null when the path does not fit it. */
function matchPattern(pattern: string, path: string): string[] | null {
  const keys = splitPath(path)
  const parts = pattern.split('.')
  if (parts.length !== keys.length) return null
  const wild: string[] = []
  for (const [i, part] of parts.entries()) {
    if (part === '*') wild.push(keys[i] ?? '')
    else if (part !== keys[i]) return null
  }
  return wild
}

function fillPattern(pattern: string, wild: readonly string[]): string[] {
  let next = 0
  return pattern.split('.').map((part) => (part === '*' ? (wild[next++] ?? '') : part))
}
