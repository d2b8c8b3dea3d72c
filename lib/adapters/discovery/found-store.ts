import path from 'node:path'
import type { FoundStore, StoreEra, StoreKind, StoreState } from '../../engine/read/ports'
import type { SourceProblem, SourceProblemCode } from '../../engine/read/source-problem'
import { storeId } from '../stores/transcript-id'

/** A store at a real path. */
export function foundStore(
  kind: StoreKind,
  era: StoreEra,
  root: string,
  label: string,
  state: StoreState,
  problem?: string,
): FoundStore {
  return { id: storeId(kind, era, root), kind, era, root, label, state, ...(problem && { problem }) }
}

/** `name · path`, with the home folder as `~`. */
export function labelOf(name: string, root: string, home: string): string {
  const inHome = root === home || root.startsWith(home + path.sep)
  return `${name} · ${inHome ? `~${root.slice(home.length)}` : root}`
}

/** The state of a store of which nothing could be read. */
export function stateFor(code: SourceProblemCode): StoreState {
  return code === 'missing' || code === 'locked' || code === 'newer' ? code : 'unreadable'
}

/** Several problems in one text, each once. */
export function joinProblems(problems: readonly (SourceProblem | string)[]): string | undefined {
  const texts = problems.map((problem) => (typeof problem === 'string' ? problem : problem.message))
  return texts.length === 0 ? undefined : [...new Set(texts)].join(' ')
}
