import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  NAMES_ADDRESSES,
  type Named,
  namesEmbedder,
  namesFolders,
  namesForeignPlaces,
  namesOllama,
  namesProvider,
  writeHome,
} from '../../testing/hostile/store-asks-for-addresses'
import { loopbackServices } from '../../testing/loopback'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder, treeOf } from '../../testing/store-folder'
import type { Io } from '../io'
import { keepRetrying } from '../keep-retrying'

type Seen = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }

const key = ['sk', '-', Math.random().toString(36).slice(2), Math.random().toString(36).slice(2)].join('')
const open = loopbackServices()
let home = ''
let root = ''
let named: Named
let seen: Seen[] = []
/** Whether the listener answers as models do. */
let answers = true

beforeEach(async () => {
  home = temporaryFolder()
  root = join(home, '.openclaw')
  seen = []
  answers = true
  const address = await open(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ path: request.url ?? '', headers: request.headers, body })
    const content = 'The parts are done.'
    const data = (JSON.parse(body || '{}').input ?? []).map(() => ({ embedding: [1, 2, 3] }))
    response.statusCode = answers ? 200 : 503
    response.end(JSON.stringify({ message: { content }, choices: [{ message: { content } }], data }))
  })
  named = { address, folder: join(home, 'elsewhere') }
  mkdirSync(named.folder)
})

const env = () => ({ HOME: home, PLIMSOLL_HOME: join(home, 'state'), OPENAI_API_KEY: key })
const run = (...argv: string[]) => runCli(argv, { env: env(), cwd: home, stop: new AbortController().signal })
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)

/** The operator's own settings file. */
function settings(text: string): void {
  mkdirSync(join(home, '.config', 'plimsoll'), { recursive: true })
  writeFileSync(join(home, '.config', 'plimsoll', 'plimsoll.yaml'), text)
}

/** Lets the process that stays look at pending summaries for a while; answers what it says. */
async function stay(until: RegExp): Promise<string> {
  const stop = new AbortController()
  const out = new PassThrough()
  const rest = { argv: [], stdin: out, stdout: out, stderr: out, cwd: home, root: home }
  const io: Io = { ...rest, env: env(), untilStopped: () => stop.signal }
  const running = keepRetrying(io, stop.signal, 10)
  let text = ''
  await expect.poll(() => (text += String(out.read() ?? '')), { timeout: 20_000 }).toMatch(until)
  stop.abort()
  await running
  return text
}

/** Verbs that only read. */
const READING: readonly (readonly string[])[] = [
  ['status', 's1'],
  ['context', 's1'],
  ['score', 's1', '--prompt', 'part 3'],
  ['prune', 's1'],
  ['health'],
  ['logs', '--what-if', '0.5', '--trial'],
  ['compact', 's1', '--dry-run'],
  ['compact', 's1', '--dry-run', '--show-summary'],
  ['policy', 'show', 's1'],
  ['policy', 'check'],
  ['doctor'],
]

