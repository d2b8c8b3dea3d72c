import type { SourceEdit } from './edit-source'
import { splitPath } from './path'
import { FOREIGN_FORMATS } from './read-policy'
import type { PolicyFile } from './reading'
import { schemaAt } from './schema-at'

/** Changes that a file can take, and those that its format has no key for. */
export type PlannedEdits = { readonly edits: readonly SourceEdit[]; readonly unsupported: readonly string[] }

/**
 * Turns changed policy values into edits of the file that they are kept in. A value that stands in the file is
 * changed where it stands; another one goes where its format keeps it. A file of no known format takes nothing: whose
 * it is must be said by giving it a format.
 */
export function planEdits(
  file: PolicyFile,
  changes: { readonly [policyPath: string]: unknown },
): PlannedEdits {
  const edits: SourceEdit[] = []
  const unsupported: string[] = []
  for (const [path, value] of Object.entries(changes)) {
    const edit = schemaAt(path) === null ? null : editFor(file, path, value)
    if (edit === null) unsupported.push(path)
    else edits.push(edit)
  }
  return { edits, unsupported }
}

function editFor(file: PolicyFile, path: string, value: unknown): SourceEdit | null {
  if (file.format === 'plimsoll' || file.format === 'empty')
    return { path: ['policy', ...splitPath(path)], value }
  const candidates = FOREIGN_FORMATS.filter((format) => format.name === file.format)
  const rules = candidates.flatMap((format) => format.rules)
  const placed = file.places[path]?.key
  for (const rule of rules) {
    if (rule.to === null) continue
    const wild = matchPattern(rule.to, path)
    if (wild === null) continue
    const filled = fillPattern(rule.from, wild)
    // Where several keys mean the same, the one that the file uses stays in use.
    if (placed !== undefined && placed.toLowerCase() !== filled.join('.').toLowerCase()) continue
    const keys = placed === undefined ? filled : placed.split('.')
    return {
      path: keys.length === filled.length ? keys : filled,
      value: rule.write === undefined ? value : rule.write(value),
    }
  }
  return null
}

/** The keys that stand where a pattern has `*`, or null when the path does not fit it. */
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
