import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installClient } from './install'

/** The last client of the file era on the main line. */
export const OPENCLAW = { name: 'openclaw', version: '2026.7.1' }

/** A client of the database era. */
export const OPENCLAW_DATABASE = { name: 'openclaw', version: '2026.9.6' }

/** They need a newer Node than we do; npm has them as packages. By the client's version. */
const NODE: Readonly<Record<string, string>> = { '2026.7.1': '22.23.3', '2026.9.6': '24.21.0' }

export type ClientRun = {
  readonly process: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>
}

/** A separate home folder in which the real client runs, without a network. */
export type OpenClawHome = {
  readonly home: string
  /** The state folder, `~/.openclaw`. */
  readonly state: string
  /** Folder of the client's package. */
  readonly installed: string
  /** Program and first argument that run the client. */
  readonly command: readonly string[]
  /** What the client finds in its environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Runs the client with these arguments. */
  run(...args: string[]): ClientRun
  /** Runs a module with the client's Node; its arguments follow. */
  node(...args: string[]): ClientRun
  remove(): void
}

/** @param modelUrl base address of the model; @param port of the gateway, should one be started */
export function makeOpenClawHome(modelUrl: string, port: number, client = OPENCLAW): OpenClawHome {
  const installed = installClient(client.name, client.version)
  const program = nodeProgram(NODE[client.version] ?? '')
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-openclaw-'))
  const state = join(home, '.openclaw')
  mkdirSync(join(home, 'workspace'))
  mkdirSync(state)
  writeFileSync(join(state, 'openclaw.json'), JSON.stringify(settings(modelUrl, home, port)))
  const env = {
    NODE_ENV: 'production' as const,
    PATH: process.env.PATH,
    HOME: home,
    TZ: 'UTC',
    TMPDIR: tmpdir(),
    OPENCLAW_NO_RESPAWN: '1',
  }
  const node = (...args: string[]) => {
    const child = spawn(program, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    const ended = new Promise<{ code: number | null; output: string }>((done, fail) => {
      child.once('error', fail)
      child.once('close', (code) => done({ code, output }))
    })
    return { process: child, ended }
  }
  return {
    home,
    state,
    installed,
    node,
    env,
    command: [program, join(installed, 'openclaw.mjs')],
    run: (...args) => node(join(installed, 'openclaw.mjs'), ...args),
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function settings(modelUrl: string, home: string, port: number) {
  const model = {
    id: 'fake-1',
    name: 'Fake',
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 200_000,
    maxTokens: 4096,
  }
  const fake = { baseUrl: modelUrl, apiKey: 'none', api: 'openai-completions', models: [model] }
  return {
    models: { mode: 'merge', providers: { fake } },
    agents: { defaults: { workspace: join(home, 'workspace'), model: { primary: 'fake/fake-1' } } },
    gateway: { mode: 'local', port, bind: 'loopback', auth: { mode: 'token', token: 'test' } },
  }
}

function nodeProgram(wanted: string): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [least = 0, leastMinor = 0] = wanted.split('.').map(Number)
  if (major > least || (major === least && minor >= leastMinor)) return process.execPath
  const system = process.platform === 'win32' ? 'win' : process.platform
  return join(installClient(`node-${system}-${process.arch}`, wanted), 'bin', 'node')
}
