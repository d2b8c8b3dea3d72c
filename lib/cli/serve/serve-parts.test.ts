import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer as createWebServer } from 'node:http'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import type { Child, ChildEnd } from './child'
import { startChild } from './child'
import { keepRunning, LONGEST_PAUSE_MS, pauseBefore } from './keep-running'
import { forgetOpened, openBrowser } from './open-browser'
import { portRefusal } from './port-refusal'
import { findWebScript } from './web-server'

describe('a port for the dashboard', () => {
  it('that the system is to choose is not looked for', async () => {
    expect(await portRefusal('127.0.0.1', 0)).toBeNull()
  })

  it('that is taken is refused with what to do', async () => {
    const other = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const refusal = await portRefusal('127.0.0.1', port)
    expect(refusal).toContain('--port')
    expect(refusal).toContain(
      process.platform === 'linux' ? `in use by process ${process.pid}, ` : 'in use by another program',
    )
    await new Promise((resolve) => other.close(resolve))
  })

  it('that a dashboard has names the process to which its web server belongs, and the way in', async () => {
    const web = createWebServer((_request, response) =>
      response.writeHead(401, { 'WWW-Authenticate': 'Bearer realm="plimsoll"' }).end(),
    )
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    const address = web.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const refusal = await portRefusal('127.0.0.1', port)
    expect(refusal).toContain('in use by a Plimsoll that runs already')
    if (process.platform === 'linux') expect(refusal).toContain(`(process ${process.ppid}, `)
    expect(refusal).toContain(`plimsoll sign-in --port ${port}`)
    await new Promise((resolve) => web.close(resolve))
  })

  it('of an address that is not ours is refused', async () => {
    expect(await portRefusal('192.0.2.1', 4747)).toBe('192.0.2.1 is not an address of this machine.')
    expect(await portRefusal('192.0.2.1', 0)).toContain('192.0.2.1')
  })
})

describe('children of serve', () => {
  const start = (code: string, onLine: (line: string) => void = () => {}) =>
    startChild({ args: ['-e', code], cwd: process.cwd(), env: process.env, onLine })

  it('hand their output over line by line and tell their end', async () => {
    const lines: string[] = []
    const child = start('console.log("one\\ntwo"); process.exit(3)', (line) => lines.push(line))
    expect(await child.ended).toEqual({ code: 3, signal: null })
    expect(lines).toEqual(['one', 'two'])
  })

  it('are made to end when they will not', async () => {
    let ready = () => {}
    const started = new Promise<void>((resolve) => {
      ready = resolve
    })
    const child = start(
      'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up")',
      () => ready(),
    )
    await started
    expect((await child.stop(200)).signal).toBe('SIGKILL')
  })

  it('are started again after longer and longer pauses', async () => {
    expect([1, 2, 3, 7].map(pauseBefore)).toEqual([1_000, 2_000, 4_000, LONGEST_PAUSE_MS])
    const stop = new AbortController()
    const ends: ChildEnd[] = []
    let started = 0
    const dying = (): Child => {
      started++
      const end = { code: 5, signal: null }
      return { ended: Promise.resolve(end), stop: async () => end }
    }
    await keepRunning({
      start: dying,
      signal: stop.signal,
      now: () => 0,
      onEnd: (end) => {
        ends.push(end)
        if (ends.length === 2) stop.abort()
      },
    })
    expect(started).toBe(2)
  })
})

describe('the script that serves the dashboard', () => {
  it('serves the build of the checkout where there is one, else the packed one, else none', () => {
    const root = temporaryFolder()
    const script = `${root}/lib/cli/serve/dashboard-server.cjs`
    const packed = `${root}/dist/dashboard`
    expect(findWebScript(root, undefined)).toBeNull()
    writeFiles(root, { 'dist/dashboard/.next/BUILD_ID': 'b' })
    expect(findWebScript(root, '')).toEqual([script, '--folder', packed, '--build', `${packed}/.next`])
    writeFiles(root, { 'other/BUILD_ID': 'b' })
    const other = [script, '--folder', root, '--build', `${root}/other`]
    expect(findWebScript(root, 'other')).toEqual(other)
    expect(findWebScript(root, `${root}/other`)).toEqual(other)
  })
})

describe('the web server', () => {
  it('serves the build that it is given, whatever that was called when it was made', () => {
    const root = temporaryFolder()
    const said = 'console.log(JSON.stringify([options.dir, JSON.parse(process.env[NAME]).distDir]))'
    writeFiles(root, {
      'moved/required-server-files.json': JSON.stringify({ config: { distDir: 'made-as' } }),
      'node_modules/next/index.js': '',
      'node_modules/next/dist/server/lib/start-server.js': `const NAME = '__NEXT_PRIVATE_STANDALONE_CONFIG'
        exports.startServer = async (options) => { ${said} }`,
    })
    const script = fileURLToPath(new URL('dashboard-server.cjs', import.meta.url))
    const place = ['--folder', root, '--build', `${root}/moved`]
    const words = [script, ...place, '--hostname', '127.0.0.1', '--port', '0']
    const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    expect(JSON.parse(stdout)).toEqual([root, 'moved'])
  })
})

describe.skipIf(process.platform !== 'linux')('--open', () => {
  const LINK = 'http://127.0.0.1:4747/?token=secret'

  it('hands a page of the state folder to the browser: what a program is started with is seen by all', async () => {
    const home = temporaryFolder()
    writeFiles(home, { 'bin/xdg-open': '#!/bin/sh\necho "$1" > "$HOME/given"\n' })
    chmodSync(`${home}/bin/xdg-open`, 0o755)
    const env = { HOME: home, PATH: `${home}/bin:${process.env.PATH}` }
    expect(await openBrowser(LINK, home, env)).toBeNull()
    await expect
      .poll(() => existsSync(`${home}/given`) && readFileSync(`${home}/given`, 'utf8'), { timeout: 15_000 })
      .toBe(`file://${home}/open.html\n`)
    expect(readFileSync(`${home}/open.html`, 'utf8')).toContain(`url=${LINK}"`)
    expect(statSync(`${home}/open.html`).mode & 0o777).toBe(0o600)
    forgetOpened(home)
    expect(existsSync(`${home}/open.html`)).toBe(false)
  })

  it('says so where there is no browser', async () => {
    const home = temporaryFolder()
    expect(await openBrowser(LINK, home, { PATH: home })).toContain('open the address yourself')
  })
})
