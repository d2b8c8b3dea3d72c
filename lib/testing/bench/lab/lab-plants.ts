import { weighNeeds } from '../../../core/replay/needs/weigh-needs'
import type { ReplayEntry } from '../../../core/replay/replay-entry'
import { NEED_KINDS, type ReplaySession } from '../../../core/replay/replay-session'
import { preparedAtOnce } from '../prepared-at-once'
import type { Measurement } from '../report'
import type { LabMaterial } from './lab-material'

/** Facts of each class that are put into a result and used so many entries later. */
const [PLANTS, LATER] = [12, 40]

type Plant = { readonly kind: (typeof NEED_KINDS)[number]; readonly text: string; readonly line: string }

/** What a session reads once and needs later: it can come from nowhere else. */
function plantsOf(number: number): Plant[] {
  const id = (number * 7_919 + 104_729).toString(16)
  const word = (i: number) => `plum${id}${i}x`
  const passage = Array.from({ length: 24 }, (_, i) => word(i)).join(' ')
  const rule = `Never rename ${word(1)} before ${word(2)} was published to ${word(3)}.`
  return [
    {
      kind: 'path',
      text: `plant/${id}/harvest-${number}.ts`,
      line: `see plant/${id}/harvest-${number}.ts there`,
    },
    {
      kind: 'url',
      text: `https://plant-${id}.example/a/${number}`,
      line: `at https://plant-${id}.example/a/${number}`,
    },
    { kind: 'hex', text: `c0ffee${id}1`, line: `commit c0ffee${id}1 is the one` },
    {
      kind: 'host',
      text: `plant-${id}.example:8${100 + number}`,
      line: `listens on plant-${id}.example:8${100 + number}`,
    },
    { kind: 'identifier', text: `harvestOf${id}Plant`, line: `call harvestOf${id}Plant first` },
    { kind: 'number', text: `7${100_001 + number * 13}`, line: `ticket 7${100_001 + number * 13} has it` },
    { kind: 'copy', text: passage, line: passage },
    { kind: 'rule', text: rule, line: rule },
  ]
}

/** How many facts that only one result had, and that a later call used, are found as needs of that result alone. */
export function plantedLosses(material: readonly LabMaterial[]): Measurement[] {
  const [found, all] = [new Map<string, number>(), new Map<string, number>()]
  const count = (map: Map<string, number>, kind: string) => map.set(kind, (map.get(kind) ?? 0) + 1)
  for (const one of material.filter(({ isReal }) => isReal)) {
    const { entries, plants } = withPlants(one)
    const replay = weighNeeds(preparedAtOnce(one.source, entries), one.weighing)
    for (const { plant, source } of plants) {
      count(all, plant.kind)
      if (isFound(replay, plant, source)) count(found, plant.kind)
    }
  }
  const sum = (map: Map<string, number>) => [...map.values()].reduce((a, b) => a + b, 0)
  return [
    {
      what: 'planted losses that are missed',
      value: sum(all) > 0 ? 100 * (1 - sum(found) / sum(all)) : 0,
      unit: '%',
      limit: 10,
      note: [...all].map(([kind, many]) => `${kind} ${found.get(kind) ?? 0} of ${many}`).join(', '),
    },
  ]
}

type Planted = { readonly plant: Plant; readonly source: number }

/** The session with facts in its results, and each of them in a call's argument a good while later. */
function withPlants({ entries }: LabMaterial): {
  readonly entries: ReplayEntry[]
  readonly plants: Planted[]
} {
  const grown = [...entries]
  const plants: Planted[] = []
  const results = places(entries, ({ message }) => message?.role === 'toolResult' && !message.isError)
  const users = places(entries, ({ message }) => message?.role === 'user')
  const calls = places(entries, ({ message }) => message?.role === 'assistant' && message.calls.length > 0)
  for (let number = 0; number < PLANTS; number++)
    for (const plant of plantsOf(number)) {
      const from = plant.kind === 'rule' ? users : results
      const at = from[Math.floor((number * from.length) / (2 * PLANTS))]
      const use = calls.find((place) => at !== undefined && place >= at + LATER)
      if (at === undefined || use === undefined) continue
      grown[at] = withText(grown[at] as ReplayEntry, plant.line)
      if (plant.kind !== 'rule') grown[use] = withArgument(grown[use] as ReplayEntry, plant.text)
      plants.push({ plant, source: (grown[at] as ReplayEntry).fact.seq })
    }
  return { entries: grown, plants }
}

function places(entries: readonly ReplayEntry[], is: (entry: ReplayEntry) => boolean): number[] {
  return entries.flatMap((entry, place) => (is(entry) ? [place] : []))
}

function withText(entry: ReplayEntry, line: string): ReplayEntry {
  const { message } = entry
  return message === null ? entry : { ...entry, message: { ...message, text: `${message.text}\n${line}` } }
}

function withArgument(entry: ReplayEntry, text: string): ReplayEntry {
  const { message } = entry
  const [first, ...others] = message?.calls ?? []
  if (message === null || first === undefined) return entry
  // One more call, as an agent makes it that uses what it read.
  const call = { id: `plant ${text}`, name: first.name, input: { note: text } }
  return { ...entry, message: { ...message, calls: [first, ...others, call] } }
}

/** Whether a need of what was planted has the planted entry, and no other, as its source. */
function isFound({ needs, spans, chunks }: ReplaySession, { kind, text }: Plant, source: number): boolean {
  const wanted = NEED_KINDS.indexOf(kind)
  for (let n = 0; n < needs.count; n++) {
    if (needs.kind[n] !== wanted) continue
    const named = spans.texts[needs.span[n] as number] ?? ''
    if (kind === 'copy' ? !text.includes(named) : named !== text) continue
    const from = needs.source.subarray(needs.offset[n], needs.offset[n + 1])
    if (from.length > 0 && from.every((chunk) => chunks.entry[chunk] === source)) return true
  }
  return false
}
