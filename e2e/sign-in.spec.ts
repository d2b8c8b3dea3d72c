import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { BROKEN_ADDRESSES } from '../lib/testing/hostile/addresses'
import { actionRequest, requestsWithoutToken } from '../lib/testing/hostile/local-account'
import { serverAtOtherPort } from '../lib/testing/hostile/other-port'
import { expectAccessible, expectAccessibleInBothThemes } from './accessible'
import { rawRequest } from './raw-request'
import { startPlimsoll } from './start-plimsoll'
import { dashboard, type WorldPlan } from './world'

/** A dashboard as it starts by itself: with the token that it made. */
const test = dashboard({
  name: 'sign-in',
  write: () => ({ PLIMSOLL_TOKEN: '' }),
  view: ({ url, port, folder }) => ({
    url,
    port,
    folder,
    token: readFileSync(join(folder, 'state', 'token'), 'utf8').trim(),
  }),
}).extend<{
  /** A new link, as the command line prints it. */
  readonly newLink: () => Promise<string>
}>({
  extraHTTPHeaders: {},
  newLink: async ({ world }, use) => {
    await use(async () => {
      const { code, stdout, stderr } = await startPlimsoll(
        ['sign-in', '--port', String(world.port)],
        world.folder,
        { PLIMSOLL_TOKEN: '' },
      ).ended
      if (code !== 0) throw new Error(stderr)
      return stdout.trim()
    })
  },
})

const CHOSEN_TOKEN = 'chosen-by-somebody'
/** A dashboard whose operator chose the token. */
const CHOSEN: WorldPlan = { name: 'chosen', write: () => ({ PLIMSOLL_TOKEN: CHOSEN_TOKEN }) }

/** Another address of this machine, where it has one: wrong tokens from there do not slow down who signs in here. */
const ELSEWHERE = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {}

const DIST = process.env.PLIMSOLL_DIST || fileURLToPath(new URL('../.next', import.meta.url))
const tokenField = (page: Page) => page.getByLabel('Token')
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

async function sessionCookie(context: BrowserContext) {
  return (await context.cookies()).find(({ name }) => name.startsWith('plimsoll_session'))
}

test.describe('X20 another account on this machine', () => {
  test('A-1: sees nothing and does nothing without the token, which only its owner can read', async ({
    world,
  }) => {
    const state = join(world.folder, 'state')
    expect(statSync(join(state, 'token')).mode & 0o777).toBe(0o600)
    expect(statSync(state).mode & 0o777).toBe(0o700)
    for (const { method, path, headers, body } of requestsWithoutToken()) {
      const { status, body: answer } = await rawRequest(world.url + path, {
        method,
        headers: { ...headers },
        ...(body === undefined ? {} : { body }),
        ...ELSEWHERE,
      })
      expect(status, `${method} ${path} ${JSON.stringify(headers)}`).toBe(401)
      expect(answer).not.toContain(world.token)
    }
  })

  test('A-1: saves no hook, not even with the token: what acts is not changed over the web', async ({
    world,
  }) => {
    const file = join(world.folder, '.config', 'plimsoll', 'plimsoll.yaml')
    mkdirSync(dirname(file), { recursive: true })
    const before = 'policy: { lines: { compact: { at: 0.5 } } }\n'
    writeFileSync(file, before)
    const { createHash } = await import('node:crypto')
    const save = async (text: string, headers: Record<string, string>) => {
      const input = {
        path: file,
        baseHash: createHash('sha256').update(before).digest('hex'),
        baseText: before,
        text,
      }
      const request = actionRequest(DIST, 'savePolicy', '/policies', [input])
      return rawRequest(`${world.url}/policies`, { ...request, headers: { ...request.headers, ...headers } })
    }
    const hook = `${before}hooks: { beforeCompaction: ["id > rce"] }\n`
    expect((await save(hook, {})).status).toBe(401)
    const refused = await save(hook, bearer(world.token))
    expect(refused.status).toBe(200)
    expect(refused.body).toContain('cannot be changed on this page')
    expect(readFileSync(file, 'utf8')).toBe(before)
    const saved = await save(before.replace('0.5', '0.6'), bearer(world.token))
    expect(saved.body).toContain('"kind":"saved"')
    expect(readFileSync(file, 'utf8')).toContain('0.6')
  })

  test('is let in where the operator allows that, and every page says so', async ({
    page,
    folder,
    serve,
  }) => {
    const contradiction = await startPlimsoll(['serve', '--open-to-local-users', '--port', '0'], folder).ended
    expect(contradiction).toMatchObject({ code: 3, stderr: expect.stringContaining('PLIMSOLL_TOKEN') })
    const open = await serve(folder, { PLIMSOLL_TOKEN: '', PLIMSOLL_OPEN_TO_LOCAL_USERS: '1' })
    expect(open.signInLink).toBeNull()
    await page.goto(`${open.url}/help`)
    await expect(page.getByRole('list', { name: 'Safety of this dashboard' })).toContainText('Every account')
    await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(0)
    await expectAccessible(page)
    const foreign = { Origin: 'http://evil.example' }
    expect((await rawRequest(`${open.url}/help`, { headers: foreign })).status).toBe(403)
    expect(existsSync(join(folder, 'state', 'token'))).toBe(false)
  })
})

