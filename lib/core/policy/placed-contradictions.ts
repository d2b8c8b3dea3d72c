import { type Contradiction, contradictions } from './check'
import { overrideLabel, type PolicySources } from './effective'
import type { PolicyFile, PolicyPlaces } from './reading'
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
  const parts = [own, ...store, chosen].flatMap((source) =>
    source === null || source.file === null ? [] : partsOf(source.label, source.file),
  )
  const placeOf = (path: string) => {
    const from = origin[path]?.label
    // Of two overrides about the same the later counts.
    return parts.findLast(({ label, places }) => from === label && places[path] !== undefined)?.places[path]
  }
  return contradictions(policy).map((found) => {
    const place = found.paths.map(placeOf).find((known) => known !== undefined) ?? null
    return { ...found, place }
  })
}

/** What a file says for all, and its overrides: what each is called, and where its values are. */
function partsOf(
  label: string,
  file: PolicyFile,
): { readonly label: string; readonly places: PolicyPlaces }[] {
  const narrower = file.overrides.map((override) => ({
    label: overrideLabel(label, override),
    places: override.places,
  }))
  return [{ label, places: file.places }, ...narrower]
}
