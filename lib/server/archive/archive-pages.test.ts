import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { oneAnswer } from '../../testing/builders/one-answer'
import { serverWorld } from '../../testing/server-world'
import { DEFAULT_LIST_PARAMS } from '../../view/session-list/session-list'
import { getOverview } from '../overview/overview'
import { readEntryText } from '../session/entry-source'
import { streamCallsCsv } from '../session/session-export'
import { findInSession } from '../session/session-find'
import { getSessionSummary } from '../session/session-page'
import { getSession } from '../session/session-record'
import { getSessionList } from '../session-list/session-list'
import { getStores } from '../stores/stores'

const DAY = 86_400_000

const world = serverWorld(() => ({
  'store/openclaw.json': '{ "meta": { "lastTouchedVersion": "2026.7.1" } }',
  'store/agents/main/sessions/anchor.jsonl': oneAnswer('anchor', 'Where is the barnacle?'),
  'store/agents/main/sessions/beacon.jsonl': oneAnswer('beacon', 'Is the light on?'),
  '.config/plimsoll/plimsoll.yaml': 'archive: { enabled: true }',
}))
const file = (name: string) => join(world.folder, 'store/agents/main/sessions', `${name}.jsonl`)

async function idOf(name: string): Promise<string> {
  const { rows } = await getSessionList({ ...DEFAULT_LIST_PARAMS, q: '' }, 0)
  const row = rows.find(({ title }) => title === name)
  if (row === undefined) throw new Error(`${name} is not listed`)
  return row.id
}

test('the Stores page names what is deleted within a week, and whether it is kept', async () => {
  const { archive: before } = await getStores()
  expect(before).toMatchObject({ enabled: true, transcripts: 2, due: [], dueTotal: 0 })
  const old = Math.floor((Date.now() - 29 * DAY) / 1000)
  utimesSync(file('beacon'), old, old)
  await world.ingest()
  const { archive } = await getStores()
  expect(archive).toMatchObject({
    dueTotal: 1,
    due: [
      { title: 'beacon', path: file('beacon'), rule: 'session.maintenance.pruneAfter is 30d', isKept: true },
    ],
  })
})

test('the Overview counts them while the archive is off', async () => {
  const settings = join(world.folder, '.config/plimsoll/plimsoll.yaml')
  // It is put together once a minute.
  let minutes = 0
  const ask = () => getOverview({ period: 30, now: Date.now() + ++minutes * 60_000 })
  expect((await ask()).unkept).toBe(0)
  writeFileSync(settings, 'archive: { enabled: false }')
  try {
    await expect.poll(async () => (await ask()).unkept, { timeout: 15_000 }).toBeGreaterThan(0)
  } finally {
    writeFileSync(settings, 'archive: { enabled: true }')
  }
})

test('a session whose transcript was deleted is read, searched and exported, and its page says so', async () => {
  const id = await idOf('anchor')
  expect((await getSessionSummary(id))?.gone).toBeNull()
  rmSync(file('anchor'))
  await world.ingest()
  const summary = await getSessionSummary(id)
  expect(summary?.head.state).toBe('gone')
  expect(summary?.gone).toEqual({
    words: expect.stringMatching(/^Found deleted on .* UTC, kept in the archive\.$/),
    command: `plimsoll archive restore ${id} --apply`,
  })
  const found = await findInSession(id, 'barnacle')
  expect(found?.hits.map(({ seq }) => seq)).toEqual([2])
  const detail = await getSession(id)
  if (detail === null) throw new Error('no session')
  const line = oneAnswer('anchor', 'Where is the barnacle?').split('\n')[2] ?? ''
  const offset = oneAnswer('anchor', 'Where is the barnacle?').indexOf(line)
  expect(await readEntryText(detail, { seq: 2, offset, bytes: line.length })).toBe(line)
  const csv = await new Response(await streamCallsCsv(id)).text()
  expect(csv.trim().split('\n')).toHaveLength(2)
})
