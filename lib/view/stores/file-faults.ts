import type { SyntaxProblem } from '../../core/policy/source-tree'
import { policyPlaceQuery } from '../policy/policy-place'
import { visibleLine } from '../text/visible-text'

/** A configuration file that could not be read, or not all of it; defaults replace the rest. */
export type FileFault = {
  readonly path: string
  /** `line 3, column 5`; null when the whole file cannot be read. */
  readonly place: string | null
  /** A sentence without its full stop. */
  readonly message: string
  /** Faults besides the first. */
  readonly more: number
  /** Where it can be mended. */
  readonly href: string
  /** The store whose sessions the file governs; null for our own file, which governs all. */
  readonly store: { readonly id: string; readonly label: string } | null
}

/** What is known of a file when its faults are searched for. */
export type FaultyFile = {
  readonly path: string
  readonly role: 'own' | 'store'
  readonly store: FileFault['store']
  readonly problems: readonly SyntaxProblem[]
}

/**
 * Files with faults, each once with its first. In a runtime's file only faults of the syntax count: what a value of it
 * may be is decided by the runtime.
 */
export function fileFaults(files: readonly FaultyFile[]): FileFault[] {
  return files.flatMap(({ path, role, store, problems }) => {
    const errors = problems
      .filter(
        ({ severity, key, file }) => severity === 'error' && file === path && (role === 'own' || key === ''),
      )
      .sort((a, b) => a.line - b.line || a.column - b.column)
    const [first] = errors
    if (first === undefined) return []
    const key = first.key === '' ? '' : `${first.key}: `
    return [
      {
        path: visibleLine(path),
        place: `line ${first.line}, column ${first.column}`,
        message: sentenceOf(`${key}${first.message}`),
        more: errors.length - 1,
        href: hrefOf(path, role),
        store,
      },
    ]
  })
}

/** A file that cannot be read at all. */
export function unreadableFile(path: string, message: string): FileFault {
  return {
    path: visibleLine(path),
    place: null,
    message: sentenceOf(message),
    more: 0,
    href: hrefOf(path, 'own'),
    store: null,
  }
}

/** Parsers end some of their sentences with a full stop and some not; the screen adds it. */
function sentenceOf(message: string): string {
  return visibleLine(message).replace(/\.+$/, '')
}

function hrefOf(path: string, role: 'own' | 'store'): string {
  const file = role === 'own' ? null : path
  return `/policies${policyPlaceQuery({ tab: 'edit', file, window: null, session: null })}`
}
