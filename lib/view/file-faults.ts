import type { SourceProblem } from '../core/policy/source-tree'
import { policyPlaceQuery } from './policy-place'
import { visibleLine } from './visible-text'

/** A configuration file that could not be read, or not all of it; defaults stand in for the rest. */
export type FileFault = {
  readonly path: string
  /** `line 3, column 5`; null when the whole file cannot be read. */
  readonly place: string | null
  readonly message: string
  /** Faults besides the first. */
  readonly more: number
  /** Where it can be mended. */
  readonly href: string
}

/** What is known of a file when its faults are looked for. */
export type FaultyFile = {
  readonly path: string
  readonly role: 'own' | 'store'
  readonly problems: readonly SourceProblem[]
}

/**
 * Files with faults, each once with its first. In a runtime's file only faults of the syntax count: what a value of it
 * may be is decided by the runtime.
 */
export function fileFaults(files: readonly FaultyFile[]): FileFault[] {
  return files.flatMap(({ path, role, problems }) => {
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
        message: visibleLine(`${key}${first.message}`),
        more: errors.length - 1,
        href: hrefOf(path, role),
      },
    ]
  })
}

/** A file that cannot be read at all. */
export function unreadableFile(path: string, message: string): FileFault {
  return {
    path: visibleLine(path),
    place: null,
    message: visibleLine(message),
    more: 0,
    href: hrefOf(path, 'own'),
  }
}

function hrefOf(path: string, role: 'own' | 'store'): string {
  const file = role === 'own' ? null : path
  return `/policies${policyPlaceQuery({ tab: 'edit', file, window: null, session: null })}`
}
