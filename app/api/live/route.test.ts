import { NextRequest } from 'next/server'
import { expect, it } from 'vitest'
import { secretHash } from '../../../lib/config/token'
import { cookieName } from '../../../lib/core/access/credentials'
import { answerAtDoor } from '../../../lib/server/access/door'
import { doorState } from '../../../lib/server/access/door-state'
import { serverName } from '../../../lib/server/access/signed-in'
import { serverWorld } from '../../../lib/testing/server-world'
import { GET } from './route'

const HOST = '127.0.0.1:4000'

serverWorld(() => ({}))

/** The line of a browser whose session has this id. */
async function lineOf(id: string) {
  doorState().sessions.open(secretHash(id), Date.now())
  const cookie = `${cookieName(serverName(HOST), false)}=${id}`
  const headers = { host: HOST, cookie }
  const { body } = await GET(new NextRequest(`http://${HOST}/api/live`, { headers }))
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  const heard = async () => decoder.decode((await reader?.read())?.value)
  expect(await heard()).toContain('event: hello')
  return { cookie, heard, hangUp: () => reader?.cancel() }
}

async function signOut(cookie: string) {
  return answerAtDoor({
    method: 'POST',
    url: '/sign-out',
    host: HOST,
    origin: null,
    fetchSite: 'same-origin',
    fetchMode: 'cors',
    contentLength: '0',
    transferEncoding: null,
    authorization: null,
    cookie,
    address: '127.0.0.1',
    secure: false,
    form: async () => new URLSearchParams(),
  })
}

it('X20 a line ends when its session is signed out, before the next beat; lines of others go on', async () => {
  const one = await lineOf('one')
  const other = await lineOf('other')
  // The next beat is seconds away.
  for (const { heard } of [one, other]) while (!(await heard()).includes('event: beat'));
  const within = (heard: Promise<string>) =>
    Promise.race([heard, new Promise<string>((done) => setTimeout(done, 200, 'nothing'))])
  expect(await signOut(one.cookie)).toMatchObject({ kind: 'done' })
  expect(await within(one.heard())).toBe('')
  expect(await within(other.heard())).toBe('nothing')
  await other.hangUp()
})
