import { contradictions } from '../core/policy/check'
import { effectivePolicy } from '../core/policy/effective'
import { readPolicy } from '../core/policy/read-policy'
import type { PolicyFile } from '../core/policy/reading'
import { type ParsedSource, parseSource, type SourceProblem } from '../core/policy/source-tree'
import type { Clock } from './ports'

/** A text file as it stands on disk. `hash` is the SHA-256 of its bytes in hex. */
export type TextFile = { readonly text: string; readonly hash: string; readonly writable: boolean }

/** What a save answers when the file on disk is not the one that was read before. */
export type WriteOutcome =
  | { readonly kind: 'written' }
  | { readonly kind: 'changed'; readonly theirs: string }
  | { readonly kind: 'refused'; readonly problem: string }

/** Configuration files on disk, and the versions that we keep of them. */
export interface PolicyFiles {
  /** null when there is no such file. @throws Error that names the file when it cannot be read */
  read(path: string): Promise<TextFile | null>
  /**
   * Replaces a file atomically (temporary file beside it, flushed, renamed) if it still is what `expectedHash` says
   * (null: does not exist). Mode and owner stay. Nothing is ever half written.
   */
  replace(path: string, text: string, expectedHash: string | null): Promise<WriteOutcome>
  /** Keeps a version of a file; returns where it is kept. */
  keep(path: string, version: PolicyVersion, text: string): Promise<string>
  /** Newest first. */
  versions(path: string): Promise<readonly PolicyVersion[]>
  version(path: string, id: string): Promise<string | null>
  hash(text: string): string
}

export type PolicyVersion = {
  readonly id: string
  readonly savedAt: number
  readonly bytes: number
  readonly hash: string
}

/** A configuration file that policy values are read from. */
export type PolicyDocument = {
  readonly path: string
  readonly exists: boolean
  readonly writable: boolean
  readonly text: string
  /** Hash of the bytes on disk; of the empty text while there is no file. */
  readonly hash: string
  readonly file: PolicyFile
  /** Paths of the files that it includes, missing ones too. */
  readonly includes: readonly string[]
  readonly role: 'own' | 'store'
  readonly storeId: string | null
}

export type SaveInput = {
  readonly path: string
  /** The file as it was when editing began. */
  readonly baseHash: string
  readonly baseText: string
  readonly text: string
}

export type SaveResult =
  | { readonly kind: 'saved'; readonly document: PolicyDocument; readonly backup: string | null }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly base: string; readonly mine: string; readonly theirs: string }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'invalid'; readonly problems: readonly SourceProblem[] }

/** A file to look at: ours, or the one a store's runtime reads. */
export type PolicyPlace = {
  readonly path: string
  readonly role: 'own' | 'store'
  readonly storeId: string | null
}

/**
 * Reads one configuration file; a file that is not there yet is an empty document that can be saved. A file of a store
 * that cannot be read is an empty one with that as its problem: what else is configured counts.
 * @throws Error that names the file, when it is ours
 */
export async function loadDocument(files: PolicyFiles, place: PolicyPlace): Promise<PolicyDocument> {
  try {
    return await readDocument(files, place)
  } catch (error) {
    if (place.role === 'own') throw error
    const { file } = await readWithIncludes(files, parseSource('', place.path))
    const message = error instanceof Error ? error.message : String(error)
    const problem: SourceProblem = {
      ...{ severity: 'error', file: place.path, line: 1, column: 1, key: '' },
      message: message.replace(`${place.path} `, 'the file '),
    }
    return {
      ...place,
      exists: true,
      writable: false,
      text: '',
      hash: files.hash(''),
      file: { ...file, problems: [...file.problems, problem] },
      includes: [],
    }
  }
}

async function readDocument(files: PolicyFiles, place: PolicyPlace): Promise<PolicyDocument> {
  const found = await files.read(place.path)
  const text = found?.text ?? ''
  return {
    ...place,
    exists: found !== null,
    writable: found?.writable ?? true,
    text,
    hash: found?.hash ?? files.hash(''),
    ...(await readWithIncludes(files, parseSource(text, place.path))),
  }
}

