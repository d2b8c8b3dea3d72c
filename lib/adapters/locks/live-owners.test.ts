import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import { openClawRole } from './client-process'
import { liveOwners } from './live-owners'

let home: string
let root: string
let file: string
let children: ChildProcess[]

beforeEach(() => {
  children = []
  home = temporaryFolder()
  root = join(home, '.openclaw')
  file = join(root, 'agents', 'main', 'sessions', 's.jsonl')
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(join(root, 'openclaw.json'), '{ gateway: { port: 1 } }')
  writeFileSync(file, `${JSON.stringify({ type: 'session', id: 's', cwd: join(home, 'work') })}\n`)
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map((child) => new Promise((done) => child.once('close', done))))
})

/** A process that runs `code` and then stays. */
async function running(code: string, env: Record<string, string> = {}, cwd = home): Promise<number> {
  const script = `${code}; setInterval(() => {}, 60000); console.log('ready') // ${'-'.repeat(60)}`
  const child = spawn(process.execPath, ['-e', script], {
    cwd,
    env: { NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await new Promise((done) => child.stdout.once('data', done))
  return child.pid ?? 0
}

const find = (kind: 'openclaw' | 'pi' = 'openclaw') =>
  liveOwners({ temporary: [join(home, 'tmp')] }).find({ file, root, kind })

function gatewayFile(pid: number, configPath: string): void {
  const folder = join(home, 'tmp', 'openclaw-0')
  mkdirSync(folder, { recursive: true })
  const createdAt = '2026-02-03T04:05:06.000Z'
  writeFileSync(join(folder, 'gateway.0a1b2c3d.lock'), JSON.stringify({ pid, createdAt, configPath }))
}

describe.runIf(process.platform === 'linux')('M4 a session with a live owner is found out', () => {
  it('no process works with it', async () => {
    expect(await find()).toBeNull()
    expect(await find('pi')).toBeNull()
  })

  it('a turn without a gateway: a process of the runtime that uses the store', async () => {
    const before = Date.now()
    const pid = await running(`process.title = 'openclaw-agent'`, { HOME: home })
    const owner = await find()
    expect(owner).toMatchObject({ pid, via: 'run', command: 'openclaw-agent' })
    expect(Math.abs((owner?.since ?? 0) - before)).toBeLessThan(5000)
  })

  it('a gateway, by its process', async () => {
    const pid = await running(`process.title = 'openclaw-gateway'`, { OPENCLAW_STATE_DIR: root })
    expect(await find()).toMatchObject({ pid, via: 'gateway' })
  })

  it('a session store that the configuration puts elsewhere', async () => {
    const other = join(home, 'elsewhere', '.openclaw')
    mkdirSync(other, { recursive: true })
    const store = join(root, 'agents', '{agentId}', 'sessions', 'sessions.json')
    writeFileSync(join(other, 'openclaw.json'), JSON.stringify({ session: { store } }))
    const pid = await running(`process.title = 'openclaw'`, { OPENCLAW_STATE_DIR: other })
    expect(await find()).toMatchObject({ pid })
  })

  it('is not one that uses another store, nor we ourselves', async () => {
    await running(`process.title = 'openclaw-agent'`, { HOME: join(home, 'other') })
    await running(`process.title = 'openclaw-agent'`, { HOME: home, OPENCLAW_STATE_DIR: join(home, 'other') })
    await running(`process.title = 'plimsoll/openclaw'`, { HOME: home })
    expect(await find()).toBeNull()
  })

  it('a gateway, by the file that it keeps, since when it says', async () => {
    const pid = await running('')
    gatewayFile(pid, join(root, 'openclaw.json'))
    expect(await find()).toMatchObject({ pid, via: 'gateway', since: Date.UTC(2026, 1, 3, 4, 5, 6) })
  })

  it('is not the gateway of another store, nor one that has died', async () => {
    gatewayFile(await running(''), join(home, 'other', 'openclaw.json'))
    expect(await find()).toBeNull()
    gatewayFile(2 ** 30, join(root, 'openclaw.json'))
    expect(await find()).toBeNull()
  })

  it('a gateway of which only the port answers; not another program on that port', async () => {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    writeFileSync(join(root, 'openclaw.json'), JSON.stringify({ gateway: { port } }))
    const unknown = liveOwners({ temporary: [], listener: () => null })
    expect(await unknown.find({ file, root, kind: 'openclaw' })).toEqual({
      pid: null,
      since: null,
      command: null,
      via: 'gateway',
      evidence: `port ${port} on this machine answers, which ${root} names for its gateway`,
    })
    expect(await find()).toBeNull()
    await new Promise((done) => server.close(done))
    expect(await unknown.find({ file, root, kind: 'openclaw' })).toBeNull()
  })

  it('a process that has it open for writing, but not one that reads', async () => {
    const open = (how: string) => `require('fs').openSync(${JSON.stringify(file)}, '${how}')`
    await running(open('r'))
    expect(await find()).toBeNull()
    const pid = await running(open('a'))
    expect(await find()).toMatchObject({ pid, via: 'run', evidence: `${file} is open for writing` })
    expect(await find('pi')).toMatchObject({ pid })
  })

  it('pi, which works in the folder of the session', async () => {
    mkdirSync(join(home, 'work'))
    await running(`process.title = 'pi'`)
    expect(await find('pi')).toBeNull()
    const pid = await running(`process.title = 'pi'`, {}, join(home, 'work'))
    expect(await find('pi')).toMatchObject({ pid, via: 'run', command: 'pi' })
  })
})

describe('which processes are clients', () => {
  it.each([
    ['gateway', ['openclaw-gateway']],
    ['gateway', ['/usr/bin/node', '/usr/lib/node_modules/openclaw/openclaw.mjs', 'gateway', 'run']],
    ['gateway', ['node', '/opt/openclaw/dist/index.js', '--profile', 'x', 'gateway']],
    ['gateway', ['C:\\nodejs\\node.exe', 'C:\\npm\\openclaw\\openclaw.mjs', 'gateway']],
    ['run', ['openclaw']],
    ['run', ['/usr/local/bin/openclaw', 'agent', '--local']],
    ['run', ['clawdbot-tui']],
    ['run', ['node', '--max-old-space-size=4096', '/opt/openclaw/dist/entry.js', 'agent']],
    [null, ['plimsoll/openclaw']],
    [null, ['node', '/opt/plimsoll/bin.mjs', 'sessions', 'openclaw']],
    [null, ['vim', '/home/me/openclaw']],
    [null, ['tail', '-f', '/var/log/openclaw']],
    [null, []],
  ])('%s: %j', (role, argv) => {
    expect(openClawRole(argv)).toBe(role)
  })
})
