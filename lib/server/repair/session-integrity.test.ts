import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { serverWorld } from '../../testing/server-world'
import { DEFAULT_LIST_PARAMS } from '../../view/session-list/session-list'
import { getJobs } from '../jobs/jobs'
import { getSessionList } from '../session-list/session-list'
import { getIntegrity, repairSession } from './session-integrity'

/** Has the form of a credential, and is none. */
const SECRET = ['gh', 'p_', 'Zx81Qw72Er63Ty54Ui45Op36'].join('')

function damaged(title: string): string {
  const session = new TranscriptBuilder({ id: title })
  session.entry('session_info', { name: title })
  session.user('Which berths are free?')
  session.assistant('', { calls: ['berths'] })
  session.user('Are you there?')
  session.result('nobody', `lost ${SECRET}`)
  session.assistant('Berth 4 is free.')
  return session.text()
}

function sound(title: string): string {
  const session = new TranscriptBuilder({ id: title })
  session.entry('session_info', { name: title })
  session.user('Which berths are free?')
  session.assistant('Berth 4 is free.')
  return session.text()
}

const sessions = join('store', 'agents', 'main', 'sessions')
const world = serverWorld(() => ({
  [join(sessions, 'hurt.jsonl')]: damaged('hurt'),
  [join(sessions, 'moved.jsonl')]: damaged('moved'),
  [join(sessions, 'sound.jsonl')]: sound('sound'),
}))

async function checked(title: string) {
  const { rows } = await getSessionList(DEFAULT_LIST_PARAMS, 0)
  const id = rows.find((row) => row.title === title)?.id ?? ''
  const answer = await getIntegrity(id)
  if (answer?.kind !== 'checked') throw new Error(JSON.stringify(answer))
  return { id, view: answer.view }
}

const bytes = (title: string) => readFileSync(join(world.folder, sessions, `${title}.jsonl`), 'utf8')

test('X5: names each entry that a repair changes, shows no credential, and writes nothing', async () => {
  const before = bytes('hurt')
  const { view } = await checked('hurt')
  expect(view.readOnly).toBeNull()
  expect(view.verdict.tone).not.toBe('ok')
  expect(view.steps.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['insert', 'drop']))
  expect(JSON.stringify(view.steps)).toContain('lost ')
  expect(JSON.stringify(view)).not.toContain(SECRET)
  expect(bytes('hurt')).toBe(before)
})

test('a sound session has no steps, and a session that is not there no answer', async () => {
  const { view } = await checked('sound')
  expect([view.verdict.tone, view.steps, view.changes]).toEqual(['ok', [], 0])
  expect(await getIntegrity('nope')).toBeNull()
  expect(await repairSession('nope', 'x')).toMatchObject({ kind: 'refused' })
})

test('a repair is a job with a receipt and a backup; what is repaired needs none', async () => {
  const { id, view } = await checked('hurt')
  const answer = await repairSession(id, view.hash ?? '')
  expect(answer).toMatchObject({ kind: 'repaired', backup: expect.stringContaining('backups') })
  const { view: after } = await checked('hurt')
  expect([after.steps, after.hash === view.hash]).toEqual([[], false])
  const { ended } = await getJobs(1)
  expect(ended[0]).toMatchObject({ state: 'done' })
  expect(await repairSession(id, after.hash ?? '')).toEqual({ kind: 'unchanged' })
})

test('what has changed since the page was made is not repaired', async () => {
  const { id, view } = await checked('moved')
  appendFileSync(join(world.folder, sessions, 'moved.jsonl'), '{"type":"custom","id":"x","parentId":null}\n')
  const before = bytes('moved')
  expect(await repairSession(id, view.hash ?? '')).toMatchObject({ kind: 'refused' })
  expect(bytes('moved')).toBe(before)
})
