import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FoundStore } from '../../engine/read/ports'
import { AgentDatabaseBuilder } from '../../testing/builders/agent-database'
import { CORPUS } from '../../testing/corpus'
import {
  listAll,
  readAll,
  storeFixture,
  temporaryFolder,
  treeOf,
  writeFiles,
} from '../../testing/store-folder'
import { createStoreReader } from '../stores/store-reader'
import { discoverStores, type Where } from './discover'

const HEADER = '{"type":"session","version":3,"id":"s1","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}\n'

/** Looks around with `home` as the only place there is. */
function discover(home: string, where: Partial<Where> = {}) {
  return discoverStores({ env: {}, home, ...where })
}

async function namesIn(store: FoundStore): Promise<string[]> {
  const { transcripts } = await listAll(createStoreReader(), store)
  return transcripts.map(({ path }) => path.slice(store.root.length + 1)).sort()
}

const brief = (stores: readonly FoundStore[]) =>
  stores.map(({ kind, era, root, state }) => [kind, era, root, state])

describe('known places (X1)', () => {
  it('all of them are probed and reported, found or not', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, '.openclaw-work'))
    const { stores, probes } = await discover(home)
    expect(probes.map(({ path, kind, found, why }) => [path.slice(home.length), kind, found, why])).toEqual([
      ['/.openclaw', 'openclaw', false, 'known'],
      ['/.clawdbot', 'openclaw', false, 'known'],
      ['/.moldbot', 'openclaw', false, 'known'],
      ['/.moltbot', 'openclaw', false, 'known'],
      ['/.openclaw-work', 'openclaw', true, 'known'],
      ['/.pi/agent/sessions', 'pi', false, 'known'],
      ['/.claude/projects', 'claude-code', false, 'known'],
      ['/.config/claude/projects', 'claude-code', false, 'known'],
      ['/.codex/sessions', 'codex', false, 'known'],
      ['/.codex/archived_sessions', 'codex', false, 'known'],
    ])
    expect(brief(stores)).toEqual([['openclaw', 'jsonl', join(home, '.openclaw-work'), 'empty']])
  })

  it('stores are found under every name', async () => {
    const home = temporaryFolder()
    for (const name of ['.openclaw', '.clawdbot', '.moltbot', '.openclaw-dev']) {
      writeFiles(home, { [`${name}/agents/main/sessions/s1.jsonl`]: HEADER })
    }
    writeFiles(home, { '.pi/agent/sessions/--w--/2026-04-02T05-01-37-000Z_s9.jsonl': HEADER })
    const { stores } = await discover(home)
    expect(stores.map(({ label, state }) => [label, state])).toEqual([
      ['OpenClaw · ~/.openclaw', 'ok'],
      ['OpenClaw · ~/.clawdbot', 'ok'],
      ['OpenClaw · ~/.moltbot', 'ok'],
      ['OpenClaw · ~/.openclaw-dev', 'ok'],
      ['pi · ~/.pi/agent/sessions', 'ok'],
    ])
    expect(new Set(stores.map(({ id }) => id)).size).toBe(5)
    expect(stores[0]?.id).toMatch(/^[0-9a-f]{12}$/)
  })

  it('the environment says where home and state are', async () => {
    const [home, other, state] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    writeFiles(other, { '.openclaw/agents/main/sessions/s1.jsonl': HEADER })
    writeFiles(state, { 'agents/main/sessions/s1.jsonl': HEADER })
    const roots = async (env: Where['env']) =>
      (await discover(home, { env })).stores.filter((store) => store.state === 'ok').map(({ root }) => root)
    expect(await roots({ HOME: other })).toEqual([join(other, '.openclaw')])
    expect(await roots({ HOME: home, OPENCLAW_HOME: other })).toEqual([join(other, '.openclaw')])
    expect(await roots({ HOME: other, OPENCLAW_HOME: home })).toEqual([])
    expect(await roots({ HOME: other, OPENCLAW_STATE_DIR: state })).toEqual([state, join(other, '.openclaw')])
    const { stores } = await discover(home, { env: { OPENCLAW_STATE_DIR: join(state, 'gone') } })
    expect(stores).toMatchObject([{ state: 'missing', problem: expect.stringContaining('is not there') }])
  })

  it('pi says where its sessions are', async () => {
    const [home, agent, sessions] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    writeFiles(agent, { 'sessions/--w--/a.jsonl': HEADER })
    writeFiles(sessions, { '--w--/b.jsonl': HEADER })
    const roots = async (env: Where['env'], allows?: Where['allows']) =>
      (await discover(home, { env, allows })).stores.map(({ root }) => root)
    expect(await roots({ PI_CODING_AGENT_DIR: agent })).toEqual([join(agent, 'sessions')])
    expect(await roots({ PI_CODING_AGENT_SESSION_DIR: sessions })).toEqual([sessions])
    writeFiles(agent, { 'settings.json': JSON.stringify({ sessionDir: sessions }) })
    // A folder outside of the agent's folder is read once the operator allows it.
    const allows = (store: string, folder: string) => store === agent && folder === sessions
    const env = { PI_CODING_AGENT_DIR: agent }
    expect(await roots(env, allows)).toEqual([sessions, join(agent, 'sessions')])
    expect(await roots(env)).toEqual([join(agent, 'sessions')])
    writeFiles(agent, { 'settings.json': JSON.stringify({ sessionDir: join(agent, 'kept') }) })
    writeFiles(agent, { 'kept/--w--/c.jsonl': HEADER })
    expect(await roots(env)).toEqual([join(agent, 'kept'), join(agent, 'sessions')])
  })
})

