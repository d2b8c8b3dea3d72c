import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { FoundStore, FoundTranscript, TranscriptState } from '../../engine/read/ports'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import type { ListedTranscript } from './choose-session'
import { newestSession } from './newest-session'

const store: FoundStore = { id: 's', kind: 'openclaw', era: 'jsonl', root: '/r', label: 'r', state: 'ok' }

/** @param mtimeMs time of the file */
function listed(sessionId: string, mtimeMs: number, state: TranscriptState = 'live'): ListedTranscript {
  const transcript: FoundTranscript = {
    id: sessionId,
    storeId: 's',
    sessionId,
    key: null,
    agent: null,
    path: `/r/${sessionId}.jsonl`,
    state,
    stamp: { dev: 1, ino: 1, size: 1, mtimeMs },
    index: null,
  }
  return { store, transcript }
}

const idOf = (number: number) => `0000000${number}-0000-4000-8000-000000000000`

/** Chooses with times of the newest entries by id; `read` tells which were looked at. */
async function chosen(all: readonly ListedTranscript[], times: Record<string, number>) {
  const look = vi.fn(async ({ transcript }: ListedTranscript) => times[transcript.id] ?? null)
  const newest = await newestSession(all, look)
  return { id: newest?.transcript.id, read: look.mock.calls.map(([one]) => one.transcript.id) }
}

describe('R1 the session that is meant when none is named', () => {
  const MINUTE = 60_000
  const all = [listed('old', 90 * MINUTE), listed('new', 80 * MINUTE), listed('still', 10 * MINUTE)]

  it('R1 is the one with the newest entry, not the newest file', async () => {
    expect(await chosen(all, { old: 30 * MINUTE, new: 79 * MINUTE })).toEqual({
      id: 'new',
      read: ['old', 'new'],
    })
  })

  it('R1 a file from another clock bounds nothing', async () => {
    const times = { old: 1, new: 900 * MINUTE, still: 901 * MINUTE }
    expect(await chosen(all, times)).toEqual({ id: 'still', read: ['old', 'new', 'still'] })
  })

  it('R1 is a live one as long as there is any', async () => {
    const copy = listed('copy', 99 * MINUTE, 'reset')
    expect((await chosen([copy, ...all], { copy: 99 * MINUTE, new: 1 })).id).toBe('new')
    expect((await chosen([copy], {})).id).toBe('copy')
    expect((await chosen([], {})).id).toBeUndefined()
  })

  it.each(['status', 'health', 'score', 'prune'])(
    'R1 plimsoll %s without SESSION takes what plimsoll sessions lists first',
    async (verb) => {
      const folder = temporaryFolder()
      const sessions = [1, 2, 3].map(idOf).map((id, day) => {
        const session = new TranscriptBuilder({ id })
        session.user('Which berth is free?', { timestamp: `2026-11-0${day + 1}T08:00:00.000Z` })
        session.assistant('Four.', {
          usage: { input: 900, output: 3 },
          over: { timestamp: `2026-11-0${day + 1}T08:00:01.000Z` },
        })
        return { name: `.pi/agent/sessions/--w--/2026-11-01T00-00-00-000Z_${id}.jsonl`, text: session.text() }
      })
      writeFiles(folder, Object.fromEntries(sessions.map(({ name, text }) => [name, text])))
      // As after a restore: the oldest session has the newest file.
      sessions.forEach(({ name }, i) => {
        const at = new Date(Date.parse('2026-11-20T00:00:00Z') - i * MINUTE)
        utimesSync(join(folder, name), at, at)
      })
      const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state') }
      const json = async (...argv: string[]) =>
        JSON.parse((await runCli([...argv, '--json'], { env })).stdout)
      const [first] = (await json('sessions')).sessions
      expect(first.id).toBe(idOf(3))
      const said = await json(verb)
      expect(said.session.id ?? said.session).toBe(idOf(3))
    },
  )
})
