import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import { verifyRemedy } from './verify-remedy'
import type { WatchedRemedy } from './watched-remedy'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 20)
const APPLIED = NOW - 6 * DAY

const STORE: FoundStore = { id: 'st', kind: 'pi', era: 'jsonl', root: '/s', label: 's', state: 'ok' }
const WATCHED: WatchedRemedy = {
  ...{ receipt: 'r1', at: APPLIED, undoneAt: null, finding: 'f', kind: 'k', file: '/s/settings.json' },
  ...{ key: 'compaction.keepRecentTokens', from: null, to: 1, storeId: 'st', session: null },
  ...{ agent: 'main', model: 'claude-sonnet-4-5', measure: 'prompt', foreseen: null },
}

/** Eight sessions of five calls at a moment, with prompts of about so many tokens. */
function sessionsAt(name: string, at: number, prompt: number, agent = 'main') {
  return Array.from({ length: 8 }, (_, i) => {
    const builder = new TranscriptBuilder({ id: `${name}${i}` })
    const over = { timestamp: new Date(at).toISOString() }
    for (let call = 0; call < 5; call++) {
      builder.user('Go.', over)
      builder.assistant('Yes.', { usage: { input: prompt + ((i * 7 + call) % 5) * 300, output: 5 }, over })
    }
    const transcript: FoundTranscript = {
      ...{
        id: `${name}${i}`,
        session: null,
        storeId: 'st',
        sessionId: `${name}${i}`,
        key: null,
        agent,
        path: `/s/${name}${i}`,
      },
      ...{ state: 'live', stamp: { dev: 1, ino: i, size: 1, mtimeMs: at }, index: null },
    }
    return { transcript, facts: builder.facts() }
  })
}

function verify(sessions: ReturnType<typeof sessionsAt>, watched = WATCHED) {
  const reader = {
    read: async function* (_: FoundStore, { id }: FoundTranscript) {
      const facts = sessions.find(({ transcript }) => transcript.id === id)?.facts
      if (facts !== undefined) yield { facts }
    },
  } as unknown as StoreReader
  const listed = sessions.map(({ transcript }) => ({ store: STORE, transcript }))
  return verifyRemedy({ reader, listed }, watched, NOW)
}

const before = sessionsAt('b', APPLIED - DAY, 20_000)

describe('an applied remedy', () => {
  it('is to be taken back once it has been worse for three days', async () => {
    const early = sessionsAt('e', APPLIED + DAY, 30_000)
    const worse = await verify([...before, ...early])
    expect(worse.verdict).toMatchObject({ kind: 'worse', callsBefore: 40, callsAfter: 40 })
    expect(worse.takeBack).toEqual(['plimsoll', 'undo', 'r1'])
    const fresh = await verify([...before, ...sessionsAt('l', NOW - DAY, 30_000)])
    expect([fresh.verdict?.kind, fresh.takeBack]).toEqual(['worse', null])
  })

  it('is compared with calls of the same agent, of two weeks, and until it was taken back', async () => {
    const others = [
      ...sessionsAt('o', APPLIED + DAY, 90_000, 'other'),
      ...sessionsAt('x', APPLIED - 20 * DAY, 90_000),
    ]
    const after = sessionsAt('a', APPLIED + DAY, 15_000)
    expect((await verify([...before, ...others, ...after])).verdict).toMatchObject({
      ...{ kind: 'helped', callsBefore: 40, callsAfter: 40 },
    })
    const undone = await verify([...before, ...after], { ...WATCHED, undoneAt: APPLIED + DAY - 1 })
    expect(undone.verdict).toMatchObject({ kind: 'not-enough', callsAfter: 0, missingAfter: 30 })
  })

  it('that shows in no call is not measured', async () => {
    const { verdict, measure } = await verify(before, { ...WATCHED, measure: null })
    expect([verdict, measure]).toEqual([null, null])
  })
})
