import { isAbsolute, relative } from 'node:path'
import { NO_SUBJECT } from '../core/policy/effective'
import type { Policy } from '../core/policy/policy'
import type { ColdChunk } from '../engine/cold-store'
import type { ColdPorts } from '../engine/drop-to-cold'
import type { FoundStore } from '../engine/ports'
import type { ColdFinder } from '../engine/search-cold'
import type { Setup } from '../wire'
import { coldPorts, withColdFinder } from '../wire/cold'
import { resolveChosen } from './chosen-policy'
import type { Io } from './io'
import type { ReadOptions } from './read-options'
import { setupOrFail } from './setup-or-fail'
import { openSources } from './sources'

/** A folder of cold storage, and the policy that names it. */
export type ColdPlace = ColdPorts & { readonly policy: Policy }

/**
 * The policies in force: the one that was chosen, else those of the stores, whose agents do the dropping, and the
 * operator's own. Never empty.
 */
export async function policiesInForce(
  io: Io,
  { store, policy: chosen }: Pick<ReadOptions, 'store'> & { readonly policy?: string },
): Promise<readonly [Policy, ...Policy[]]> {
  const { stores } = chosen === undefined ? await openSources(io, store) : { stores: [] }
  const policyOf = async (place: FoundStore | null) => {
    const question = { chosen, stores, store: place, subject: NO_SUBJECT }
    return (await resolveChosen(io, question)).policy
  }
  const policies: Policy[] = []
  for (const place of stores) policies.push(await policyOf(place))
  const own = await policyOf(null)
  const [first = own, ...others] = policies
  return policies.length === 0 ? [own] : [first, ...others, own]
}

/** Where these policies keep what was dropped, each folder once. */
export function coldPlaces(io: Io, policies: readonly Policy[]): readonly ColdPlace[] {
  const setup = setupOrFail(io)
  const places = new Map<string, ColdPlace>()
  for (const policy of policies) {
    const ports = coldPorts(setup, policy.coldStorage)
    if (!places.has(ports.store.root)) places.set(ports.store.root, { ...ports, policy })
  }
  return [...places.values()]
}

/** For messages. */
export function rootsOf(places: readonly ColdPlace[]): string {
  return places.map(({ store }) => store.root).join(', ')
}

/** The folder that a chunk was found in. */
export function placeOfChunk(places: readonly ColdPlace[], { file }: ColdChunk): ColdPlace {
  const place = places.find(({ store }) => {
    const path = relative(store.root, file)
    return !path.startsWith('..') && !isAbsolute(path)
  })
  if (place === undefined) throw new Error(`${file} is in no folder of cold storage`)
  return place
}

/** Runs a piece of work with search in all of the folders at once. */
export async function withColdPlaces<T>(
  setup: Setup,
  places: readonly ColdPlace[],
  work: (finder: ColdFinder) => Promise<T>,
  found: readonly ColdFinder[] = [],
): Promise<T> {
  const [place, ...others] = places
  if (place === undefined) return work(allOf(found))
  return withColdFinder(setup, place.policy.coldStorage, (finder) =>
    withColdPlaces(setup, others, work, [...found, finder]),
  )
}

function allOf(finders: readonly ColdFinder[]): ColdFinder {
  const [only, ...others] = finders
  if (only !== undefined && others.length === 0) return only
  const each = <T>(ask: (finder: ColdFinder) => Promise<T>) => Promise.all(finders.map(ask))
  return {
    search: async (words, filter, limit) => {
      const all = await each((finder) => finder.search(words, filter, limit))
      const counts = all.map(({ matching }) => matching)
      return {
        // Ranks of several indexes are compared as they are: none knows how rare a word is in the others.
        found: all
          .flatMap(({ found }) => found)
          .toSorted((a, b) => (b.rank ?? 0) - (a.rank ?? 0) || (b.chunk.at ?? 0) - (a.chunk.at ?? 0))
          .slice(0, limit),
        matching: counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0),
        problems: all.flatMap(({ problems }) => problems),
      }
    },
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