test.describe('X20 signing in', () => {
  test('is asked for by a separate page, which takes the token and goes where one wanted to', async ({
    page,
    world,
  }) => {
    const answer = await page.goto(`${world.url}/sessions?q=a%26b`)
    expect(answer?.status()).toBe(401)
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(tokenField(page)).toBeFocused()
    await expectAccessible(page, 'anything')
    await tokenField(page).fill('not the token')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('This is not the token')
    await expectAccessible(page, 'anything')
    await tokenField(page).fill(world.token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
    expect(page.url()).toBe(`${world.url}/sessions?q=a%26b`)
  })

  test('fits 360 px, in both themes', async ({ page, world }) => {
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto(`${world.url}/sessions`)
    await expectAccessibleInBothThemes(page, 'anything')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })

  test('by a link works once; the session is an id, kept from scripts and other sites', async ({
    page,
    context,
    browser,
    newLink,
    world,
  }) => {
    const link = await newLink()
    await page.goto(link)
    await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
    expect(page.url()).toBe(`${world.url}/`)
    const cookie = await sessionCookie(context)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(cookie?.name).toMatch(new RegExp(`^plimsoll_session_[0-9a-f]{8}_${world.port}$`))
    expect(cookie?.value).toMatch(/^[\w-]{43}$/)
    for (const secret of [world.token, new URL(link).searchParams.get('token')])
      expect(cookie?.value).not.toBe(secret)
    expect(await page.evaluate(() => document.cookie)).not.toContain('session')
    await page.goto(link)
    expect(page.url()).toBe(`${world.url}/`)

    const other = await browser.newContext()
    const stranger = await other.newPage()
    expect((await stranger.goto(link))?.status()).toBe(401)
    await expect(stranger.getByRole('alert')).toContainText('used already')
    await other.close()
  })

  test('by a link on another site works, and so does a link to a page later', async ({
    page,
    newLink,
    world,
  }) => {
    const elsewhere = await serverAtOtherPort(
      `<a href="${await newLink()}">in</a> <a href="${world.url}/help?topic=a">help</a>`,
    )
    const foreign = elsewhere.url.replace('127.0.0.1', 'localhost')
    await page.goto(foreign)
    await page.getByRole('link', { name: 'in' }).click()
    await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
    expect(page.url()).toBe(`${world.url}/`)
    await page.goto(foreign)
    await page.getByRole('link', { name: 'help' }).click()
    await expect(page.getByRole('heading', { name: 'Help', exact: true })).toBeVisible()
    expect(page.url()).toBe(`${world.url}/help?topic=a`)
    elsewhere.close()
  })

  test('B-1: a server at another port learns no token, and a session opens no other dashboard', async ({
    page,
    context,
    shared,
    newLink,
    world,
  }) => {
    const otherPort = await serverAtOtherPort('<p>elsewhere</p>')
    await page.goto(`${world.url}/?token=${world.token}`)
    await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
    await page.goto(await newLink())
    await page.goto(otherPort.url)
    expect(otherPort.heard.length).toBeGreaterThan(0)
    expect(otherPort.heard.join('\n')).not.toContain(world.token)
    otherPort.close()
    const second = await shared(CHOSEN)
    const cookie = await sessionCookie(context)
    for (const name of [cookie?.name, cookie?.name.replace(String(world.port), String(second.port))]) {
      const headers = { Cookie: `${name}=${cookie?.value}` }
      expect((await rawRequest(`${second.url}/api/sessions`, { headers })).status).toBe(401)
    }
  })

  test('ends with the button; other pages say so and lead back', async ({
    page,
    context,
    newLink,
    world,
  }) => {
    await page.goto(await newLink())
    const other = await context.newPage()
    await other.goto(`${world.url}/help`)
    const cookie = await sessionCookie(context)
    const headers = { Cookie: `${cookie?.name}=${cookie?.value}` }
    expect((await rawRequest(`${world.url}/api/jobs`, { headers })).status).toBe(200)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(await sessionCookie(context)).toBeUndefined()
    expect((await rawRequest(`${world.url}/api/jobs`, { headers })).status).toBe(401)

    await expect(other.getByRole('alert').filter({ hasText: 'signed out' })).toBeVisible({ timeout: 40_000 })
    await expectAccessible(other)
    await other.getByRole('button', { name: 'Sign in again' }).click()
    await tokenField(other).fill(world.token)
    await other.keyboard.press('Enter')
    await expect(other).toHaveURL(`${world.url}/help`)
    await expect(other.getByRole('heading', { name: 'Help', exact: true })).toBeVisible()
  })

  test('by the command line needs the token of that dashboard', async ({ folder, world }) => {
    const run = (env: Record<string, string>) =>
      startPlimsoll(['sign-in', '--port', String(world.port)], folder, env).ended
    expect(await run({ PLIMSOLL_TOKEN: '' })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no token'),
    })
    expect(await run({})).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('does not know this token'),
    })
    const unanswered = await startPlimsoll(['sign-in', '--port', '1'], folder).ended
    expect(unanswered).toMatchObject({ code: 3, stderr: expect.stringContaining('No dashboard answers') })
    // A browser that is signed in makes no link for another one.
    const answer = await rawRequest(`${world.url}/api/sign-in-link`, { method: 'POST' })
    expect(answer.status).toBe(401)
  })

  test('waits after wrong tokens also for the right one, where the operator chose it', async ({ shared }) => {
    const server = await shared(CHOSEN)
    const token = CHOSEN_TOKEN
    for (let i = 0; i < 8; i++) await rawRequest(`${server.url}/api/jobs`, { headers: bearer(`wrong-${i}`) })
    expect((await rawRequest(`${server.url}/api/jobs`, { headers: bearer(token) })).status).toBe(429)
    const ask = () => rawRequest(`${server.url}/api/jobs`, { headers: bearer(token) })
    await expect.poll(async () => (await ask()).status, { timeout: 30_000 }).toBe(200)
  })

  test('waits for wrong tokens of its connection alone, whatever address a client names', async ({
    shared,
  }) => {
    test.skip(process.platform !== 'linux', 'elsewhere a machine has one address by default')
    const server = await shared(CHOSEN)
    const token = CHOSEN_TOKEN
    const ask = (given: string, more: Record<string, string>, localAddress: string) =>
      rawRequest(`${server.url}/api/jobs`, { headers: { ...bearer(given), ...more }, localAddress })
    const forged = { 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1' }
    const statuses = []
    for (let i = 0; i < 8; i++) statuses.push((await ask(`wrong-${i}`, forged, '127.0.0.2')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect((await ask(token, {}, '127.0.0.1')).status).toBe(200)
    await expect.poll(server.complaints).toContain('A wrong token was sent from 127.0.0.2')
  })

  test('by the link that serve prints; wrong tokens then take longer, are noted, and let those go on who are in', async ({
    page,
    context,
    folder,
    serve,
  }) => {
    const server = await serve(folder, { PLIMSOLL_TOKEN: '' })
    const arrived = await page.goto(server.signInLink ?? '')
    expect((await arrived?.request().redirectedFrom()?.response())?.status()).toBe(303)
    await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
    const { name, value } = (await sessionCookie(context)) ?? {}
    const cookie = `${name}=${value}`
    const token = readFileSync(join(folder, 'state', 'token'), 'utf8').trim()
    const answers = []
    for (let i = 0; i < 12; i++) {
      answers.push(await rawRequest(`${server.url}/api/jobs`, { headers: bearer(`wrong-token-number-${i}`) }))
    }
    expect(answers.slice(0, 5).map(({ status }) => status)).toEqual(Array(5).fill(401))
    const late = answers.filter(({ status }) => status === 429)
    expect(late.length).toBeGreaterThan(0)
    expect(Number(late[0]?.headers['retry-after'])).toBeGreaterThan(0)
    for (const headers of [{ Cookie: cookie }, bearer(token)])
      expect((await rawRequest(`${server.url}/api/jobs`, { headers })).status).toBe(200)
    const { stdout, stderr } = await server.stop()
    expect(stderr).toContain('A wrong token was sent from 127.0.0.1')
    expect(stderr.split('\n').filter((line) => line.includes('wrong token')).length).toBeLessThan(6)
    expect(stderr).not.toContain('wrong-token-number')
    expect(stdout + stderr).not.toContain(token)
  })
})

test.describe('X20 what is no request of ours', () => {
  test('an address that is no text is 400, with and without the token', async ({ world }) => {
    for (const path of BROKEN_ADDRESSES)
      for (const headers of [{}, bearer(world.token)]) {
        const { status, body } = await rawRequest(world.url + path, { headers })
        expect(status, path).toBe(400)
        expect(body, path).toContain('begins no character')
      }
  })

  test('a body that is too large is 413, one without a length 411', async ({ world }) => {
    const body = 'x'.repeat(1024 * 1024 + 1)
    const large = { 'Content-Length': String(body.length) }
    const action = actionRequest(DIST, 'addFactAction', '/memory', ['x']).headers
    for (const [path, more] of [
      ['/help', {}],
      ['/api/jobs/x', {}],
      ['/memory', action],
      ['/sign-in', {}],
    ] as const) {
      const headers = { ...bearer(world.token), ...more, ...large }
      const { status } = await rawRequest(world.url + path, { method: 'POST', headers, body })
      expect(status, path).toBe(413)
    }
    const chunked = { ...bearer(world.token), 'Transfer-Encoding': 'chunked' }
    expect(
      (await rawRequest(`${world.url}/memory`, { method: 'POST', headers: chunked, body: 'x' })).status,
    ).toBe(411)
    expect((await rawRequest(`${world.url}/help`, { headers: bearer(world.token) })).status).toBe(200)
  })
})
