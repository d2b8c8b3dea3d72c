import { describe, expect, it } from 'vitest'
import { runtimePolicyWith, settingsFile } from '../../../testing/builders/runtime-policy'
import type { ClientSetting, ClientSettingName } from '../formats/client-setting'
import type { PolicyPatch } from '../policy'
import type { RuntimeSession, RuntimeStore } from './runtime-policy'

const nine = (value = '2026.9.6'): Partial<RuntimeStore> => ({
  era: 'sqlite',
  version: { value, from: 'openclaw.json' },
})
const infoOf = (store: Partial<RuntimeStore>, session: Partial<RuntimeSession> = {}) =>
  runtimePolicyWith(store, session).runtime
const stated = (value: string) => ({ value, from: 'a session' })

/** A configuration of Codex that says this. */
function codexFile(values: { readonly [name in ClientSettingName]?: ClientSetting['value'] }) {
  const { label, file } = settingsFile('config.toml', {})
  const clientSettings = (Object.keys(values) as ClientSettingName[]).flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [{ name, model: null, value, key: name, file: label, line: 1 }]
  })
  return { label, file: { ...file, clientSettings } }
}

describe('X9 who compacts on the side of the provider', () => {
  it.each<[string | null, Partial<RuntimeStore>, string | null]>([
    ['openai', nine(), 'openai'],
    ['anthropic', nine(), null],
    ['anthropic', nine('2026.10.1'), null],
    ['anthropic', nine('2026.10.2'), 'anthropic'],
    ['anthropic', nine('2026.11.0'), 'anthropic'],
    ['anthropic', nine('2027.1.0'), 'anthropic'],
    ['anthropic', { era: 'sqlite', version: null }, null],
    ['xai', nine('2027.1.0'), null],
    [null, nine('2027.1.0'), null],
    ['openai', {}, null],
    ['openai', { owner: 'pi' }, null],
    ['openai', { owner: 'library' }, null],
  ])('asked of %s by %j: %s', (provider, store, expected) => {
    const info = infoOf(store, { provider })
    expect([info.provider, info.providerThreshold]).toEqual([expected, null])
  })

  it.each<[string, object, string | null, number | null]>([
    ['openai', { responsesServerCompaction: false, responsesCompactThreshold: 5 }, null, null],
    ['openai', { responsesCompactThreshold: 5, anthropicCompactThreshold: 6 }, 'openai', 5],
    ['anthropic', { anthropicServerCompaction: true, anthropicCompactThreshold: 6 }, 'anthropic', 6],
    ['anthropic', { anthropicServerCompaction: false }, null, null],
    ['anthropic', { responsesServerCompaction: true }, null, null],
    ['xai', { anthropicServerCompaction: true, responsesServerCompaction: true }, null, null],
  ])('%s with the settings %j: %s at %s', (provider, params, expected, threshold) => {
    const { label, file } = settingsFile('openclaw.json', {})
    const files = [{ label, file: { ...file, providerParams: [{ model: null, agent: null, params }] } }]
    const info = infoOf({ ...nine(), files }, { provider })
    expect([info.provider, info.providerThreshold]).toEqual([expected, threshold])
  })
})

