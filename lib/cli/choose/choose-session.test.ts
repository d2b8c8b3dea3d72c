import { describe, expect, it } from 'vitest'
import type { FoundStore, FoundTranscript, TranscriptState } from '../../engine/read/ports'
import { chooseSession, type ListedTranscript } from './choose-session'

const store: FoundStore = { id: 's', kind: 'openclaw', era: 'jsonl', root: '/r', label: 'r', state: 'ok' }

function listed(
  sessionId: string,
  options: { key?: string; state?: TranscriptState; at?: number } = {},
): ListedTranscript {
  const { key = null, state = 'live', at = 0 } = options
  const transcript: FoundTranscript = {
    id: `t-${sessionId}-${state}`,
    storeId: 's',
    sessionId,
    key,
    agent: null,
    path: `/r/${sessionId}.jsonl`,
    state,
    stamp: { dev: 1, ino: 1, size: 1, mtimeMs: at },
    index: null,
  }
  return { store, transcript }
}

const all = [
  listed('aaa1', { key: 'agent:main:main', at: 5 }),
  listed('aaa2', { key: 'agent:main:cron:x', at: 9 }),
  listed('aaa1', { state: 'reset', at: 99 }),
  listed('old', { state: 'deleted', at: 1 }),
]

describe('SESSION on the command line', () => {
  it.each([
    ['aaa1', 'aaa1'],
    ['agent:main:main', 'aaa1'],
    ['agent:main:c', 'aaa2'],
    ['old', 'old'],
    ['t-aaa2', 'aaa2'],
  ])('%s means %s', (wanted, id) => {
    const choice = chooseSession(all, wanted)
    expect(choice.kind === 'one' && choice.found.transcript.sessionId).toBe(id)
  })

  it('means the live transcript, not its archived copies', () => {
    const choice = chooseSession(all, 'aaa1')
    expect(choice.kind === 'one' && choice.found.transcript.state).toBe('live')
  })

  it('names the candidates when several fit', () => {
    const choice = chooseSession(all, 'aaa')
    expect(choice.kind === 'many' && choice.candidates.map((c) => c.transcript.sessionId)).toEqual([
      'aaa2',
      'aaa1',
    ])
  })

  it('finds nothing where nothing is', () => {
    expect(chooseSession(all, 'zzz')).toEqual({ kind: 'none' })
    expect(chooseSession([], '')).toEqual({ kind: 'none' })
  })
})
