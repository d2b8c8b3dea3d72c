import type { Part } from '../includes'
import { joinPath } from '../path'
import { type Reading, takeValue } from '../reading'
import { nodeAt, plainValue } from '../source-tree'

/** OpenClaw's model catalogue: `models.providers.*.models[]` with `id` and `contextWindow` (or `contextTokens`). */
export function readModelWindows(reading: Reading, part: Part): void {
  if (part.at.length > 0) return
  const providers = nodeAt(part.root, ['models', 'providers'])
  if (providers?.kind !== 'map') return
  for (const { key, value } of providers.entries) {
    const models = nodeAt(value, ['models'])
    if (models?.kind !== 'list') continue
    models.items.forEach((item, i) => {
      const id = nodeAt(item, ['id'])
      const window = nodeAt(item, ['contextTokens']) ?? nodeAt(item, ['contextWindow'])
      if (id === null || window === null) return
      const path = joinPath(['window', 'byModel', String(plainValue(id))])
      const fileKey = `models.providers.${key}.models[${i}]`
      takeValue(reading, part.source, window, path, fileKey, plainValue(window), (p, v, n, k) => {
        reading.set(p, v, part.source, n.start, k)
      })
    })
  }
}