describe('U1: a store names who is asked, and the operator decides', () => {
  test.each(Object.entries(NAMES_ADDRESSES))(
    '%s: no verb that reads sends anything',
    async (_name, attack) => {
      attack(root, named)
      for (const verb of READING) {
        const { code } = await run(...verb)
        expect([verb, [0, 1].includes(code)]).toEqual([verb, true])
      }
      expect(seen).toEqual([])
    },
  )

  test.each(Object.entries(NAMES_ADDRESSES))(
    '%s: a compaction sends nothing, and is a digest',
    async (_name, attack) => {
      attack(root, named)
      const done = await json('compact', 's1', '--now')
      expect(done).toMatchObject({ verified: true, summary: { source: 'digest', model: null } })
      expect((await json('compact', '--retry-pending')).summaries).toEqual([])
      expect(seen).toEqual([])
    },
  )

  test.each(['policy check', 'doctor'])(
    '%s names the settings file that would allow it, there or not',
    async (verb) => {
      namesOllama(root, named)
      const add = `To allow it, add to ${join(home, '.config', 'plimsoll', 'plimsoll.yaml')}:`
      expect((await run(...verb.split(' '))).stdout).toContain(add)
      settings('{}\n')
      expect((await run(...verb.split(' '))).stdout).toContain(add)
    },
  )

  test('a summary that is pending is kept, and neither the process that stays nor a retry sends it', async () => {
    writeHome(root)
    answers = false
    settings(
      `policy: { compaction: { retries: 1 }, summary: { model: m, url: "${named.address}/own", retryMs: 1 } }\n`,
    )
    expect(await json('compact', 's1', '--now')).toMatchObject({
      summary: { source: 'digest', modelFailed: true },
    })
    expect(seen.length).toBeGreaterThan(0)
    seen = []
    answers = true
    // From now on the operator names no model, and the store does.
    settings('policy: { summary: { retryMs: 1 } }\n')
    namesProviderAgain()
    expect(await stay(/still the digest/)).toContain('Your settings name no model')
    const { summaries } = await json('compact', '--retry-pending')
    expect(summaries).toMatchObject([{ session: 'agent:main:main', outcome: 'waiting' }])
    expect(seen).toEqual([])
    settings(`policy: { summary: { model: m, url: "${named.address}/own", retryMs: 1 } }\n`)
    const dry = await run('compact', '--retry-pending', '--dry-run')
    expect(dry.stdout).toMatch(
      /nothing was sent: server\/m at http:.*\/own gets \d+ messages, about [\d\s,]+ tokens/,
    )
    expect([dry.code, seen]).toEqual([0, []])
    const retried = await run('compact', '--retry-pending')
    expect(retried.stderr).toMatch(/server\/m at http:.*\/own gets \d+ messages, about [\d\s,]+ tokens/)
    expect(seen.map(({ path }) => path)).toContain('/own/chat/completions')
  })

  /** Only the file that asks: the transcript stays as it was compacted. */
  function namesProviderAgain(): void {
    const other = join(home, 'other')
    namesProvider(other, named)
    writeFileSync(join(root, 'config.yaml'), readFileSync(join(other, 'config.yaml')))
  }

  test('what it names is shown, with the lines that allow it; with them it is asked, without the key', async () => {
    namesOllama(root, named)
    const status = await run('status', 's1')
    expect(status.stderr).toContain(`asks for summaries by ollama/qwen2.5:7b at ${named.address}/steal`)
    expect(status.stderr).toContain('it is not used')
    const dry = await json('compact', 's1', '--dry-run')
    expect(dry).toMatchObject({ asks: null, summary: { source: 'digest' } })
    for (const report of [await json('policy', 'check'), await json('doctor')])
      expect(report.asks).toMatchObject([{ path: root, asks: [{ allowed: false }] }])
    const { stdout } = await run('policy', 'check')
    const lines = stdout.slice(stdout.indexOf('stores:'), stdout.indexOf('No errors'))
    settings(lines)
    expect((await json('policy', 'check')).asks).toMatchObject([{ asks: [{ allowed: true }], lines: '' }])
    const plan = await json('compact', 's1', '--dry-run')
    expect(plan.asks).toEqual({
      models: [{ name: 'ollama/qwen2.5:7b', address: `${named.address}/steal` }],
      requests: expect.any(Number),
      messages: expect.any(Number),
      tokens: expect.any(Number),
    })
    expect(plan.asks.messages).toBeGreaterThan(4)
    expect(seen).toEqual([])
    const done = await run('compact', 's1', '--now')
    expect(done.stderr).toMatch(
      /ollama\/qwen2\.5:7b at http:.*\/steal gets \d+ messages, about [\d\s,]+ tokens/,
    )
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/steal/api/chat']))
    expect(JSON.stringify(seen)).not.toContain(key)
  })

  test('what is allowed is exact: another model, address or store is not', async () => {
    namesOllama(root, named)
    const allow = (path: string, model: string, url: string) =>
      settings(JSON.stringify({ stores: [{ path, allow: { summarizer: { model, url } } }] }))
    for (const [path, model, url] of [
      [root, 'ollama/other', `${named.address}/steal`],
      [root, 'ollama/qwen2.5:7b', named.address],
      [join(home, 'other'), 'ollama/qwen2.5:7b', `${named.address}/steal`],
      [home, 'ollama/qwen2.5:7b', `${named.address}/steal`],
    ] as const) {
      mkdirSync(join(home, 'other'), { recursive: true })
      allow(path, model, url)
      expect((await json('compact', 's1', '--dry-run')).asks).toBeNull()
    }
    allow(root, 'ollama/qwen2.5:7b', `${named.address}/steal/`)
    expect((await json('compact', 's1', '--dry-run')).asks).not.toBeNull()
  })

  test('U5: a key goes along only where the operator pairs it with that address', async () => {
    namesProvider(root, named)
    const url = `${named.address}/v1`
    const stores = [{ path: root, allow: { summarizer: { model: 'openai/gpt-5.1', url } } }]
    settings(JSON.stringify({ stores }))
    await run('compact', 's1', '--now')
    expect(seen.length).toBeGreaterThan(0)
    expect(JSON.stringify(seen)).not.toContain(key)
    writeHome(root)
    seen = []
    settings(JSON.stringify({ stores, keys: [{ env: 'OPENAI_API_KEY', url }] }))
    await run('compact', 's1', '--now')
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${key}`)
  })

  test('H12: an embedder of a store is asked once it is allowed, and one of the operator always', async () => {
    namesEmbedder(root, named)
    const embedder = { model: 'openai/emb', url: `${named.address}/v1` }
    expect((await run('score', 's1', '--prompt', 'part 3')).stderr).toContain(
      'asks for a comparison of texts',
    )
    settings(JSON.stringify({ stores: [{ path: root, allow: { embedder } }] }))
    await run('score', 's1', '--prompt', 'part 3')
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/v1/embeddings']))
    expect(JSON.stringify(seen)).not.toContain(key)
    writeHome(root)
    seen = []
    settings(
      JSON.stringify({ policy: { relevance: { embedder: { ...embedder, url: `${named.address}/own` } } } }),
    )
    await run('score', 's1', '--prompt', 'part 3')
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/own/embeddings']))
  })

  test('U2: a key that is set is no leave to ask the model that a transcript names', async () => {
    namesProvider(root, named)
    const dry = () => json('compact', 's1', '--dry-run')
    expect((await dry()).asks).toBeNull()
    expect((await run('compact', 's1', '--dry-run')).stdout).toContain(
      'openai/gpt-5.1 at https://api.openai.com/v1, is not asked. It may be with --session-model',
    )
    const asked = { models: [{ name: 'openai/gpt-5.1', address: 'https://api.openai.com/v1' }] }
    expect((await json('compact', 's1', '--dry-run', '--session-model')).asks).toMatchObject(asked)
    settings('policy: { summary: { fallbackToMain: true } }\n')
    expect((await dry()).asks).toMatchObject(asked)
    settings(JSON.stringify({ stores: [{ path: root, allow: { sessionModel: true } }] }))
    expect((await dry()).asks).toMatchObject(asked)
  })
})

describe('X14: a store names folders, and the operator decides', () => {
  const allowed = (...folders: string[]) =>
    settings(JSON.stringify({ stores: [{ path: root, allow: { folders } }] }))

  test('nothing is written to or emptied outside of the store', async () => {
    namesFolders(root, named)
    mkdirSync(join(named.folder, '.ssh'))
    writeFileSync(join(named.folder, '.ssh', 'id'), 'mine')
    writeFileSync(join(named.folder, 'thesis.tex'), 'mine')
    const before = treeOf(named.folder)
    await run('health')
    await run('compact', 's1', '--now')
    await run('reset', '--force')
    expect(treeOf(named.folder)).toEqual(before)
    const { stderr } = await run('status', 's1')
    expect(stderr).toContain(`names ${named.folder} as its cold storage`)
    expect(stderr).toContain(`names ${join(named.folder, 'logs')} for its logs`)
    allowed(join(named.folder, 'logs'))
    await run('health')
    expect(readdirSync(join(named.folder, 'logs'))).toEqual(['context-health.jsonl'])
    expect((await run('status', 's1')).stderr).not.toContain('for its logs')
  })

  test('a folder inside of it is its own affair; one that a link leads out of is not', async () => {
    writeHome(root)
    writeFileSync(join(root, 'context-config.yaml'), 'LOG_PATH: own-logs\n')
    await run('health')
    expect(existsSync(join(root, 'own-logs', 'context-health.jsonl'))).toBe(true)
    expect((await json('status', 's1')).storeAsks).toEqual([])
    symlinkSync(named.folder, join(root, 'out'))
    writeFileSync(
      join(root, 'context-config.yaml'),
      `LOG_PATH: ${root}/out/logs\nCOLD_STORAGE_PATH: ${root}/out\n`,
    )
    await run('health')
    expect(readdirSync(named.folder)).toEqual([])
    expect((await run('status', 's1')).stderr).toContain(`names ${root}/out as its cold storage`)
  })

  test('X14: logs that a link of the store leads to are not read', async () => {
    writeHome(root)
    mkdirSync(join(named.folder, 'context'))
    writeFileSync(join(named.folder, 'context', 'drops.jsonl'), '{"chunk_id":"canary","timestamp":1}\n')
    const drops = async () => JSON.stringify(await json('drops'))
    symlinkSync(named.folder, join(root, 'logs'))
    expect(await drops()).not.toContain('canary')
    expect((await run('drops')).code).toBe(0)
  })

  test('L1: foreign workspaces and folders of sessions are not read until they are allowed', async () => {
    namesForeignPlaces(root, named)
    writeFileSync(join(named.folder, 'MEMORY.md'), 'The canary sings of lighthouses.')
    mkdirSync(join(named.folder, 'main'))
    const foreign = readFileSync(join(root, 'agents', 'main', 'sessions', 's1.jsonl'), 'utf8')
    writeFileSync(join(named.folder, 'main', 's2.jsonl'), foreign.replace('"id":"s1"', '"id":"s2"'))
    const recalled = async () =>
      JSON.stringify((await json('memory', 'search', 'canary lighthouses')).recalled)
    const sessions = async () => (await json('sessions')).sessions.map(({ id }: { id: string }) => id)
    expect(await recalled()).not.toContain('canary sings')
    expect(await sessions()).toEqual(['s1'])
    const report = await run('doctor')
    expect(report.stdout).toContain(`names ${named.folder} as the workspace of its agents`)
    expect(report.stdout).toContain(`names ${named.folder} for its sessions`)
    allowed(named.folder)
    expect(await recalled()).toContain('canary sings')
    expect((await sessions()).sort()).toEqual(['s1', 's2'])
  })

  test('L1: a workspace inside of the OpenClaw home is read', async () => {
    const workspace = join(root, 'workspace')
    writeHome(root, { agents: { defaults: { workspace } } })
    mkdirSync(workspace)
    writeFileSync(join(workspace, 'MEMORY.md'), 'The canary sings of lighthouses.')
    const recalled = async () =>
      JSON.stringify((await json('memory', 'search', 'canary lighthouses')).recalled)
    expect(await recalled()).toContain('canary sings')
    expect((await json('doctor')).asks).toEqual([])
  })
})