describe('stores that somebody names', () => {
  it('a command line names all there is; the list of the environment replaces the known places', async () => {
    const [home, a, b, c] = [temporaryFolder(), temporaryFolder(), temporaryFolder(), temporaryFolder()]
    writeFiles(home, { '.openclaw/agents/main/sessions/s1.jsonl': HEADER })
    for (const folder of [a, b, c]) writeFiles(folder, { 's1.jsonl': HEADER })
    const configured = [{ path: b, kind: null }]
    const roots = async (where: Partial<Where>) =>
      (await discover(home, where)).stores.map(({ root }) => root)
    expect(await roots({ configured })).toEqual([join(home, '.openclaw'), b])
    expect(await roots({ configured, instead: [c] })).toEqual([c, b])
    expect(await roots({ configured, instead: [c], only: [a] })).toEqual([a])
    const { probes } = await discover(home, { configured, instead: [c] })
    expect(probes.map(({ path, why }) => [path, why])).toEqual([
      [c, 'environment'],
      [b, 'configured'],
    ])
  })

  it.each([
    ['the state folder', ''],
    ['its agents', 'agents'],
    ['one agent', 'agents/main'],
    ['its sessions', 'agents/main/sessions'],
    ['one transcript', 'agents/main/sessions/s1.jsonl'],
  ])('%s of OpenClaw', async (_, below) => {
    const root = temporaryFolder()
    writeFiles(root, {
      'agents/main/sessions/s1.jsonl': HEADER,
      'agents/main/sessions/sessions.json': JSON.stringify({ 'agent:main:main': { sessionId: 's1' } }),
      'openclaw.json': `{ models: { providers: { p: { models: [{ id: 'm', contextWindow: 7 }] } } } } // JSON5`,
    })
    const { stores } = await discover('/nowhere', { only: [join(root, below)] })
    expect(stores).toMatchObject([{ kind: 'openclaw', era: 'jsonl', state: 'ok' }])
    const { transcripts } = await listAll(createStoreReader(), stores[0] as FoundStore)
    expect(transcripts).toMatchObject([
      { key: 'agent:main:main', agent: 'main', state: 'live', index: { sessionId: 's1' } },
    ])
    expect(transcripts[0]?.windows).toMatchObject({ m: 7, 'p/m': 7 })
  })

  it('any folder: its transcripts and the stores below it, but not what other programs wrote', async () => {
    const root = temporaryFolder()
    writeFiles(root, {
      'oc/agents/main/sessions/s1.jsonl': HEADER,
      'deep/er/plain.jsonl': HEADER,
      'rubbish.jsonl': Buffer.from([1, 2, 3, 255, 10]),
      'no-header.jsonl': '{"type":"message","id":"a","message":{"role":"user","content":"x"}}\n',
      'empty.jsonl': '',
      'claude.jsonl': '{"type":"user","uuid":"a","sessionId":"b","message":{}}\n',
      'codex.jsonl': '{"timestamp":"x","type":"session_meta","payload":{}}\n',
      'requests.jsonl': '{"n":1,"model":"m","messages":[]}\n',
      'long.jsonl': `{"type":"summary","summary":"${'x'.repeat(9000)}"}\n`,
      'node_modules/p/x.jsonl': HEADER,
      'notes.txt': 'x',
    })
    const { stores } = await discover('/nowhere', { only: [root] })
    expect(brief(stores)).toEqual([
      ['openclaw', 'jsonl', join(root, 'oc'), 'ok'],
      ['claude-code', 'jsonl', root, 'ok'],
      ['codex', 'jsonl', root, 'ok'],
      ['pi', 'jsonl', root, 'ok'],
    ])
    expect(await namesIn(stores[1] as FoundStore)).toEqual(['claude.jsonl'])
    expect(await namesIn(stores[2] as FoundStore)).toEqual(['codex.jsonl'])
    expect(await namesIn(stores[3] as FoundStore)).toEqual([
      'deep/er/plain.jsonl',
      'empty.jsonl',
      'no-header.jsonl',
      'rubbish.jsonl',
    ])
    expect(stores[3]?.problem).toContain('2 .jsonl files hold no transcript that is known and are left out')
  })

  it('a folder without transcripts, a missing path, a pipe: each with what to do', async () => {
    const root = temporaryFolder()
    execFileSync('mkfifo', [join(root, 'pipe')])
    mkdirSync(join(root, 'empty'))
    const only = ['empty', 'gone', 'pipe'].map((name) => join(root, name))
    const { stores, probes } = await discover('/nowhere', { only })
    expect(stores.map(({ state, problem }) => [state, problem])).toEqual([
      ['empty', expect.stringContaining('holds no transcripts. Expected are')],
      ['missing', expect.stringContaining('is not there. Check the path')],
      ['unreadable', expect.stringContaining('is a named pipe; name a folder or a file.')],
    ])
    expect(probes.map(({ found }) => found)).toEqual([true, false, true])
  })

  it('a store that another one covers is not listed twice', async () => {
    const home = temporaryFolder()
    writeFiles(home, { '.openclaw/agents/main/sessions/s1.jsonl': HEADER })
    const state = join(home, '.openclaw')
    symlinkSync(state, join(home, 'link'))
    const configured = [join(home, 'link'), join(state, 'agents/main/sessions'), state].map((path) => ({
      path,
      kind: null,
    }))
    expect(brief((await discover(home, { configured })).stores)).toEqual([['openclaw', 'jsonl', state, 'ok']])
  })
})

