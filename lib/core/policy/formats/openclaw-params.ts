import type { Part } from '../includes'
import type { Reading } from '../reading'
import type { SourceNode } from '../source-node'
import { nodeAt, plainValue } from '../source-tree'
import type { ProviderParams } from './provider-params'

const isSwitch = (value: unknown) => typeof value === 'boolean'
const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value > 0
const KEYS: { readonly [K in keyof ProviderParams]-?: (value: unknown) => boolean } = {
  responsesServerCompaction: isSwitch,
  responsesCompactThreshold: isCount,
  anthropicServerCompaction: isSwitch,
  anthropicCompactThreshold: isCount,
}

/**
 * The parameters in OpenClaw's order, weakest first, as 2026.9.6 merges them by key: `agents.defaults.params`, those of a
 * model, those of an agent's model, those of an agent (`agents.list[]` by id, `agents.entries.*`).
 */
export function readProviderParams(reading: Reading, part: Part): void {
  if (part.at.length > 0) return
  const take = (holder: SourceNode | null, model: string | null, agent: string | null, key: string) => {
    const params = readParams(reading, part, holder, key)
    if (params !== null) reading.provide({ model, agent, params })
  }
  const takeModels = (holder: SourceNode | null, agent: string | null, key: string) => {
    const models = nodeAt(holder, ['models'])
    if (models?.kind !== 'map') return
    for (const { key: model, value } of models.entries) take(value, model, agent, `${key}.models.${model}`)
  }
  const defaults = nodeAt(part.root, ['agents', 'defaults'])
  take(defaults, null, null, 'agents.defaults')
  takeModels(defaults, null, 'agents.defaults')
  for (const { agent, node, key } of agentsOf(part.root)) {
    takeModels(node, agent, key)
    take(node, null, agent, key)
  }
}

type Agent = { readonly agent: string; readonly node: SourceNode; readonly key: string }

function agentsOf(root: SourceNode): Agent[] {
  const list = nodeAt(root, ['agents', 'list'])
  const entries = nodeAt(root, ['agents', 'entries'])
  const listed = list?.kind !== 'list' ? [] : list.items
  return [
    ...listed.flatMap((node, i) => {
      const id = nodeAt(node, ['id'])
      return id === null ? [] : [{ agent: String(plainValue(id)), node, key: `agents.list[${i}]` }]
    }),
    ...(entries?.kind !== 'map' ? [] : entries.entries).map(({ key, value }) => ({
      ...{ agent: key, node: value, key: `agents.entries.${key}` },
    })),
  ]
}

function readParams(
  reading: Reading,
  part: Part,
  holder: SourceNode | null,
  above: string,
): ProviderParams | null {
  const found = Object.entries(KEYS).flatMap(([key, isGood]) => {
    const node = nodeAt(holder, ['params', key])
    if (node === null) return []
    const value = plainValue(node)
    if (isGood(value)) return [[key, value] as const]
    const wanted = isGood === isSwitch ? 'true or false' : 'a whole number of tokens above 0'
    const message = `must be ${wanted}; passed over`
    reading.report('warning', part.source, node.start, `${above}.params.${key}`, message)
    return []
  })
  return found.length === 0 ? null : Object.fromEntries(found)
}
