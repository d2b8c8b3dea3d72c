import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { serverWorld } from '../../testing/server-world'
import { DEFAULT_LIST_PARAMS } from '../../view/session-list/session-list'
import { getOverview } from '../overview/overview'
import { getSessionList } from '../session-list/session-list'
import { getCallPage, getContextTab, getFrames, getSessionSummary } from './session-page'

/** A session of calls with these prompts, in tokens. */
function session(name: string, ...prompts: number[]): string {
  const builder = new TranscriptBuilder({ id: name })
  builder.entry('session_info', { name })
  for (const input of prompts) {
    builder.user('Where are we?')
    builder.assistant('At sea.', {
      model: 'claude-sonnet-4-5',
      usage: { input, output: 20, cost: 0.01 },
    })
  }
  return builder.text()
}

const world = serverWorld(() => ({
  'store/anchor.jsonl': session('anchor', 40_000, 120_000, 60_000),
  'store/beacon.jsonl': session('beacon', 90_000),
  'store/capstan.jsonl': session('capstan'),
}))

async function idOf(title: string): Promise<string> {
  const { rows } = await getSessionList(DEFAULT_LIST_PARAMS, 0)
  const row = rows.find((one) => one.title === title)
  if (row === undefined) throw new Error(`${title} is not listed`)
  return row.id
}

test('X2: the list counts all sessions, fullest first, and has an end', async () => {
  const all = await getSessionList({ ...DEFAULT_LIST_PARAMS, sort: 'fill' }, 0)
  expect(all.total).toBe(3)
  expect(all.rows.map(({ title, calls }) => [title, calls])).toEqual([
    ['beacon', 1],
    ['anchor', 3],
    ['capstan', 0],
  ])
  expect(await getSessionList({ ...DEFAULT_LIST_PARAMS, state: 'reset' }, 0)).toMatchObject({
    total: 0,
    rows: [],
  })
  const beyond = await getSessionList(DEFAULT_LIST_PARAMS, 3)
  expect([beyond.rows, beyond.total]).toEqual([[], 3])
})

test('X1: a session page has its head, exact calls, and frames of the range that is asked for', async () => {
  const id = await idOf('anchor')
  expect(await getSessionSummary(id)).toMatchObject({ head: { title: 'anchor', calls: 3 }, mirror: null })
  const page = await getCallPage(id, 0)
  expect([...(page?.total ?? [])]).toEqual([40_000, 120_000, 60_000])
  const part = await getFrames(id, { from: 2, to: 3 }, 100)
  expect([part?.first, part?.total]).toEqual([
    [2, 3],
    [120_000, 60_000],
  ])
  const tab = await getContextTab(id, { call: null, range: { from: 1, to: 2 } })
  expect([tab?.all.drawn, tab?.zoomed?.drawn]).toEqual([
    [1, 2, 3],
    [1, 2],
  ])
})

test('what there is no session of has no page', async () => {
  expect(await getSessionSummary('nope')).toBeNull()
  expect(await getFrames('nope', null, 10)).toBeNull()
  expect(await getCallPage('nope', 0)).toBeNull()
  expect(await getContextTab('nope', { call: null, range: null })).toBeNull()
})

test('X9: the Overview counts the calls and their cost; a new call shows on it, on the list and on the page', async () => {
  const now = Date.now()
  const before = await getOverview({ period: 30, now })
  const id = await idOf('anchor')
  expect((await getSessionSummary(id))?.head.calls).toBe(3)
  const more = session('anchor', 40_000, 120_000, 60_000, 150_000).split('\n').slice(-3)
  appendFileSync(join(world.folder, 'store', 'anchor.jsonl'), more.join('\n'))
  await world.ingest()
  expect((await getSessionSummary(id))?.head.calls).toBe(4)
  expect([...((await getCallPage(id, 0))?.total ?? [])].at(-1)).toBe(150_000)
  expect((await getSessionList({ ...DEFAULT_LIST_PARAMS, sort: 'fill' }, 0)).rows[0]).toMatchObject({
    id,
    calls: 4,
  })
  const after = await getOverview({ period: 30, now })
  expect(JSON.stringify(after)).not.toBe(JSON.stringify(before))
})