describe('an OpenClaw state folder', () => {
  it('lists every agent and every archived name with its state (M1)', async () => {
    const root = temporaryFolder()
    const at = '2026-11-21T03-06-14.123Z'
    writeFiles(root, {
      'agents/main/sessions/s1.jsonl': HEADER,
      [`agents/main/sessions/s0.jsonl.reset.${at}`]: HEADER,
      [`agents/main/sessions/s0.jsonl.deleted.${at}.zst`]: storeFixture('pi-version-1.jsonl.zst'),
      [`agents/main/sessions/s1.jsonl.bak.${at}`]: HEADER,
      'agents/main/sessions/s1.checkpoint.1048b94b-fa72-4af8-9b44-6702fe31a7d7.jsonl': HEADER,
      'agents/main/sessions/s1.trajectory.jsonl': '{"traceSchema":"openclaw-trajectory"}\n',
      'agents/main/sessions/s1.jsonl.lock': '{}',
      'agents/main/sessions/skills-prompts/sha256/x.jsonl': HEADER,
      'agents/main/session-sqlite-import-archive/agent_main_main.s7.jsonl.imported-1795233230492': HEADER,
      'agents/ops/sessions/s1.jsonl': HEADER,
      'sessions/early.jsonl': HEADER,
      'requests.jsonl': '{"n":1}\n',
    })
    const { stores } = await discover('/nowhere', { only: [root] })
    const { transcripts, problem } = await listAll(createStoreReader(), stores[0] as FoundStore)
    expect(problem).toBeNull()
    expect(transcripts.map(({ agent, sessionId, state }) => `${agent} ${sessionId} ${state}`).sort()).toEqual(
      [
        'main early live',
        'main s0 deleted',
        'main s0 reset',
        'main s1 backup',
        'main s1 checkpoint',
        'main s1 live',
        'main s7 imported',
        'ops s1 live',
      ],
    )
    expect(new Set(transcripts.map(({ id }) => id)).size).toBe(8)
  })

  it('with both eras has a store of each; a file whose session is in the database was imported', async () => {
    const root = temporaryFolder()
    const database = new AgentDatabaseBuilder(join(root, 'agents/main/agent/openclaw-agent.sqlite'))
    database.session({ id: 's1', key: 'agent:main:main', rows: [HEADER], entry: { sessionId: 's1' } })
    database.close()
    writeFiles(root, { 'agents/main/sessions/s1.jsonl': HEADER, 'agents/main/sessions/s2.jsonl': HEADER })
    const { stores } = await discover('/nowhere', { only: [root] })
    expect(stores.map(({ era, state }) => [era, state])).toEqual([
      ['sqlite', 'ok'],
      ['jsonl', 'ok'],
    ])
    const { transcripts } = await listAll(createStoreReader(), stores[1] as FoundStore)
    expect(transcripts.map(({ sessionId, state }) => [sessionId, state]).sort()).toEqual([
      ['s1', 'imported'],
      ['s2', 'live'],
    ])
  })

  it.each([
    ['empty', ''],
    ['cut off', '{"agent:main:main": {"sessionId": "s1"'],
    ['no object', '[]'],
  ])('with an index that is %s is listed without it, and says so', async (_, index) => {
    const root = temporaryFolder()
    const file = 'agents/main/sessions/sessions.json'
    writeFiles(root, { 'agents/main/sessions/s1.jsonl': HEADER, [file]: index })
    const { stores } = await discover('/nowhere', { only: [root] })
    expect(stores[0]).toMatchObject({ state: 'ok', problem: expect.stringContaining(join(root, file)) })
    expect(stores[0]?.problem).toContain('listed without their keys')
    const { transcripts, problem } = await listAll(createStoreReader(), stores[0] as FoundStore)
    expect(transcripts).toMatchObject([{ sessionId: 's1', key: null, index: null }])
    expect(problem).toBeNull()
  })

  it('tells what the index says of the live transcript only', async () => {
    const root = temporaryFolder()
    const folder = 'agents/main/sessions'
    writeFiles(root, {
      [`${folder}/070e4043-a33e-4772-bf47-88b89b8500ab.jsonl`]: HEADER,
      [`${folder}/070e4043-a33e-4772-bf47-88b89b8500ab.jsonl.bak.2026-11-21T03-06-14Z`]: HEADER,
      [`${folder}/sessions.json`]: storeFixture('sessions-2026.7.1.json'),
    })
    const { stores } = await discover('/nowhere', { only: [root] })
    const reader = createStoreReader()
    const { transcripts } = await listAll(reader, stores[0] as FoundStore)
    expect(transcripts.map(({ state, key, index }) => [state, key, index?.contextWindow])).toEqual([
      ['live', 'agent:main:main', 64000],
      ['backup', 'agent:main:main', undefined],
    ])

    // The same answer while nothing changes, another one as soon as the index does.
    expect((await listAll(reader, stores[0] as FoundStore)).transcripts[0]).toBe(transcripts[0])
    const index = join(root, folder, 'sessions.json')
    writeFileSync(index, storeFixture('sessions-2026.7.1.json').toString().replace('64000', '32000'))
    utimesSync(index, 1, 1)
    const again = await listAll(reader, stores[0] as FoundStore)
    expect(again.transcripts[0]?.index?.contextWindow).toBe(32000)
    renameSync(index, `${index}.bak.1`)
    expect((await listAll(reader, stores[0] as FoundStore)).transcripts[0]?.index).toBeNull()
  })

  it('may keep its sessions elsewhere (`session.store`)', async () => {
    const home = temporaryFolder()
    writeFiles(home, {
      '.openclaw/openclaw.json': `{ session: { store: '~/elsewhere/{agentId}/sessions.json' }, agents: { list: [{ id: 'ops' }] } }`,
      'elsewhere/main/s1.jsonl': HEADER,
      'elsewhere/ops/s2.jsonl': HEADER,
      'elsewhere/stranger/s3.jsonl': HEADER,
    })
    // Outside of the store, so that the operator has to allow it first.
    const refused = await discover(home)
    expect(refused.stores.map(({ root }) => root)).toEqual([join(home, '.openclaw')])
    expect(refused.probes.filter(({ why }) => why === 'configured')).toMatchObject([
      { path: join(home, 'elsewhere/main'), found: false, problem: expect.stringContaining('is not read') },
      { path: join(home, 'elsewhere/ops'), found: false, problem: expect.stringContaining('is not read') },
    ])
    const allows = (_store: string, folder: string) => folder.startsWith(join(home, 'elsewhere'))
    const { stores, probes } = await discover(home, { allows })
    expect(stores.filter(({ state }) => state === 'ok').map(({ root }) => root)).toEqual([
      join(home, 'elsewhere/main'),
      join(home, 'elsewhere/ops'),
    ])
    expect(probes.filter(({ why }) => why === 'configured')).toHaveLength(2)
    // Who names the stores means those and no others.
    expect((await discover(home, { instead: [join(home, '.openclaw')] })).stores).toHaveLength(1)
  })

  it('does not follow links out of it, and says so', async () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()]
    writeFiles(root, { 'agents/main/sessions/s1.jsonl': HEADER })
    writeFiles(outside, { 'agent/sessions/secret.jsonl': HEADER, 'sessions/secret.jsonl': HEADER })
    symlinkSync(join(outside, 'agent'), join(root, 'agents/away'))
    mkdirSync(join(root, 'agents/half'))
    symlinkSync(join(outside, 'sessions'), join(root, 'agents/half/sessions'))
    const { stores } = await discover('/nowhere', { only: [root] })
    expect(stores[0]).toMatchObject({
      state: 'ok',
      problem: expect.stringContaining('leads out of the store'),
    })
    const { transcripts, problem } = await listAll(createStoreReader(), stores[0] as FoundStore)
    expect(transcripts.map(({ sessionId }) => sessionId)).toEqual(['s1'])
    expect(problem).toMatchObject({ code: 'outside' })
  })

  it('with a folder that cannot be read lists the rest and says so', async () => {
    const root = temporaryFolder()
    writeFiles(root, { 'agents/main/sessions/s1.jsonl': HEADER })
    mkdirSync(join(root, 'agents/ops'))
    symlinkSync('sessions', join(root, 'agents/ops/sessions'))
    const { stores } = await discover('/nowhere', { only: [root] })
    expect(stores[0]).toMatchObject({ state: 'ok', problem: expect.stringContaining('lead in a circle') })
    const { transcripts, problem } = await listAll(createStoreReader(), stores[0] as FoundStore)
    expect(transcripts.map(({ sessionId }) => sessionId)).toEqual(['s1'])
    expect(problem).toMatchObject({ code: 'unreadable', path: join(root, 'agents/ops/sessions') })
  })

  it.skipIf(process.getuid?.() === 0)(
    'with a folder that may not be read lists the rest and says so (skipped as root, whom modes do not stop)',
    async () => {
      const root = temporaryFolder()
      writeFiles(root, { 'agents/main/sessions/s1.jsonl': HEADER, 'agents/ops/sessions/s2.jsonl': HEADER })
      chmodSync(join(root, 'agents/ops/sessions'), 0)
      const { stores } = await discover('/nowhere', { only: [root] })
      expect(stores[0]).toMatchObject({ state: 'ok', problem: expect.stringContaining('no permission') })
      const { transcripts, problem } = await listAll(createStoreReader(), stores[0] as FoundStore)
      expect(transcripts.map(({ sessionId }) => sessionId)).toEqual(['s1'])
      expect(problem).toMatchObject({ code: 'unreadable' })
      chmodSync(join(root, 'agents/ops/sessions'), 0o700)
    },
  )
})

