import { describe, expect, it } from 'vitest'
import { actingPolicyValues, actingValues } from './acting-values'
import { readPolicy } from './read-policy'
import { parseSource } from './source-tree'

const actingIn = (text: string) => actingPolicyValues(readPolicy(parseSource(text, '/w/plimsoll.yaml')))

describe('what acts in a file that a policy is read from', () => {
  it('is found under the keys of other formats, and named by them', () => {
    expect(
      actingIn(
        'session: { compaction: { ollama: { url: "http://elsewhere", model: m } } }\nCOLD_STORAGE_PATH: /srv/x\n',
      ),
    ).toEqual([
      { key: 'session.compaction.ollama.model', kind: 'model', value: 'ollama/m' },
      { key: 'session.compaction.ollama.url', kind: 'address', value: 'http://elsewhere' },
      { key: 'COLD_STORAGE_PATH', kind: 'folder', value: '/srv/x' },
    ])
  })

  it('is found in overrides', () => {
    expect(actingIn('overrides: [{ agent: a, policy: { summary: { url: "http://elsewhere" } } }]\n')).toEqual(
      [{ key: 'overrides[0].policy.summary.url', kind: 'address', value: 'http://elsewhere' }],
    )
  })

  it('is not a number, a switch that is off, or an empty text', () => {
    expect(
      actingIn(
        'policy: { summary: { model: "", fallbackToMain: false, maxTokens: 3 } }\nRELEVANCE_CUTOFF: 0.4\n',
      ),
    ).toEqual([])
  })
})

describe('what acts in our own settings file', () => {
  it('is listed by kind: commands, addresses, models, folders, names of variables', () => {
    const settings = {
      stores: ['/srv/agents'],
      workspaces: '/srv/w',
      agentMemory: '/srv/m',
      hooks: { beforeCompaction: 'before.sh', afterCompaction: ['after.sh', '-v'] },
      health: { command: 'alarm.sh', webhook: 'https://alarm.example/x' },
      gateway: { command: 'openclaw', url: 'ws://gateway.example' },
      knowledge: { surrealdb: { url: 'ws://db.example', passwordEnv: 'DB_PASSWORD' } },
      keys: { openai: 'MY_KEY' },
      policy: { summary: { model: 'ollama/m', url: 'http://models.example' } },
    }
    expect(actingValues(settings).map(({ kind, key, value }) => [kind, key, value])).toEqual([
      ['command', 'hooks.beforeCompaction', 'before.sh'],
      ['command', 'hooks.afterCompaction', ['after.sh', '-v']],
      ['command', 'health.command', 'alarm.sh'],
      ['command', 'gateway.command', 'openclaw'],
      ['address', 'health.webhook', 'https://alarm.example/x'],
      ['address', 'gateway.url', 'ws://gateway.example'],
      ['address', 'knowledge.surrealdb.url', 'ws://db.example'],
      ['address', 'policy.summary.url', 'http://models.example'],
      ['model', 'policy.summary.model', 'ollama/m'],
      ['folder', 'stores', ['/srv/agents']],
      ['folder', 'workspaces', '/srv/w'],
      ['folder', 'agentMemory', '/srv/m'],
      ['variable', 'knowledge.surrealdb.passwordEnv', 'DB_PASSWORD'],
      ['variable', 'keys', { openai: 'MY_KEY' }],
    ])
  })

  it('is listed of every override as well, with its place', () => {
    const policy = { summary: { url: 'http://elsewhere.example' } }
    expect(actingValues({ overrides: [{ agent: 'a' }, { agent: 'b', policy }] })).toEqual([
      { key: 'overrides[1].policy.summary.url', kind: 'address', value: 'http://elsewhere.example' },
    ])
  })

  it.each([
    undefined,
    null,
    'text',
    { overrides: 'none' },
    { stores: [], hooks: { beforeCompaction: '' }, keys: null },
  ])('is nothing in %j', (settings) => expect(actingValues(settings)).toEqual([]))
})
