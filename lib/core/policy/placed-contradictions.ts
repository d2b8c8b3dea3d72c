import { type Contradiction, contradictions } from './check'
import type { PolicySources } from './effective'
import type { ResolvedPolicy } from './resolve'

/** A contradiction in a policy, and where one of its values is set. */
export type PlacedContradiction = Contradiction & {
  /** The file, line and key; null when no file sets any of the values. Lines count from 1. */
  readonly place: { readonly file: string; readonly line: number; readonly key: string } | null
}

/**
 * What does not go together in a policy that was made of several files: each at the first of its values that a file
 * sets, and that is in force.
 */
export function placedContradictions(
  { own, store, chosen }: PolicySources,
  { policy, origin }: ResolvedPolicy,
): PlacedContradiction[] {
  const files = [own, ...store, chosen].flatMap((source) =>
    source === null || source.file === null ? [] : [{ label: source.label, file: source.file }],
  )
  const placeOf = (path: string) => {
    const from = origin[path]?.label
    // An override is in the file that it is called after.
    const source = files.find(({ label }) => from === label || from?.startsWith(`${label}, `))
    return source?.file.places[path]
  }
  return contradictions(policy).map((found) => {
    const place = found.paths.map(placeOf).find((known) => known !== undefined) ?? null
    return { ...found, place }
  })
}