describe('pi sessions', () => {
  it('sub-agents have their own, distinguished by their folders', async () => {
    const home = temporaryFolder()
    const folder = '.pi/agent/sessions/--w--'
    writeFiles(home, {
      [`${folder}/2026-04-02T05-01-37-000Z_s9.jsonl`]: HEADER,
      [`${folder}/2026-04-02T05-01-37-000Z_s9/abc/run-0/session.jsonl`]: HEADER,
      [`${folder}/2026-04-02T05-01-37-000Z_s9/def/run-0/session.jsonl`]: HEADER,
      '.pi/agent/models.json': JSON.stringify({
        providers: { p: { models: [{ id: 'm', contextWindow: 9 }] } },
      }),
    })
    const { stores } = await discover(home)
    const { transcripts } = await listAll(createStoreReader(), stores[0] as FoundStore)
    expect(transcripts.map(({ sessionId }) => sessionId).sort()).toEqual([
      '2026-04-02T05-01-37-000Z_s9/abc/run-0',
      '2026-04-02T05-01-37-000Z_s9/def/run-0',
      's9',
    ])
    expect(transcripts[0]?.windows).toMatchObject({ m: 9 })
    for (const below of ['.pi', '.pi/agent', '.pi/agent/sessions']) {
      const { stores: named } = await discover('/nowhere', { only: [join(home, below)] })
      expect(named.map(({ root }) => root)).toEqual([join(home, '.pi/agent/sessions')])
    }
  })
})

