import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_SUBJECT } from '../../core/policy/effective'
import { runtimePolicy } from '../../core/policy/runtime/runtime-policy'
import type { FoundStore } from '../../engine/read/ports'
import { AgentDatabaseBuilder } from '../../testing/builders/agent-database'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { readSetupAnyway } from '../lenient-setup'
import { openPolicies } from '../policy/policies'
import { runtimeStoreOf } from './runtime-stores'

const found = (values: Partial<FoundStore> & Pick<FoundStore, 'root'>): FoundStore => ({
  ...{ id: 'a', kind: 'openclaw', era: 'jsonl', label: 'a', state: 'ok' },
  ...values,
})

async function policyOf(home: string, store: FoundStore) {
  const config = join(home, 'plimsoll.yaml')
  const own = existsSync(config) ? { PLIMSOLL_CONFIG: config } : {}
  const read = readSetupAnyway({ HOME: home, ...own }, home)
  if (!read.ok) throw new Error(read.problems.join())
  const documents = await openPolicies(read.setup, [store]).documents()
  const runtime = await runtimeStoreOf(documents, store, read.setup.settings)
  return runtimePolicy(runtime, { ...NO_SUBJECT, provider: null, at: Date.UTC(2026, 6, 1) })
}

describe('X9 the runtime of a store', () => {
  it('states its version in its settings file, which counts as well, also for a store that is one agent', async () => {
    const home = temporaryFolder()
    const config =
      '{ meta: { lastTouchedVersion: "2026.2.26" }, agents: { defaults: { compaction: { reserveTokensFloor: 30000 } } } }'
    writeFiles(home, {
      '.openclaw/openclaw.json': config,
      '.openclaw/agents/main/sessions/sessions.json': '{}',
    })
    for (const root of ['.openclaw', '.openclaw/agents/main', '.openclaw/agents/main/sessions']) {
      const { policy, runtime } = await policyOf(home, found({ root: join(home, root) }))
      expect(runtime).toMatchObject({ version: '2026.2.26', rules: '2026.2', assumed: [] })
      expect(policy.reserve.floor).toBe(30_000)
    }
  })

  it('states it in its database, which counts more than the settings file', async () => {
    const home = temporaryFolder()
    const config = '{ meta: { lastTouchedVersion: "2026.2.26" } }'
    writeFiles(home, { '.openclaw/openclaw.json': config, '.openclaw/agents/main/x': '' })
    const database = new AgentDatabaseBuilder(join(home, '.openclaw/agents/main/agent/openclaw-agent.sqlite'))
    database.run('ALTER TABLE schema_meta ADD COLUMN app_version TEXT')
    database.run("UPDATE schema_meta SET app_version = '2026.9.6'")
    database.close()
    const { runtime } = await policyOf(home, found({ root: join(home, '.openclaw'), era: 'sqlite' }))
    expect(runtime).toMatchObject({ version: '2026.9.6', rules: '2026.9', name: 'OpenClaw 2026.9.6' })
  })

  it('states none where there is nothing to read, and is not looked for in damaged files', async () => {
    const home = temporaryFolder()
    writeFiles(home, { '.openclaw/agents/main/agent/openclaw-agent.sqlite': 'no database' })
    const { runtime } = await policyOf(home, found({ root: join(home, '.openclaw'), era: 'sqlite' }))
    expect(runtime).toMatchObject({ version: null, rules: '2026.9' })
    expect(runtime.assumed.join()).toContain('version is not stated')
  })

  it('is pi, with the settings beside its sessions and no others', async () => {
    const home = temporaryFolder()
    writeFiles(home, {
      '.pi/agent/settings.json':
        '{ "theme": "dark", "compaction": { "reserveTokens": 30000, "enabled": true } }',
      '.pi/agent/sessions/x': '',
      'elsewhere/settings.json': '{ "compaction": { "reserveTokens": 1 } }',
      'elsewhere/transcripts/x': '',
    })
    const pi = await policyOf(home, found({ kind: 'pi', root: join(home, '.pi/agent/sessions') }))
    expect(pi.policy.reserve.tokens).toBe(30_000)
    expect(pi.runtime.assumed).toEqual(["a project's own .pi/settings.json is not read"])
    const other = await policyOf(home, found({ kind: 'pi', root: join(home, 'elsewhere/transcripts') }))
    expect(other.policy.reserve.tokens).toBe(16_384)
    expect(other.runtime.assumed.join()).toContain("pi's defaults are taken")
  })

  it('is the library, where the nearest place that the settings name says so', async () => {
    const home = temporaryFolder()
    writeFiles(home, {
      'plimsoll.yaml':
        'stores: [{ path: ., runtime: library }, { path: pi, kind: pi }, { path: claw/agents, runtime: library }]',
      'pi/x': '',
      'mine/x': '',
      'claw/agents/main/sessions/x': '',
    })
    const kindOf = async (root: string) =>
      (await policyOf(home, found({ kind: 'pi', root: join(home, root) }))).runtime.kind
    expect(await Promise.all(['', 'mine', 'pi', 'pi/sessions', 'claw'].map(kindOf))).toEqual([
      'library',
      'library',
      'pi',
      'pi',
      'library',
    ])
    expect((await policyOf(home, found({ kind: 'pi', root: `${home}-beside` }))).runtime.kind).toBe('pi')
  })
})
