import { spansOf } from '../../../core/relevance/spans'
import type { Rarity } from '../../../core/replay/needs/needs'

/** Places that rarity is reckoned over at least. */
const LEAST_PLACES = 8

/** Rarity over the places that people work in, each given as the texts of its sessions. */
export function rarityOver(places: readonly (readonly string[])[]): Rarity {
  const holders = new Map<string, number>()
  for (const texts of places)
    for (const span of new Set(texts.flatMap((text) => spansOf(text).map((one) => one.text))))
      holders.set(span, (holders.get(span) ?? 0) + 1)
  const all = Math.log(Math.max(LEAST_PLACES, places.length))
  return (span) => Math.max(0, 1 - Math.log(holders.get(span) ?? 1) / all)
}
