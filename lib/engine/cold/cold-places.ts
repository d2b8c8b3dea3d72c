import type { Policy } from '../../core/policy/policy'
import type { ColdChunk, ColdStore } from './cold-store'
import type { ColdPorts } from './drop-to-cold'
import type { ColdFinder, ColdSearch } from './search-cold'

/** A folder of cold storage, and the policy that names it. */
export type ColdPlace = ColdPorts & { readonly policy: Policy }

/** The folder that a chunk was found in. @throws Error when it is in none of them */
export function placeOfChunk<P extends Pick<ColdPlace, 'store'>>(
  places: readonly P[],
  { file }: Pick<ColdChunk, 'file'>,
): P {
  const place = places.find(({ store: { root } }) => {
    const end = /[\\/]$/.test(root) ? root.length - 1 : root.length
    return file.startsWith(root) && /^[\\/]/.test(file.slice(end))
  })
  if (place === undefined) throw new Error(`${file} is in no folder of cold storage`)
  return place
}

/** Removes chunks of several folders, each from its own. */
export function removerOf(places: readonly Pick<ColdPlace, 'store'>[]): Pick<ColdStore, 'remove'> {
  return {
    remove: async (chunks) => {
      let removed = 0
      for (const place of places) {
        const own = chunks.filter((chunk) => placeOfChunk(places, chunk) === place)
        if (own.length > 0) removed += await place.store.remove(own)
      }
      return removed
    },
  }
}

/** Search in several folders at once. */
export function joinFinders(finders: readonly ColdFinder[]): ColdFinder {
  const [only, ...others] = finders
  if (only !== undefined && others.length === 0) return only
  const each = <T>(ask: (finder: ColdFinder) => Promise<T>) => Promise.all(finders.map(ask))
  return {
    search: async (words, filter, limit) =>
      joinSearches(await each((finder) => finder.search(words, filter, limit)), limit),
    named: async (id) => (await each((finder) => finder.named(id))).flat(),
    expired: async () => {
      const all = await each((finder) => finder.expired())
      return {
        chunks: all.flatMap(({ chunks }) => chunks),
        keep: all.reduce((sum, { keep }) => sum + keep, 0),
        problems: all.flatMap(({ problems }) => problems),
      }
    },
  }
}

/** The best of several folders. Each search must have looked for `limit` chunks at least. */
export function joinSearches(searches: readonly ColdSearch[], limit: number): ColdSearch {
  const counts = searches.map(({ matching }) => matching)
  return {
    // Ranks of several indexes are compared as they are: none knows how rare a word is in the others.
    found: searches
      .flatMap(({ found }) => found)
      .toSorted((a, b) => (b.rank ?? 0) - (a.rank ?? 0) || (b.chunk.at ?? 0) - (a.chunk.at ?? 0))
      .slice(0, limit),
    matching: counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0),
    problems: searches.flatMap(({ problems }) => problems),
  }
}
