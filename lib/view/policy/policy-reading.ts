import { contradictions } from '../../core/policy/check'
import { effectivePolicy, type LabelledFile, layersFor, NO_SUBJECT } from '../../core/policy/effective'
import { mergePatches } from '../../core/policy/merge-patches'
import { FOREIGN_FORMATS, readPolicy } from '../../core/policy/read-policy'
import type { PolicyFile } from '../../core/policy/reading'
import { patchAt, type ResolvedPolicy, resolvePolicy, valueAt } from '../../core/policy/resolve'
import { type ParsedSource, parseSource, type SyntaxProblem } from '../../core/policy/source-tree'
import type { StoreGrants } from '../../core/policy/store-grants'
import { policyPathOfKey } from './policy-keys'

/** A configuration file as the screen gets it; see `PolicyDocument` of the engine. */
export type PolicyDocumentView = {
  readonly path: string
  readonly exists: boolean
  readonly writable: boolean
  readonly text: string
  readonly hash: string
  /** As the server read it, with all that it includes. */
  readonly file: PolicyFile
  readonly role: 'own' | 'store'
  readonly storeId: string | null
  /** What it is called on screen and in origins. */
  readonly label: string
  /** Of a file of a store: what it may decide besides numbers and switches; nothing, if left out. */
  readonly granted?: StoreGrants
}

/** Something that is wrong, where it is in the file, and the values it is about. */
export type PolicyProblem = {
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** Lines that it is about, from 1; none when it is nowhere in this file. */
  readonly lines: readonly number[]
  /** The key as it is in the file; '' for faults of the syntax. */
  readonly key: string
  readonly paths: readonly string[]
}

/** A text of a configuration file, understood. */
export type PolicyReading = {
  readonly source: ParsedSource
  readonly file: PolicyFile
  /** The syntax is broken: values cannot be set through the form until it is mended. */
  readonly broken: boolean
  /** In the order of the lines. */
  readonly problems: readonly PolicyProblem[]
}

/**
 * Reads a text that is being edited. What the file includes is taken from the document as it was loaded: those files
 * are not edited here.
 */
export function readPolicyDraft(document: PolicyDocumentView, text: string): PolicyReading {
  const source = parseSource(text, document.path)
  const missing = new Set(
    document.file.problems.map((problem) => /^cannot include "(.*)"$/s.exec(problem.message)?.[1]),
  )
  const file = withIncluded(
    document,
    readPolicy(source, (path) => (missing.has(path) ? null : parseSource('', path))),
  )
  const broken = file.problems.some((problem) => problem.severity === 'error' && problem.key === '')
  const problems = [...file.problems.map((problem) => problemOf(document, file, problem))]
  return { source, file, broken, problems: problems.sort(byLine) }
}

/** Values of included files are below those of the file itself. */
function withIncluded({ path, file: loaded }: PolicyDocumentView, file: PolicyFile): PolicyFile {
  const included = Object.entries(loaded.places).filter(([, place]) => place.file !== path)
  if (included.length === 0) return file
  let patch: PolicyFile['patch'] = {}
  for (const [policyPath] of included) {
    patch = mergePatches(patch, patchAt(policyPath, valueAt(loaded.patch, policyPath)))
  }
  return {
    ...file,
    patch: mergePatches(patch, file.patch),
    places: { ...Object.fromEntries(included), ...file.places },
    problems: [...file.problems, ...loaded.problems.filter((problem) => problem.file !== path)],
  }
}

function problemOf(document: PolicyDocumentView, file: PolicyFile, problem: SyntaxProblem): PolicyProblem {
  const { severity, message, key, line } = problem
  const path = key === '' ? null : policyPathOfKey(file.format, key)
  const here = problem.file === document.path
  return {
    severity,
    message: here ? message : `${problem.file}, line ${line}: ${message}`,
    lines: here ? [line] : [],
    key,
    paths: path === null ? [] : [path],
  }
}

/**
 * The policy that a file makes: ours as it applies to no session in particular, a runtime's own above ours, with all
 * that the runtime itself makes of it. Only shown: what counts for Plimsoll of a runtime's file is `effectivePolicy`.
 * The contradictions between its values are problems as well, at the lines that this file sets.
 */
export function resolveDraft(
  document: PolicyDocumentView,
  reading: PolicyReading,
  own: LabelledFile | null,
): { readonly resolved: ResolvedPolicy; readonly problems: readonly PolicyProblem[] } {
  const { label } = document
  const self = { label, file: reading.file }
  const resolved =
    document.role === 'own'
      ? effectivePolicy({ own: self, store: [], chosen: null }, NO_SUBJECT)
      : resolvePolicy([
          ...layersFor({ own, store: [], chosen: null }, NO_SUBJECT),
          { level: 'store', label, patch: reading.file.patch },
        ])
  return { resolved, problems: [...reading.problems, ...clashes(document, reading, resolved)].sort(byLine) }
}

function clashes(
  document: PolicyDocumentView,
  reading: PolicyReading,
  { policy }: ResolvedPolicy,
): PolicyProblem[] {
  return contradictions(policy).flatMap(({ severity, paths, message }) => {
    const placed = paths.filter((path) => reading.file.places[path]?.file === document.path)
    if (placed.length === 0) return []
    const places = placed.flatMap((path) => reading.file.places[path] ?? [])
    const lines = [...new Set(places.map((place) => place.line))].sort((x, y) => x - y)
    return [{ severity, message, lines, key: places[0]?.key ?? '', paths }]
  })
}

function byLine(a: PolicyProblem, b: PolicyProblem): number {
  return (a.lines[0] ?? Number.POSITIVE_INFINITY) - (b.lines[0] ?? Number.POSITIVE_INFINITY)
}

/** What is wrong with a value, the worst first; null when nothing is. */
export function problemAt(problems: readonly PolicyProblem[], path: string): PolicyProblem | null {
  const about = problems.filter((problem) => problem.paths.includes(path))
  return about.find((problem) => problem.severity === 'error') ?? about[0] ?? null
}

/** How many errors there are. */
export function countErrors(problems: readonly PolicyProblem[]): number {
  return problems.filter((problem) => problem.severity === 'error').length
}

/** Names of the formats a runtime's file may be of. */
export const FORMAT_NAMES: readonly string[] = FOREIGN_FORMATS.map((format) => format.name)
