import { describe, expect, it } from 'vitest'
import { EVERY_SESSION } from '../../core/replay/experiment-spec'
import type { FoundTranscript } from '../read/ports'
import { chooseSessions } from './choose-sessions'
import type { ReplayCandidate } from './replay-ports'

const candidate = (
  id: string,
  over: Partial<FoundTranscript> = {},
  calls: number | null = 3,
): ReplayCandidate => ({
  store: { id: 's1', kind: 'pi', era: 'jsonl', root: '/s1', label: 's1', state: 'ok' },
  transcript: {
    ...{ id, storeId: 's1', sessionId: id, key: null, agent: 'main', path: `/s1/${id}`, state: 'live' },
    ...{ stamp: { dev: 0, ino: 0, size: 1, mtimeMs: 1 }, index: null },
    ...over,
  },
  title: id,
  calls,
  updatedAt: 10,
})
const ids = (chosen: readonly ReplayCandidate[]) => chosen.map(({ transcript }) => transcript.id)

describe('the sessions of an experiment', () => {
  it('are each once and in one order, however they were found', () => {
    const [a, b, copy] = [candidate('b'), candidate('a'), candidate('c', { sessionId: 'a', state: 'backup' })]
    expect(ids(chooseSessions([a, b, copy], EVERY_SESSION))).toEqual(['a', 'b'])
    expect(ids(chooseSessions([copy, b, a], EVERY_SESSION))).toEqual(['a', 'b'])
  })

  it('are those of the store, agent, time and ids that are named', () => {
    const all = [candidate('a'), candidate('b', { agent: 'berth' }), candidate('c', { agent: null })]
    expect(ids(chooseSessions(all, { ...EVERY_SESSION, agents: ['berth'] }))).toEqual(['b'])
    expect(ids(chooseSessions(all, { ...EVERY_SESSION, ids: ['c', 'a'] }))).toEqual(['a', 'c'])
    expect(ids(chooseSessions(all, { ...EVERY_SESSION, stores: ['other'] }))).toEqual([])
    expect(ids(chooseSessions(all, { ...EVERY_SESSION, since: 11 }))).toEqual([])
    expect(ids(chooseSessions(all, { ...EVERY_SESSION, since: 10 }))).toHaveLength(3)
  })

  it('are none without a call, and none that cannot be read', () => {
    const all = [candidate('a', {}, 0), candidate('b', {}, null), candidate('c', { problem: 'EACCES' })]
    expect(ids(chooseSessions(all, EVERY_SESSION))).toEqual(['b'])
  })
})
