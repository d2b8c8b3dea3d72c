import { createServer, type Server } from 'node:http'
import { expect } from '@playwright/test'
import { test } from './demo'
import { rawRequest } from './raw-request'
import { SIGNED_IN, startPlimsoll, TOKEN } from './start-plimsoll'

const PAGES = ['/', '/sessions', '/stores', '/audit', '/jobs', '/help']

test.describe('X20 access', () => {
  test('answers to loopback names only, for pages, routes and files', async ({ page, demo }) => {
    await page.goto('/')
    const script = await page.locator('script[src]').first().getAttribute('src')
    const { port } = demo
    for (const path of [...PAGES, '/api/live', '/icon.svg', script ?? '/_next/static/x.js']) {
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        '10.1.2.3',
        `localhost.evil.example:${port}`,
      ]) {
        const refused = await rawRequest(`${demo.url}${path}`, { headers: { Host: host } })
        expect(refused.status, `${host} ${path}`).toBe(421)
        expect(refused.body).not.toContain('<html')
      }
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect(
        (await rawRequest(`${demo.url}/help`, { headers: { ...SIGNED_IN.headers, Host: host } })).status,
        host,
      ).toBe(200)
    }
  })

  test('refuses requests that other pages make', async ({ demo }) => {
    for (const method of ['GET', 'POST']) {
      const foreign: Record<string, string>[] = [
        { Origin: 'http://evil.example' },
        { Origin: 'null' },
        { Origin: 'http://127.0.0.1:1' },
        { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
        { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' },
      ]
      for (const headers of foreign) {
        const refused = await rawRequest(`${demo.url}/sessions`, { method, headers })
        expect(refused.status, `${method} ${JSON.stringify(headers)}`).toBe(403)
      }
    }
    const action = { Origin: demo.url, 'Sec-Fetch-Site': 'same-origin', 'Next-Action': 'x' }
    expect(
      (await rawRequest(`${demo.url}/`, { method: 'POST', headers: { ...SIGNED_IN.headers, ...action } }))
        .status,
    ).not.toBe(403)
  })

  test('a name that was made to point here (DNS rebinding) shows nothing', async ({ playwright, demo }) => {
    const { port } = demo
    const browser = await playwright.chromium.launch({
      executablePath: process.env.PLIMSOLL_BROWSER || undefined,
      args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP rebound.example 127.0.0.1'],
    })
    const page = await browser.newPage()
    const response = await page.goto(`http://rebound.example:${port}/sessions`)
    expect(response?.status()).toBe(421)
    await expect(page.locator('body')).toContainText('does not answer to the name')
    await browser.close()
  })

  test('another site in the same browser can neither read, embed nor send', async ({ page, demo }) => {
    const other = createServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<p>elsewhere</p>'),
    )
    await listen(other)
    await page.goto(`http://localhost:${portOf(other)}/`)
    const outcome = await page.evaluate(async (address) => {
      const read = await fetch(`${address}/api/live`).then(
        () => 'read',
        () => 'blocked',
      )
      const sent = await fetch(`${address}/`, { method: 'POST', mode: 'no-cors', body: 'x' }).then(
        (response) => response.type,
        () => 'blocked',
      )
      const loads = (tag: 'img' | 'script', path: string) =>
        new Promise<string>((resolve) => {
          const element = document.createElement(tag)
          element.onload = () => resolve('loaded')
          element.onerror = () => resolve('blocked')
          element.src = address + path
          document.body.append(element)
        })
      return {
        read,
        sent,
        image: await loads('img', '/icon.svg'),
        script: await loads('script', '/api/live'),
      }
    }, demo.url)
    expect(outcome).toMatchObject({ read: 'blocked', image: 'blocked', script: 'blocked' })
    const frame = await page.evaluate((address) => {
      const element = document.createElement('iframe')
      element.src = address
      document.body.append(element)
      return new Promise<number>((resolve) => {
        element.onload = () => resolve(element.contentWindow?.length ?? -1)
      })
    }, demo.url)
    expect(frame).toBe(0)
    await expect(page.frameLocator('iframe').locator('nav')).toHaveCount(0)
    other.close()
  })

  test('every response carries a strict policy with its own nonce', async ({ demo }) => {
    const policies = new Set<string>()
    for (const path of PAGES) {
      const { headers } = await rawRequest(`${demo.url}${path}`, SIGNED_IN)
      const policy = String(headers['content-security-policy'])
      const scripts = policy.split('; ').find((part) => part.startsWith('script-src')) ?? ''
      expect(scripts).toMatch(/'nonce-[\w+/=]{20,}'/)
      expect(scripts).not.toMatch(/unsafe-inline|unsafe-eval|\*|data:/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['x-powered-by']).toBeUndefined()
      policies.add(policy)
    }
    expect(policies.size).toBe(PAGES.length)
  })

  test('no page breaks its own policy or asks anybody else', async ({ page, demo }) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (sent) => {
      if (!sent.url().startsWith(demo.url) && !/^(data|blob):/.test(sent.url())) complaints.push(sent.url())
    })
    for (const path of PAGES) {
      await page.goto(path)
      await page.waitForTimeout(300)
    }
    expect(complaints).toEqual([])
  })
})

test.describe('X20 beyond this machine', () => {
  test('does not start there without a token of the operator’s own', async ({ folder }) => {
    const { code, stderr } = await startPlimsoll(['serve', '--host', '0.0.0.0', '--port', '0'], folder, {
      PLIMSOLL_TOKEN: '',
    }).ended
    expect(code).toBe(3)
    expect(stderr).toContain('PLIMSOLL_TOKEN')
  })

  test('asks for that token, and never says it', async ({ folder, serve }) => {
    const server = await serve(folder, {}, { host: '0.0.0.0' })
    for (const path of ['/', '/icon.svg', '/?token=wrong', '/api/live'])
      expect((await rawRequest(server.url + path)).status, path).toBe(401)
    expect((await rawRequest(`${server.url}/help`, SIGNED_IN)).status).toBe(200)
    const end = await server.stop()
    expect(end.code, end.stderr).toBe(0)
    expect(end.stdout + end.stderr).not.toContain(TOKEN)
  })
})

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
