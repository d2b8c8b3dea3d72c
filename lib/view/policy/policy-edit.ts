import { editSource } from '../../core/policy/edit-source'
import { holdingKeys, planEdits } from '../../core/policy/policy-edits'
import { removeFromSource } from '../../core/policy/remove-from-source'
import type { SourceEdit } from '../../core/policy/source-edit'
import { nodeAt, type ParsedSource, parseSource } from '../../core/policy/source-tree'
import { reasonOf } from '../../core/words/reason-of'
import { FORMAT_NAMES, type PolicyDocumentView, type PolicyReading } from './policy-reading'

/**
 * Values to set by their dotted policy path; `undefined` takes a value out of the file, back to what holds without it.
 */
export type PolicyChanges = { readonly [path: string]: unknown }

export type Edited =
  | { readonly ok: true; readonly text: string }
  /** The file cannot take the change; says why. */
  | { readonly ok: false; readonly problem: string }

/** Sets or takes out values in the text of a file, where its format keeps them. Nothing changes unless all can. */
export function editText(
  document: PolicyDocumentView,
  reading: PolicyReading,
  changes: PolicyChanges,
): Edited {
  if (reading.broken) return { ok: false, problem: 'The file has a syntax error; fix it first.' }
  let source = reading.source
  try {
    for (const [path, value] of Object.entries(changes)) {
      const text =
        value === undefined
          ? withoutValue(source, keysOf(document, reading, path))
          : withValue(source, editsOf(document, reading, path, value))
      if (text === null) return { ok: false, problem: `${document.label} has no key for ${path}.` }
      source = parseSource(text, document.path)
    }
    return { ok: true, text: source.text }
  } catch (error) {
    return { ok: false, problem: reasonOf(error) }
  }
}

function withoutValue(source: ParsedSource, keys: readonly string[] | null): string | null {
  return keys === null ? null : removeFromSource(source, keys)
}

function withValue(source: ParsedSource, edits: readonly SourceEdit[]): string | null {
  return edits.length === 0 ? null : editSource(source, edits)
}

/** Lets our own file build on a preset; null builds on the defaults. */
export function editPreset(reading: PolicyReading, preset: string | null): Edited {
  if (reading.broken) return { ok: false, problem: 'The file has a syntax error; fix it first.' }
  const path = ['policy', 'preset']
  try {
    const text =
      preset === null
        ? removeFromSource(reading.source, path)
        : editSource(reading.source, [{ path, value: preset }])
    return { ok: true, text }
  } catch (error) {
    return { ok: false, problem: reasonOf(error) }
  }
}

/** Whether a file has a place for a value. */
export function canHold(document: PolicyDocumentView, reading: PolicyReading, path: string): boolean {
  return keysOf(document, reading, path) !== null
}

/** The text that is in the file for a value, as it is there; null when the file does not set it. */
export function rawText(document: PolicyDocumentView, reading: PolicyReading, path: string): string | null {
  const keys = keysOf(document, reading, path)
  const node = keys === null ? null : nodeAt(reading.source.root, keys)
  return node === null ? null : reading.source.text.slice(node.start, node.end)
}

function keysOf(
  document: PolicyDocumentView,
  { file }: PolicyReading,
  path: string,
): readonly string[] | null {
  for (const format of formatsFor(document, file.format, file.places[path] !== undefined)) {
    const keys = holdingKeys({ ...file, format }, path)
    if (keys !== null) return keys
  }
  return null
}

function editsOf(
  document: PolicyDocumentView,
  { file }: PolicyReading,
  path: string,
  value: unknown,
): readonly SourceEdit[] {
  for (const format of formatsFor(document, file.format, file.places[path] !== undefined)) {
    const { edits } = planEdits({ ...file, format }, { [path]: value })
    if (edits.length > 0) return edits
  }
  return []
}

/**
 * A file of ours without a policy yet is still ours; one file of a runtime may hold the sections of several formats.
 */
function formatsFor(document: PolicyDocumentView, format: string, placed: boolean): readonly string[] {
  if (document.role === 'own') return FORMAT_NAMES.includes(format) ? [format] : ['plimsoll']
  const known = FORMAT_NAMES.includes(format) ? [format] : []
  if (placed) return [...known, ...FORMAT_NAMES]
  // What a value that is new to the file may be written as: its own format, and that of the runtime that reads it.
  return [...known, /context-config\.ya?ml$/.test(document.path) ? 'memfas' : 'openclaw']
}
