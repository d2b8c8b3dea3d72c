import { describe, expect, it } from 'vitest'
import { ChunkLives } from './chunk-life'
import type { LogKind } from './log-kinds'
import { readLogLine } from './read-log-line'

const HOUR = 3_600_000
const record = (kind: LogKind, line: object) => {
  const read = readLogLine(kind, JSON.stringify(line))
  if (!read.ok) throw new Error(read.problem)
  return read.record
}
const dropped = (at: number, more: object = {}) =>
  record('drops', { chunk_id: 'c', session_id: 's', timestamp: at || 1e12, reason: 'low_relevance', ...more })
const T = 2e12
const stored = { chunkId: 'c', sessionId: 's', at: T, tokens: 70, reason: null, recoverableUntil: T + HOUR }

describe('Q4 Q6 the life of a chunk', () => {
  it('is shown from birth to expiry, whatever order the sources come in', () => {
    const lives = new ChunkLives()
    lives.logged(dropped(T, { relevance_score: 0.15 }))
    lives.stored(stored)
    lives.born({ chunkId: 'c', sessionId: 's', at: T - HOUR, tokens: null })
    const [life, ...others] = lives.lives(T + 2 * HOUR)
    expect(others).toEqual([])
    expect(life).toMatchObject({ chunkId: 'c', sessionId: 's', tokens: 70, state: 'expired' })
    expect(life?.events.map(({ what }) => what)).toEqual(['born', 'stored', 'dropped', 'expired'])
    expect(life?.events[2]?.facts).toMatchObject({ reason: 'low_relevance', relevanceScore: 0.15 })
    expect(lives.lives(T + 1)[0]?.state).toBe('cold')
  })

  it.each([
    ['context', 'in-context'],
    ['stdout', 'cold'],
    ['file', 'cold'],
  ])('recovered into %s: it is %s', (destination, state) => {
    const lives = new ChunkLives()
    lives.stored(stored)
    lives.logged(dropped(T))
    lives.logged(record('recovery', { chunk_ids: ['c'], session_id: 's', timestamp: T + 1, destination }))
    expect(lives.lives(T + 2)[0]?.state).toBe(state)
  })

  it('a recovery that was taken back leaves it in cold storage', () => {
    const lives = new ChunkLives()
    lives.stored(stored)
    lives.logged(dropped(T))
    lives.logged(
      record('recovery', { chunk_id: 'c', session_id: 's', timestamp: T + 1, destination: 'transcript' }),
    )
    lives.undone('c', 's', T + 2)
    expect(lives.lives(T + 3)[0]).toMatchObject({ state: 'cold' })
    expect(lives.lives(T + 3)[0]?.events.at(-1)).toMatchObject({ what: 'undone', at: T + 2 })
  })

  it('I7 a recovery into a live context that the log says was taken back leaves it in cold storage, too', () => {
    const lives = new ChunkLives()
    lives.stored(stored)
    const line = { chunk_id: 'c', session_id: 's', destination: 'context' }
    lives.logged(record('recovery', { ...line, timestamp: T + 1 }))
    lives.logged(record('recovery', { ...line, timestamp: T + 2, event: 'recovery_undone' }))
    const [life] = lives.lives(T + 3)
    expect(life?.state).toBe('cold')
    expect(life?.events.map(({ what }) => what)).toEqual(['stored', 'recovered', 'undone'])
  })

  it('without a record in cold storage it is gone; once purged, purged', () => {
    const lives = new ChunkLives()
    lives.logged(dropped(T))
    expect(lives.lives(T)[0]?.state).toBe('gone')
    lives.purged('c', 's', T + 1)
    expect(lives.lives(T)[0]?.state).toBe('purged')
  })

  it('what names no session joins the only one; the same id in two sessions are two chunks', () => {
    const lives = new ChunkLives()
    lives.logged(dropped(T))
    lives.logged(record('recovery', { chunk_id: 'c', timestamp: T + 1 }))
    expect(lives.lives(T)).toMatchObject([{ sessionId: 's', state: 'in-context' }])
    lives.logged(dropped(T, { session_id: 'other' }))
    expect(lives.lives(T).map(({ sessionId }) => sessionId)).toEqual(['s', null, 'other'])
  })
})