describe('nothing is ever written', () => {
  it('M22 whatever is found, listed, read and opened', async () => {
    const home = temporaryFolder()
    writeFiles(home, {
      '.openclaw/agents/main/sessions/s1.jsonl': `${HEADER}torn`,
      '.openclaw/agents/main/sessions/sessions.json': storeFixture('sessions-2026.7.1.json'),
      '.openclaw/agents/main/sessions/s2.jsonl.deleted.1.zst': storeFixture('pi-version-1.jsonl.zst'),
      '.openclaw/openclaw.json': '{}',
      '.pi/agent/sessions/--w--/s3.jsonl': storeFixture('pi-version-1.jsonl'),
    })
    const database = new AgentDatabaseBuilder(join(home, '.openclaw/agents/b/agent/openclaw-agent.sqlite'), {
      wal: true,
    })
    database.session({ id: 's4', key: 'k', rows: [HEADER], entry: {} })
    database.close()
    const before = treeOf(home)
    const { stores } = await discover(home)
    const reader = createStoreReader({ lastLine: 'take-whole' })
    let entries = 0
    for (const store of stores) {
      for (const transcript of (await listAll(reader, store)).transcripts) {
        const { facts } = await readAll(reader, store, transcript)
        for (const fact of facts) await reader.source(store, transcript, fact)
        entries += facts.length
      }
    }
    expect(entries).toBe(1 + 40 + 40 + 1)
    expect(treeOf(home)).toEqual(before)
  })
})

describe.skipIf(CORPUS === null)('the corpus (skipped where it is absent)', () => {
  it.each([
    ['openclaw-2026.7.1', 'openclaw', 'jsonl', 1],
    ['openclaw-2026.9.6', 'openclaw', 'sqlite', 1],
    ['openclaw-public/JulesTraderX+binance-ai-assistant', 'openclaw', 'jsonl', 3],
    ['pi', 'pi', 'jsonl', 1],
    ['pi/large-session.jsonl', 'pi', 'jsonl', 1],
  ])('%s named as a path gives that store', async (below, kind, era, count) => {
    const { stores } = await discover('/nowhere', { only: [join(CORPUS ?? '', below)] })
    expect(stores).toMatchObject([{ kind, era, state: 'ok' }])
    const { transcripts, problem } = await listAll(createStoreReader(), stores[0] as FoundStore)
    expect(problem).toBeNull()
    expect(transcripts).toHaveLength(count)
  })
})
