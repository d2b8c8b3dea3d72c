import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import type { Io } from '../io'
import { serve } from './serve'

/** A web server with the banner of Next.js, at the port that it is given by the system; `answers` are its answers. */
const webServer = (answers: string) => `
  const asked = process.argv[process.argv.indexOf('--port') + 1]
  if (asked !== '0') throw new Error('a port that another was given before: ' + asked)
  const server = require('node:http').createServer((_request, response) => { ${answers} })
  server.listen(0, '127.0.0.1', () => {
    const at = 'http://127.0.0.1:' + server.address().port
    console.log('▲ Next.js 16.0.0\\n- Local:         ' + at + '\\n- Network:       ' + at + '\\n✓ Ready in 1ms')
    console.error('at ' + at + '.')
  })`

/** A package that is built, with this web server and a reader that does nothing. */
function packageWith(web: string) {
  const root = temporaryFolder()
  writeFiles(root, {
    '.next/BUILD_ID': 'b',
    'lib/cli/serve/dashboard-server.cjs': web,
    'lib/cli/bin.cjs': "process.stdin.resume().on('end', () => process.exit(0))",
  })
  const stop = new AbortController()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const io: Io = {
    argv: [],
    env: { HOME: root, PLIMSOLL_HOME: `${root}/state` },
    stdin: new PassThrough(),
    stdout,
    stderr,
    cwd: root,
    root,
    untilStopped: () => stop.signal,
  }
  let [said, noted] = ['', '']
  stdout.on('data', (chunk) => {
    said += chunk
  })
  stderr.on('data', (chunk) => {
    noted += chunk
  })
  return { io, stop: () => stop.abort(), said: () => said, noted: () => noted }
}

describe('plimsoll serve', () => {
  it('prints the port that the system gave to the web server itself', async () => {
    const { io, stop, said, noted } = packageWith(webServer('response.end()'))
    const running = serve(io, { port: 0 })
    await expect.poll(said, { timeout: 20_000 }).toContain('Plimsoll is at')
    const own = /at (http:\S+)\./.exec(noted())?.[1]
    expect(said()).toContain(`Plimsoll is at ${own}/\n`)
    stop()
    expect(await running).toBe(0)
  })

  it('ends its web server also when it is stopped before that answers', async () => {
    const { io, stop, said, noted } = packageWith(webServer(''))
    const running = serve(io, { port: 0 })
    await expect.poll(noted, { timeout: 20_000 }).toMatch(/at http:\S+\./)
    stop()
    expect(await running).toBe(0)
    expect(said()).toBe('')
  })

  it('says so when its web server ends without a port', async () => {
    const { io, noted } = packageWith("console.error('no such build'); process.exit(1)")
    await expect(serve(io, { port: 0 })).rejects.toThrow('The web server ended by itself (exit code 1)')
    expect(noted()).toContain('no such build')
  })
})
