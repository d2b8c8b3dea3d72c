import { weighNeeds } from '../../../core/replay/needs/weigh-needs'
import type { ReplayEntry } from '../../../core/replay/replay-entry'
import { NEED_KINDS, type ReplaySession } from '../../../core/replay/replay-session'
import { preparedAtOnce } from '../prepared-at-once'
import type { Measurement } from '../report'
import type { LabMaterial } from './lab-material'

const PLANTS = 10

/** A fact that is hard to follow: what results say of it, in order, which of them had it, and what a call writes. */
type HardPlant = {
  readonly what: string
  readonly kind: (typeof NEED_KINDS)[number]
  readonly lines: readonly string[]
  /** Places in `lines` of those that can give it, all of them and no other. */
  readonly givenBy: readonly number[]
  readonly written: string
  /** As the need names it. */
  readonly named: string
  /** Calls between the last line and the use. */
  readonly later: number
}

function plantsOf(number: number): HardPlant[] {
  const id = (number * 6_151 + 88_883).toString(36)
  const path = `orchard/${id}/rows/report.ts`
  return [
    {
      ...{ what: 'a path that recurs under another root', kind: 'path', later: 20 },
      ...{ lines: [`in ${path} there`, `in meadow/${id}/rows/report.ts too`], givenBy: [0] },
      ...{ written: path, named: path },
    },
    {
      ...{ what: 'a number with its unit', kind: 'number', later: 20 },
      ...{ lines: [`waits ${730_021 + number * 7}ms`], givenBy: [0] },
      ...{ written: `${730_021 + number * 7} ms`, named: `${730_021 + number * 7}` },
    },
    {
      ...{ what: 'a name in camel case, in a call', kind: 'identifier', later: 20 },
      ...{ lines: [`const x = ripen${id}Fruit(3)`], givenBy: [0] },
      ...{ written: `y = ripen${id}Fruit(9)`, named: `ripen${id}Fruit` },
    },
    {
      ...{ what: 'a name in snake case, in a call', kind: 'identifier', later: 20 },
      ...{ lines: [`let x = self.ripen_${id}_fruit(&a)`], givenBy: [0] },
      ...{ written: `ripen_${id}_fruit(&b)`, named: `ripen_${id}_fruit` },
    },
    {
      ...{ what: 'a value that two results have', kind: 'hex', later: 20 },
      ...{ lines: [`commit beef${1000 + number}cafe`, `at beef${1000 + number}cafe again`], givenBy: [0, 1] },
      ...{ written: `beef${1000 + number}cafe`, named: `beef${1000 + number}cafe` },
    },
    {
      ...{ what: 'a path, 200 calls later', kind: 'path', later: 200 },
      ...{ lines: [`see cellar/${id}/jar.md`], givenBy: [0], written: `cellar/${id}/jar.md` },
      named: `cellar/${id}/jar.md`,
    },
  ]
}

/** How many facts that are hard to follow are missed, by what makes them hard. */
export function hardPlants(material: readonly LabMaterial[]): Measurement[] {
  const counts = new Map<string, { found: number; all: number }>()
  for (const one of material.filter(({ isReal }) => isReal)) {
    const { entries, plants } = withPlants(one.entries)
    const replay = weighNeeds(preparedAtOnce(one.source, entries), one.weighing)
    for (const { plant, sources } of plants) {
      const count = counts.get(plant.what) ?? { found: 0, all: 0 }
      count.all += 1
      if (isFound(replay, plant, sources)) count.found += 1
      counts.set(plant.what, count)
    }
  }
  return [...counts].map(([what, { found, all }]) => ({
    ...{ what: `planted losses that are missed: ${what}`, value: 100 * (1 - found / all), unit: '%' },
    ...{ limit: 10, note: `${found} of ${all} found` },
  }))
}

function withPlants(entries: readonly ReplayEntry[]): {
  readonly entries: ReplayEntry[]
  readonly plants: readonly { readonly plant: HardPlant; readonly sources: readonly number[] }[]
} {
  const grown = [...entries]
  const at = (is: (entry: ReplayEntry) => boolean) =>
    entries.flatMap((entry, place) => (is(entry) ? [place] : []))
  const results = at(({ message }) => message?.role === 'toolResult' && !message.isError)
  const calls = at(({ message }) => message?.role === 'assistant' && message.calls.length > 0)
  const plants: { plant: HardPlant; sources: number[] }[] = []
  for (let number = 0; number < PLANTS; number++)
    for (const plant of plantsOf(number)) {
      const first = Math.floor((number * results.length) / (3 * PLANTS))
      const places = plant.lines.map((_, i) => results[first + 2 * i] ?? -1)
      const last = places.at(-1) ?? -1
      const use = calls[calls.findIndex((place) => place > last) + plant.later]
      if (places.includes(-1) || use === undefined) continue
      for (const [i, line] of plant.lines.entries()) grow(grown, places[i] ?? 0, line)
      write(grown, use, plant.written)
      plants.push({ plant, sources: plant.givenBy.map((i) => entries[places[i] ?? 0]?.fact.seq ?? -1) })
    }
  return { entries: grown, plants }
}

function grow(entries: ReplayEntry[], at: number, line: string): void {
  const { message, ...entry } = entries[at] as ReplayEntry
  if (message !== null) entries[at] = { ...entry, message: { ...message, text: `${message.text}\n${line}` } }
}

function write(entries: ReplayEntry[], at: number, text: string): void {
  const { message, ...entry } = entries[at] as ReplayEntry
  const [first] = message?.calls ?? []
  if (message === null || first === undefined) return
  const call = { id: `hard ${text}`, name: first.name, input: { note: text } }
  entries[at] = { ...entry, message: { ...message, calls: [...message.calls, call] } }
}

/** Whether the need has the entries that gave it as its sources, and no other. */
function isFound(
  { needs, spans, chunks }: ReplaySession,
  { kind, named }: HardPlant,
  sources: readonly number[],
): boolean {
  const wanted = NEED_KINDS.indexOf(kind)
  for (let n = 0; n < needs.count; n++) {
    if (needs.kind[n] !== wanted || spans.texts[needs.span[n] as number] !== named) continue
    const from = new Set(
      Array.from(
        needs.source.subarray(needs.offset[n], needs.offset[n + 1]),
        (chunk) => chunks.entry[chunk] as number,
      ),
    )
    if (from.size === sources.length && sources.every((seq) => from.has(seq))) return true
  }
  return false
}
