import { CATEGORIES } from '../../core/tokens/category'
import type { Connection } from '../../db/connection'
import { seededRandom } from '../../demo/random'
import { BUILDER_NOW, insertCompaction, insertSession, insertSessionDay, insertStore } from './session-rows'

const AGENTS = ['main', 'harbour', 'research', 'ops', null] as const
const CHANNELS = ['telegram', 'discord', 'webchat', null] as const
const MODELS = ['claude-sonnet-4-6', 'claude-opus-4-6', 'gpt-5.2', 'kimi-k2', null] as const
const STATES = ['live', 'live', 'live', 'live', 'live', 'reset', 'deleted', 'gone'] as const
const WINDOWS = [200_000, 200_000, 272_000, 128_000, null] as const
const HOUR = 3_600_000

/**
 * Fills two stores with `count` sessions of all kinds, the same for the same seed: a list of realistic length without
 * any transcript behind it. The newest session changed at `now`.
 */
export function insertCrowd(
  connection: Connection,
  { count, seed = 1, now = BUILDER_NOW }: { count: number; seed?: number; now?: number },
): void {
  const random = seededRandom(seed)
  insertStore(connection)
  insertStore(connection, { id: 'store-2', kind: 'pi', root: '/home/op/.pi/agent/sessions', label: 'pi' })
  for (let row = 1; row <= count; row += 1) {
    const window = random.pick(WINDOWS)
    const calls = 1 + Math.floor(random.next() ** 4 * 900)
    const size = Math.floor(random.next() ** 2 * (window ?? 200_000))
    const basis = random.pick(['measured', 'measured', 'estimated', 'unknown'] as const)
    const updatedAt = now - Math.floor(random.next() ** 3 * 90 * 24 * HOUR)
    const trend = Array.from({ length: Math.min(32, calls) }, (_, index) =>
      random.chance(0.04) ? null : Math.floor((size * (index + 1)) / Math.min(32, calls)),
    )
    const agent = random.pick(AGENTS)
    insertSession(connection, {
      row,
      id: `crowd${String(row).padStart(11, '0')}`,
      storeId: row % 3 === 0 ? 'store-2' : 'store',
      agent,
      channel: random.pick(CHANNELS),
      key: agent === null ? null : `agent:${agent}:main`,
      name: random.chance(0.1)
        ? null
        : `Session ${row}: ${random.pick(['report', 'deploy', 'mail', 'research'])} for the harbour`,
      state: random.pick(STATES),
      calls,
      compactions: Math.floor(random.next() ** 6 * 9),
      unreadable: random.chance(0.01) ? 2 : 0,
      model: random.pick(MODELS),
      window,
      windowSource: window === null ? null : 'model',
      contextTokens: basis === 'unknown' ? null : size,
      contextBasis: basis,
      contextErrorPct: basis === 'estimated' ? 12 : null,
      costUsd: random.chance(0.2) ? null : random.next() * 12,
      costUnknownCalls: random.chance(0.2) ? calls : 0,
      trendJson: JSON.stringify(trend),
      updatedAt,
      revision: row,
      // As long as a real snapshot, so that scanning costs what it costs in earnest.
      foldJson: JSON.stringify({ padding: 'x'.repeat(6_000) }),
    })
    insertSessionDay(
      connection,
      {
        sessionRow: row,
        day: new Date(updatedAt).toISOString().slice(0, 10),
        model: random.pick(MODELS) ?? 'unknown',
        calls,
        inputTokens: size,
        outputTokens: calls * 300,
        cacheReadTokens: size * 3,
        cacheWriteTokens: size,
        costUsd: random.chance(0.2) ? null : random.next() * 3,
      },
      Object.fromEntries(CATEGORIES.map((category) => [category, Math.floor(random.next() * size)])),
    )
    if (row % 9 === 0) {
      insertCompaction(connection, {
        sessionRow: row,
        seq: 5,
        at: updatedAt - HOUR,
        tokensBefore: size,
        tokensAfter: Math.floor(size / 4),
      })
    }
  }
}
