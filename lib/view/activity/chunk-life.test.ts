import { expect, test } from 'vitest'
import type { ChunkLife } from '../../core/logs/chunk-life'
import { lifeView } from './chunk-life'

const LIFE: ChunkLife = {
  chunkId: 'c1',
  sessionId: 's1',
  tokens: 15,
  state: 'cold',
  recoverableUntil: null,
  events: [
    { what: 'recovered', at: 1, facts: { trigger: 'manual', query: null, destination: 'stdout' } },
    { what: 'recovered', at: 2, facts: { trigger: 'relevance', query: 'q', destination: 'context' } },
    { what: 'undone', at: 3, facts: {} },
  ],
}

test('Q6 the life of a chunk tells what only copied it from what brought it back', () => {
  const { events } = lifeView(LIFE, null, null)
  const reported = events.map(({ what, facts }) => [
    what,
    ...facts.map(({ name, value }) => `${name} ${value}`),
  ])
  expect(reported).toEqual([
    ['copied', 'by hand', 'to standard output'],
    ['brought back', 'by itself', 'for q', 'into the context'],
    ['the recovery was taken back'],
  ])
})