/**
 * Saves an edited file: checked first, refused when another hand changed it meanwhile (with all three versions), the
 * old version kept, then replaced atomically. Nothing is written when nothing changed or anything is wrong.
 */
export async function saveDocument(
  files: PolicyFiles,
  clock: Clock,
  place: PolicyPlace,
  input: SaveInput,
): Promise<SaveResult> {
  const { file } = await readWithIncludes(files, parseSource(input.text, input.path))
  const problems = [...file.problems, ...contradictionProblems(file, input.path)].filter(
    (p) => p.severity === 'error',
  )
  if (problems.length > 0) return { kind: 'invalid', problems }
  const before = await files.read(input.path)
  const theirs = before?.text ?? ''
  if ((before?.hash ?? files.hash('')) !== input.baseHash) {
    return { kind: 'changed', base: input.baseText, mine: input.text, theirs }
  }
  if (before !== null && theirs === input.text) return { kind: 'unchanged' }
  // Asked first: what is not replaced must not stand in the history as replaced.
  if (before !== null && !before.writable) return { kind: 'refused', problem: readOnlyMessage(input.path) }
  const backup =
    before === null ? null : await files.keep(input.path, versionOf(files, clock, theirs), theirs)
  const outcome = await files.replace(input.path, input.text, before?.hash ?? null)
  if (outcome.kind === 'changed') {
    return { kind: 'changed', base: input.baseText, mine: input.text, theirs: outcome.theirs }
  }
  if (outcome.kind === 'refused') return outcome
  return { kind: 'saved', document: await loadDocument(files, place), backup }
}

/** What to do about a file that must not be written. */
export function readOnlyMessage(path: string): string {
  return `${path} is read-only; change its mode, or save under another name`
}

function versionOf(files: PolicyFiles, clock: Clock, text: string): PolicyVersion {
  const savedAt = clock.now()
  const hash = files.hash(text)
  return { id: `${savedAt}-${hash.slice(0, 8)}`, savedAt, bytes: text.length, hash }
}

/** Contradictions between values of the file, at the line of the value that the file itself sets. */
export function contradictionProblems(file: PolicyFile, path: string): SourceProblem[] {
  const { policy } = effectivePolicy({ own: { label: path, file }, store: [], chosen: null })
  return contradictions(policy).flatMap(({ severity, paths, message }) => {
    const placed = paths.map((path) => file.places[path]).find((place) => place !== undefined)
    if (placed === undefined) return []
    return [{ severity, file: placed.file, line: placed.line, column: 1, key: placed.key, message }]
  })
}

/** Included files are read ahead, one round after the other, since the pure reader cannot wait for a disk. */
async function readWithIncludes(
  files: PolicyFiles,
  source: ParsedSource,
): Promise<Pick<PolicyDocument, 'file' | 'includes'>> {
  const loaded = new Map<string, ParsedSource | null>()
  for (;;) {
    const missing = new Set<string>()
    const file = readPolicy(source, (path, from) => {
      const target = includePath(path, from)
      if (target === null) return null
      const known = loaded.get(target)
      if (known === undefined) missing.add(target)
      return known ?? null
    })
    if (missing.size === 0) return { file, includes: [...loaded.keys()] }
    for (const path of missing) {
      const text = await files.read(path).catch(() => null)
      loaded.set(path, text === null ? null : parseSource(text.text, path))
    }
  }
}

/** Path of an included file beside the one that names it; null when it leads out of that folder. */
function includePath(path: string, from: string): string | null {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return null
  const folder = from.slice(0, Math.max(from.lastIndexOf('/'), from.lastIndexOf('\\')) + 1)
  const parts: string[] = []
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') return null
    if (part !== '.' && part !== '') parts.push(part)
  }
  return folder + parts.join('/')
}
