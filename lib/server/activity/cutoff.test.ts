import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { serverWorld } from '../../testing/server-world'
import { parseCutoffParams } from '../../view/activity/cutoff'
import { getCutoff, getTrial } from './cutoff'

const sessions = join('store', 'agents', 'main', 'sessions')

function transcript(id: string): string {
  const session = new TranscriptBuilder({ id })
  session.entry('session_info', { name: id })
  session.user('Which berths are free?')
  session.assistant('Berth 4 is free.')
  return session.text()
}

/** Drops are logged of one session; the other one was used later. */
const world = serverWorld(() => ({
  [join(sessions, 'dropped.jsonl')]: transcript('dropped'),
  [join(sessions, 'newest.jsonl')]: transcript('newest'),
  [join('store', 'logs', 'context', 'drops.jsonl')]: `${JSON.stringify({
    ...{ timestamp: '2026-11-01T08:00:00Z', chunk_id: 'c1', session_id: 'dropped', tokens: 100 },
    ...{ reason: 'low_relevance', relevance_score: 0.1, threshold_used: 0.3 },
  })}\n`,
}))

const ANY = parseCutoffParams(() => null)

test('W5 a transcript with drops that cannot be read is named, and no other one takes its place; it is tried once it can', async () => {
  const file = join(world.folder, sessions, 'dropped.jsonl')
  renameSync(file, `${file}.away`)
  expect(await getCutoff(ANY)).toMatchObject({ drops: 1, needsKnown: 0 })
  const { sessions: none, problems } = await getTrial(ANY)
  expect([none, problems]).toEqual([[], [expect.stringContaining('dropped.jsonl')]])
  renameSync(`${file}.away`, file)
  const again = await getTrial(ANY)
  expect([again.sessions.map(({ title }) => title), again.problems]).toEqual([['dropped'], []])
})
