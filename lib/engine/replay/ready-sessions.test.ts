import { describe, expect, it } from 'vitest'
import { packReplay } from '../../core/replay/pack-replay'
import { NO_PRICES } from '../../core/tokens/own-prices'
import { forgetfulSession } from '../../testing/builders/forgetful-session'
import { memorySession } from '../../testing/memory-session'
import { prepareSession } from './prepare-session'
import { oneReadySession } from './ready-sessions'
import { inlineExecutor } from './replay-executor'
import type { PreparedSessions, ReplayCandidate } from './replay-ports'

const STAMP = { dev: 1, ino: 2, size: 3, mtimeMs: 4 }
const UNREAD = { dev: 0, ino: 0, size: 0, mtimeMs: 0 }

/** A session, what keeps it, and how often a thread was asked for. */
async function one(prepared: PreparedSessions, stamp: typeof STAMP) {
  const { reader, store, transcript } = await memorySession(forgetfulSession(1))
  const candidate: ReplayCandidate = {
    ...{ store, transcript: { ...transcript, stamp }, title: 's1', calls: null, updatedAt: null },
  }
  const refused = { of: () => [{ transcriptId: transcript.id, entry: 32, text: 'src/harbour/berth-1.ts' }] }
  const whole = await prepareSession(reader, store, candidate.transcript)
  let asked = 0
  const executor = async () => {
    asked += 1
    return inlineExecutor({ reader, prepared, refused: null, prices: NO_PRICES })
  }
  const read = (of = candidate) => oneReadySession(executor, { prepared, refused }, of)
  return { candidate, whole, read, asked: () => asked }
}

const never: PreparedSessions = {
  read: () => null,
  keep: () => Promise.reject(new Error('database is locked')),
}

describe('L1 one session that is made ready for replay', () => {
  it('is ready where it cannot be kept: it is being read again, or the database is locked', async () => {
    for (const stamp of [UNREAD, STAMP]) {
      const { whole, read } = await one(never, stamp)
      const made = await read()
      expect(whole.needs.count).toBe(1)
      expect(made).toMatchObject({ ok: true, session: { transcriptId: whole.transcriptId } })
      // What the operator refused counts, whoever has made it.
      expect(made.ok && [made.session.needs.count, made.session.excluded.refused > 0]).toEqual([0, true])
    }
  })

  it('is taken as it was kept, else made once', async () => {
    const kept = new Map<string, Uint8Array>()
    const memory: PreparedSessions = {
      read: (id, source) => kept.get(`${id} ${source}`) ?? null,
      keep: async (id, source, packed) => void kept.set(`${id} ${source}`, packed),
    }
    const { whole, read, asked } = await one(memory, STAMP)
    const first = await read()
    expect([...kept.values()]).toEqual([packReplay(whole)])
    expect(await read()).toEqual(first)
    expect(asked()).toBe(1)
  })

  it('says why it is not ready', async () => {
    const { candidate, read } = await one(never, STAMP)
    const gone = { ...candidate, transcript: { ...candidate.transcript, path: '/gone.jsonl' } }
    expect(await read(gone)).toEqual({ ok: false, problem: '/gone.jsonl is not there' })
  })
})