describe('X9 what is shown of a runtime', () => {
  it('is its name, its version and rules, and the settings files that count', () => {
    const files = [settingsFile('a.json', {}), settingsFile('b.json', {})]
    expect(infoOf({ ...nine(), files })).toMatchObject({
      ...{ kind: 'openclaw', name: 'OpenClaw 2026.9.6', version: '2026.9.6', rules: '2026.9' },
      files: ['a.json', 'b.json'],
    })
    expect(infoOf({ version: null }).name).toBe('OpenClaw 2026.7')
    expect(infoOf({ owner: 'pi' })).toMatchObject({ kind: 'pi', name: 'pi', version: null, rules: 'pi' })
    const own = settingsFile('mine.yaml', {})
    expect(infoOf({ owner: 'library', own })).toMatchObject({
      ...{ kind: 'library', version: null, rules: 'library', files: ['mine.yaml'] },
      assumed: [expect.stringContaining('mine.yaml')],
    })
    expect(infoOf({ owner: 'library' })).toMatchObject({
      ...{ files: [], assumed: [expect.stringContaining('defaults')] },
    })
  })

  it.each<[Partial<RuntimeStore>, string, string | null]>([
    [{ owner: 'claude-code', version: stated('2.1.330') }, 'Claude Code 2.1.330', '2.1.330'],
    [{ owner: 'claude-code', version: null }, 'Claude Code', null],
    [{ owner: 'codex', version: stated('0.169.0') }, 'Codex 0.169.0', '0.169.0'],
    [{ owner: 'codex', version: null }, 'Codex', null],
    [{ owner: 'opencode', version: stated('1.2.3') }, 'OpenCode', null],
  ])('%j is shown as %s', (store, name, version) => {
    const info = infoOf(store)
    expect([info.kind, info.rules, info.name, info.version]).toEqual([
      store.owner,
      store.owner,
      name,
      version,
    ])
    expect(info.client?.kind ?? 'opencode').toBe(store.owner)
  })

  it.each<[Partial<RuntimeStore>, RegExp[]]>([
    [{ owner: 'claude-code', version: stated('2.1.330') }, [/project/]],
    [{ owner: 'claude-code', version: stated('10.0.0') }, [/project/]],
    [{ owner: 'claude-code', version: null }, [/release is not stated/, /project/]],
    [
      { owner: 'claude-code', version: stated('latest'), files: [] },
      [/^"latest" is no release/, /no settings file/, /project/],
    ],
    [{ owner: 'claude-code', version: null, files: [] }, [/not stated/, /no settings file/, /project/]],
    [{ owner: 'codex' }, [/project/]],
    [{ owner: 'codex', files: [] }, [/no config\.toml/, /project/]],
    [{ owner: 'codex', files: [codexFile({ limitScope: 'body_after_prefix' })] }, [/project/]],
    [{ owner: 'codex', files: [codexFile({ limitScope: 'total', compactLimit: 9 })] }, [/project/]],
    [
      { owner: 'codex', files: [codexFile({ limitScope: 'body_after_prefix', compactLimit: 9 })] },
      [/project/, /the line may be higher/],
    ],
    [{ owner: 'opencode' }, [/not read/, /newest release/]],
  ])('of %j is assumed: %j', (store, reasons) => {
    expect(infoOf(store, { provider: 'anthropic' }).assumed).toEqual(
      reasons.map((reason) => expect.stringMatching(reason)),
    )
  })

  it('of pi, that settings of a project are not read, and whether its own were found', () => {
    const { assumed } = infoOf({ owner: 'pi' }, { provider: 'anthropic' })
    expect(assumed).toEqual([expect.stringContaining('.pi/settings.json')])
    expect(infoOf({ owner: 'pi', files: [] }).assumed).toHaveLength(2)
  })

  it('pruning is taken to be off for Anthropic, unless its settings say', () => {
    const off = (patch: PolicyPatch) =>
      infoOf({ files: [settingsFile('openclaw.json', patch)] }, { provider: 'anthropic' }).assumed
    expect(off({})).toEqual([expect.stringContaining('pruning is taken to be off')])
    expect(off({ pruning: { cacheTtl: { enabled: false } } })).toEqual([])
    expect(infoOf({}, { provider: 'openai' }).assumed).toEqual([])
  })
})

describe('X9 what a runtime heeds of its settings', () => {
  const patch: PolicyPatch = {
    window: { cap: 50_000, byModel: { m: 9 } },
    reserve: { floor: 40_000 },
    history: { maxShare: 0.3, maxTurns: 7 },
    bootstrap: { maxCharsTotal: 5 },
  }
  const policyOf = (store: Partial<RuntimeStore>) =>
    runtimePolicyWith({ ...store, files: [settingsFile('openclaw.json', patch)] }).policy

  it('is all of them before 2026.9', () => {
    const { window, reserve, history, bootstrap } = policyOf({})
    expect([window.cap, window.byModel, reserve.floor]).toEqual([50_000, { m: 9 }, 40_000])
    expect([history.maxShare, history.maxTurns, bootstrap.maxCharsTotal]).toEqual([0.3, 7, 5])
  })

  it('is neither cap, reserve nor share of history from 2026.9 on, and all others', () => {
    const { window, reserve, history, bootstrap } = policyOf(nine())
    expect([window.cap, window.byModel, reserve.floor]).toEqual([null, { m: 9 }, 20_000])
    expect([history.maxShare, history.maxTurns, bootstrap.maxCharsTotal]).toEqual([0.5, 7, 5])
  })
})
