import { effectivePolicy, type LabelledFile, NO_SUBJECT } from './effective'
import type { Policy } from './policy'
import { isGranted, NO_GRANTS, sameEndpoint, WISH_PATHS, type Wish, wishesIn } from './store-grants'

/** Something that a file of a store asks for, where it is written, and whether the operator lets the store have it. */
export type StoreAsk = {
  readonly wish: Wish
  /** The file as it is called on screen. */
  readonly label: string
  readonly line: number | null
  readonly allowed: boolean
}

/**
 * All that the files of a store ask for, once each. What the operator's own file says as well, and what nothing is said
 * against because it is the default, is left out.
 */
export function policyAsks(own: LabelledFile | null, files: readonly LabelledFile[]): StoreAsk[] {
  const { policy } = effectivePolicy({ own, store: [], chosen: null }, NO_SUBJECT)
  const found = files.flatMap(({ label, file, granted = NO_GRANTS }) =>
    [file, ...file.overrides].flatMap(({ patch, places }) =>
      wishesIn(patch).map(
        (wish): StoreAsk => ({
          wish,
          label,
          line: WISH_PATHS[wish.kind].map((path) => places[path]?.line).find((line) => line) ?? null,
          allowed: isGranted(wish, granted),
        }),
      ),
    ),
  )
  const asks = found.filter(({ wish }) => !isSaid(policy, wish))
  const keyOf = ({ wish, label }: StoreAsk) => JSON.stringify([label, wish])
  return asks.filter((ask, i) => asks.findIndex((other) => keyOf(other) === keyOf(ask)) === i)
}

/** Whether the operator's own policy has the same. */
function isSaid({ summary, relevance, coldStorage, logs }: Policy, wish: Wish): boolean {
  switch (wish.kind) {
    case 'summarizer':
      return sameEndpoint(endpointOf(summary), wish.endpoint)
    case 'embedder':
      return sameEndpoint(endpointOf(relevance.embedder), wish.endpoint)
    case 'sessionModel':
      return summary.fallbackToMain
    case 'coldStorage':
      return coldStorage.path === wish.folder
    case 'logs':
      return logs.path === wish.folder
    default:
      return false
  }
}

function endpointOf({ model, url }: { readonly model: string; readonly url: string }) {
  return { model: model === '' ? null : model, url }
}
