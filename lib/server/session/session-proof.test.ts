import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RecordedRequests } from '../../testing/builders/recorded-requests'
import { serverWorld } from '../../testing/server-world'
import { proofSentences } from '../../view/session/seen'
import { DEFAULT_LIST_PARAMS } from '../../view/session-list/session-list'
import { getSessionList } from '../session-list/session-list'
import { getCallProof } from './session-proof'

function voyage(): RecordedRequests {
  const script = new RecordedRequests()
  const asked = script.user('Where is the barrel?')
  const first = script.request([asked])
  const answer = script.assistant('m1', { type: 'text', text: 'In the hold.' })
  const thanks = script.user('Thanks.')
  script.request([answer, thanks], { base: first, keep: 1 })
  script.assistant('m2', { type: 'text', text: 'Aye.' })
  return script
}

const HERE = 'projects/-w'
const whole = voyage().text()
const named = (name: string, text: string) =>
  `${text}${JSON.stringify({ type: 'custom-title', customTitle: name, sessionId: name })}\n`

const world = serverWorld(() => ({
  [`store/${HERE}/whole.jsonl`]: named('whole', whole),
  [`store/${HERE}/changed.jsonl`]: named('changed', whole.replace('In the hold.', 'In the mast.')),
  [`store/${HERE}/older.jsonl`]: named('older', whole.replace(/^.*"api-request.*\n/gm, '')),
}))

async function idOf(session: string): Promise<string> {
  const { rows } = await getSessionList(DEFAULT_LIST_PARAMS, 0)
  const row = rows.find(({ title }) => title === session)
  if (row === undefined) throw new Error(`${session} is not listed`)
  return row.id
}

test('a page says of a call whether it is proved, and of how many all are', async () => {
  const id = await idOf('whole')
  const proof = await getCallProof(id, 2)
  expect(proof).toEqual({
    totals: { requests: 2, rebuilt: 2, proved: 2 },
    request: { unproved: null, cacheBreaks: 1 },
  })
  if (proof !== null)
    expect(proofSentences(proof)).toBe(
      'This call is proved: what the transcript has of it, system prompt and tools included, has the hashes of what the client sent. The cache breaks at 1 place of it. 2 of 2 requests that this session records are proved.',
    )
  expect(await getCallProof(id, 3)).toBeNull()
  expect(await getCallProof('none', 1)).toBeNull()
})

test('a call with another text is not proved, and one without a record says nothing', async () => {
  const changed = await idOf('changed')
  expect(await getCallProof(changed, 1)).toMatchObject({ request: { unproved: null } })
  expect(await getCallProof(changed, 2)).toMatchObject({
    totals: { requests: 2, proved: 1 },
    request: { unproved: 'missing' },
  })
  const older = await getCallProof(await idOf('older'), 2)
  expect(older).toEqual({ totals: null, request: null })
  expect(older && proofSentences(older)).toBe('')
})

test('what is appended is proved with the next reading', async () => {
  const id = await idOf('whole')
  const script = voyage()
  const before = script.lines.length
  const more = script.user('And the tusks?')
  script.request([more])
  script.assistant('m3', { type: 'text', text: 'Sold.' })
  const lines = script.lines.slice(before).map((line) => `${JSON.stringify(line)}\n`)
  appendFileSync(join(world.folder, 'store', HERE, 'whole.jsonl'), lines.join(''))
  await world.ingest()
  expect(await getCallProof(id, 3)).toMatchObject({
    totals: { requests: 3, proved: 3 },
    request: { unproved: null },
  })
})
