import { describe, expect, test } from 'vitest'
import type { LogKind } from '../../core/logs/log-kinds'
import { readLogLine } from '../../core/logs/read-log-line'
import { chunkLives } from './chunk-lives'
import type { ColdChunk } from './cold-store'

const T = 2e12
const record = (kind: LogKind, line: object) => {
  const read = readLogLine(kind, JSON.stringify(line))
  if (!read.ok) throw new Error(read.problem)
  return read.record
}
const stored: ColdChunk = {
  ...{ chunkId: 'c', sessionId: 's', at: T, content: 'text', tokens: 7, reason: null, score: null },
  ...{ prompt: null, until: T + 9, place: { entryIds: ['e2'], afterEntryId: null }, file: '/c.json' },
}

describe('the life of a chunk', () => {
  test('Q4 Q6 is joined from logs and cold storage; what is about other chunks is left out', async () => {
    const records = [
      record('drops', { chunk_id: 'c', session_id: 's', timestamp: T }),
      record('drops', { chunk_id: 'd', session_id: 's', timestamp: T }),
      record('recovery', {
        ...{ chunk_ids: ['c', 'd'], session_id: 's', timestamp: T + 1, destination: 'file' },
      }),
    ]
    const [life, ...others] = await chunkLives('c', { records, stored: [stored] }, T + 2)
    expect(others).toEqual([])
    expect(life).toMatchObject({ chunkId: 'c', tokens: 7, state: 'cold' })
    expect(life?.events.map(({ what }) => what)).toEqual(['stored', 'dropped', 'recovered'])
  })

  test('Q6 begins with the entry that its id or its record names, and knows of recoveries that were taken back', async () => {
    const asked: unknown[] = []
    const birthOf = async (sessionId: string, entryIds: readonly string[]) => {
      asked.push([sessionId, entryIds])
      return { at: T - 5 }
    }
    const undone = [{ session: 's', at: T + 1 }]
    const [life] = await chunkLives('c', { records: [], stored: [stored], undone, birthOf }, T + 2)
    expect(asked).toEqual([['s', ['c', 'e2']]])
    expect(life?.events.map(({ what }) => what)).toEqual(['born', 'stored', 'undone'])
  })
})
