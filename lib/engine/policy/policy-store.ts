import { contradictions } from '../../core/policy/check'
import { effectivePolicy, NO_SUBJECT } from '../../core/policy/effective'
import type { RefusedInclude } from '../../core/policy/includes'
import { readPolicy } from '../../core/policy/read-policy'
import type { PolicyFile } from '../../core/policy/reading'
import { textSizeProblem } from '../../core/policy/size-limit'
import { type ParsedSource, parseSource, type SyntaxProblem } from '../../core/policy/source-tree'
import type { StoreGrants } from '../../core/policy/store-grants'
import type { Bytes } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import type { Clock } from '../read/ports'

/** A text file as it is on disk. `hash` is the SHA-256 of its bytes in hex. */
export type TextFile = {
  readonly text: string
  readonly hash: string
  /** Number of the account that it belongs to, and its mode, as they were while it was read. */
  readonly uid: number
  readonly mode: number
  readonly writable: boolean
  /** Why it is not writable, where that is something else than its mode; a sentence without its full stop. */
  readonly obstacle?: string
}

/** What a save answers when the file on disk is not the one that was read before. */
export type WriteOutcome =
  | { readonly kind: 'written' }
  | { readonly kind: 'changed'; readonly theirs: string }
  | { readonly kind: 'refused'; readonly problem: string }

/** Configuration files on disk, and the versions that we keep of them. */
export interface PolicyFiles {
  /**
   * null when there is no such file. @throws Error that names the file when it cannot be read
   * @param within a folder that the file must stay in: no link is followed at its name, and none out of that folder
   */
  read(path: string, within?: string | null): Promise<TextFile | null>
  /**
   * Replaces a file atomically (temporary file beside it, flushed, renamed) if it still is what `expectedHash` says
   * (null: does not exist). Mode and owner stay. Nothing is ever half written.
   * @param within as in `read`
   */
  replace(
    path: string,
    text: string,
    expectedHash: string | null,
    within?: string | null,
  ): Promise<WriteOutcome>
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
  readonly bytes: Bytes
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
  /** Of a file of a store: what it may decide besides numbers and switches; nothing, if left out. */
  readonly granted?: StoreGrants
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
  | { readonly kind: 'invalid'; readonly problems: readonly SyntaxProblem[] }

/** A file to look at: ours, or the one a store's runtime reads. */
export type PolicyPlace = {
  readonly path: string
  readonly role: 'own' | 'store'
  readonly storeId: string | null
  /** Of a store's file: the folder that it must stay in; its own folder when not given. Ours may lie behind links. */
  readonly within?: string
}

function withinOf({ role, within, path }: PolicyPlace): string | null {
  return role === 'own' ? null : (within ?? folderOf(path))
}

/** With the slash at its end. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
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
    const { file } = await readWithIncludes(files, parseSource('', place.path), null)
    const message = reasonOf(error)
    const problem: SyntaxProblem = {
      ...{ severity: 'error', file: place.path, line: 1, column: 1, key: '' },
      message: message.replace(`${place.path} `, 'the file '),
    }
    const { path, role, storeId } = place
    return {
      ...{ path, role, storeId },
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
  const { path, role, storeId } = place
  const within = withinOf(place)
  const found = await files.read(path, within)
  const text = found?.text ?? ''
  return {
    ...{ path, role, storeId },
    exists: found !== null,
    writable: found?.writable ?? true,
    text,
    hash: found?.hash ?? files.hash(''),
    ...(await readWithIncludes(files, parseSource(text, path), within)),
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
  const tooLarge = textSizeProblem(input.path, input.text)
  if (tooLarge !== null) return { kind: 'refused', problem: tooLarge }
  const within = withinOf(place)
  const { file } = await readWithIncludes(files, parseSource(input.text, input.path), within)
  const problems = [...file.problems, ...contradictionProblems(file, input.path)].filter(
    (p) => p.severity === 'error',
  )
  if (problems.length > 0) return { kind: 'invalid', problems }
  const before = await files.read(input.path, within).catch((error: Error) => error)
  if (before instanceof Error) return { kind: 'refused', problem: before.message }
  const theirs = before?.text ?? ''
  if ((before?.hash ?? files.hash('')) !== input.baseHash) {
    return { kind: 'changed', base: input.baseText, mine: input.text, theirs }
  }
  if (before !== null && theirs === input.text) return { kind: 'unchanged' }
  // Asked first: what is not replaced must not be in the history as replaced.
  if (before !== null && !before.writable)
    return { kind: 'refused', problem: before.obstacle ?? readOnlyMessage(input.path) }
  const backup =
    before === null ? null : await files.keep(input.path, versionOf(files, clock, theirs), theirs)
  const outcome = await files.replace(input.path, input.text, before?.hash ?? null, within)
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
export function contradictionProblems(file: PolicyFile, path: string): SyntaxProblem[] {
  const { policy } = effectivePolicy({ own: { label: path, file }, store: [], chosen: null }, NO_SUBJECT)
  return contradictions(policy).flatMap(({ severity, paths, message }) => {
    const placed = paths.map((path) => file.places[path]).find((place) => place !== undefined)
    if (placed === undefined) return []
    return [{ severity, file: placed.file, line: placed.line, column: 1, key: placed.key, message }]
  })
}

/** A file that leads to more is not followed further. */
const MOST_INCLUDES = 100

/** Included files are read ahead, one round after the other, since the pure reader cannot wait for a disk. */
async function readWithIncludes(
  files: PolicyFiles,
  source: ParsedSource,
  within: string | null,
): Promise<Pick<PolicyDocument, 'file' | 'includes'>> {
  const loaded = new Map<string, ParsedSource | RefusedInclude | null>()
  for (;;) {
    const missing = new Set<string>()
    const file = readPolicy(source, (path, from) => {
      const target = includePath(path, from)
      if (target === null) return null
      const known = loaded.get(target)
      if (known === undefined) missing.add(target)
      return known ?? null
    })
    if (missing.size === 0 || loaded.size > MOST_INCLUDES) return { file, includes: [...loaded.keys()] }
    for (const path of missing) {
      loaded.set(path, await readInclude(files, path, within))
    }
  }
}

async function readInclude(
  files: PolicyFiles,
  path: string,
  within: string | null,
): Promise<ParsedSource | RefusedInclude | null> {
  try {
    const found = await files.read(path, within)
    return found === null ? null : parseSource(found.text, path)
  } catch (error) {
    return { refused: reasonOf(error) }
  }
}

/** Path of an included file beside the one that names it; null when it leads out of that folder. */
function includePath(path: string, from: string): string | null {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return null
  const folder = folderOf(from)
  const parts: string[] = []
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') return null
    if (part !== '.' && part !== '') parts.push(part)
  }
  return folder + parts.join('/')
}
