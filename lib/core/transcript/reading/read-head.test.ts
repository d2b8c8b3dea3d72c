import { describe, expect, it } from 'vitest'
import { END_BYTES, HEAD_BYTES, readLineHead } from './read-head'
import { readOutline } from './read-line'

const PLACE = { seq: 4, line: 5, offset: 100, bytes: 0 }

function head(line: string) {
  return readLineHead(line.slice(0, HEAD_BYTES), line.slice(-END_BYTES), PLACE)
}

function message(role: string, more: object = {}, entry: object = {}): string {
  const base = {
    type: 'message',
    id: '0a1b2c3d',
    parentId: 'ffeeddcc',
    timestamp: '2026-11-21T10:00:00.000Z',
  }
  return JSON.stringify({
    ...base,
    message: { role, content: 'x'.repeat(500), timestamp: 1, ...more },
    ...entry,
  })
}

describe('an entry from the first bytes of its line', () => {
  it.each(['user', 'assistant', 'toolResult'])('of a message of %s is where the whole line says', (role) => {
    const line = message(role)
    const whole = readOutline(line, PLACE).fact
    expect(head(line)).toMatchObject({ id: '0a1b2c3d', parentId: 'ffeeddcc', role, type: 'message' })
    // The time is not looked for.
    expect(whole).toMatchObject({ ...head(line), at: whole.at })
  })

  it('knows the first entry, which has no parent', () => {
    expect(head(message('user').replace('"ffeeddcc"', 'null'))?.parentId).toBeNull()
  })

  it.each([
    ['an entry beside its branch', message('user', {}, { appendMode: 'side' })],
    ['a torn line', message('user').slice(0, -9)],
    ['an escaped id', message('user').replace('0a1b', '\\u0030a1b')],
    ['another order of keys', JSON.stringify({ id: 'a', type: 'message', message: { role: 'user' } })],
    ['another role', message('bashExecution')],
    [
      'a compaction',
      JSON.stringify({ type: 'compaction', id: 'a', parentId: null, timestamp: '', summary: '' }),
    ],
    ['rubbish', '{"type":"mess'],
  ])('leaves %s to the one who reads it whole', (_, line) => {
    expect(head(line)).toBeNull()
  })
})
