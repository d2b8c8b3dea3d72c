import { describe, expect, it } from 'vitest'
import { runtimeStoreWith, settingsFile } from '../../testing/builders/runtime-policy'
import type { ClientSetting } from '../policy/formats/client-setting'
import type { RuntimeStore } from '../policy/runtime/runtime-policy'
import { type LoadSubject, overrideSubject, readWindow, SessionLoads, windowFacts } from './session-loads'

const NEWER = { era: 'sqlite', version: { value: '2026.9.6', from: 'openclaw.json' } } as const

const compactWindow = (model: string, value: number): ClientSetting => ({
  ...{ name: 'compactWindow', model, value, key: 'autoCompactWindow', file: 'settings.json', line: 1 },
})

describe('X9: the loads of many sessions', () => {
  const runtimeOf = ({ id }: { id: string }): RuntimeStore =>
    runtimeStoreWith({
      version: null,
      files: id === 'a' ? [settingsFile('openclaw.json', { reserve: { floor: 30_000 } })] : [],
      own: settingsFile('plimsoll.yaml', { lines: { compact: { at: 0.2 } }, reserve: { floor: 90_000 } }),
    })
  const session = (values: Partial<LoadSubject>): LoadSubject => ({
    ...{ storeId: 'a', storeRoot: '/a', sessionId: 's', key: null, agent: null, channel: null },
    ...{
      provider: null,
      model: null,
      window: 200_000,
      windowSource: 'index',
      believedWindow: null,
      believedSource: null,
      updatedAt: Date.UTC(2026, 2, 1),
    },
    ...values,
  })

  it('are those of each session’s own runtime, whatever the draft says, and the same object where nothing differs', () => {
    const loads = new SessionLoads(runtimeOf)
    expect(loads.of(session({}))).toMatchObject({ reserve: 30_000, from: 'OpenClaw 2026.2, openclaw.json' })
    expect(loads.of(session({ storeId: 'b' }))).toMatchObject({ reserve: 20_000, from: 'OpenClaw 2026.2' })
    expect(loads.of(session({ sessionId: 't' }))).toBe(loads.of(session({})))
    expect(loads.of(session({ window: 100_000 }))?.window).toBe(100_000)
    expect(loads.of(session({ window: null }))).toBeNull()
  })

  it('follow the release by the time of use where no version is stated', () => {
    const loads = new SessionLoads(runtimeOf)
    const july = loads.of(session({ storeId: 'b', updatedAt: Date.UTC(2026, 6, 1) }))
    expect(july).toMatchObject({ from: 'OpenClaw 2026.7', lines: [{ name: 'compact', tokens: 176_000 }] })
  })

  it('know a session by id and key, its store by id and root', () => {
    expect(overrideSubject(session({ key: 'agent:main:main' }))).toMatchObject({
      session: ['s', 'agent:main:main'],
      store: ['a', '/a'],
    })
    expect(overrideSubject(session({})).session).toEqual(['s'])
  })

  it('tell a window that was assumed from one that was read', () => {
    const loads = new SessionLoads(runtimeOf)
    expect(loads.of(session({ windowSource: null }))?.windowSource).toBe('default')
    expect(loads.of(session({ windowSource: 'observed' }))?.windowSource).toBe('observed')
  })

  it('have their lines in the window that is believed in, where a provider proved another one', () => {
    const loads = new SessionLoads(runtimeOf)
    const cut = { storeId: 'b', window: 4_096, windowSource: 'cut' }
    const lineOf = (believedWindow: number | null) =>
      loads.of(session({ ...cut, believedWindow, believedSource: 'index' }))?.lines[0]?.tokens
    expect([lineOf(65_536), lineOf(131_072), lineOf(null)]).toEqual([45_536, 111_072, undefined])
    const window = { tokens: 4_096, source: 'cut', believed: { tokens: 65_536, source: 'index' } } as const
    expect(readWindow(session(windowFacts(window)))).toEqual(window)
    expect(readWindow(session(windowFacts({ tokens: 9, source: 'index' })))).toEqual({
      tokens: 9,
      source: 'index',
    })
  })

  it('are by agent and model where the library’s overrides, or Claude Code’s windows, are', () => {
    const lateFor = (match: string) => ({
      key: 'agent' as const,
      match,
      patch: { lines: { compact: { at: 0.9 } } },
      places: {},
    })
    const own = settingsFile('plimsoll.yaml', {})
    const library = new SessionLoads(() =>
      runtimeStoreWith({
        owner: 'library',
        own: { ...own, file: { ...own.file, overrides: [lateFor('harbour')] } },
      }),
    )
    const compactOf = (agent: string) => library.policyOf(session({ agent })).policy.lines.compact.at
    expect([compactOf('harbour'), compactOf('main')]).toEqual([0.9, 0.5])

    const settings = { ...settingsFile('settings.json', {}) }
    const clientSettings = [compactWindow('claude-opus-4-5', 100_000)]
    const code = new SessionLoads(() =>
      runtimeStoreWith({
        owner: 'claude-code',
        version: null,
        files: [{ ...settings, file: { ...settings.file, clientSettings } }],
      }),
    )
    const lineOf = (model: string) => code.of(session({ model }))?.lines.map(({ tokens }) => tokens)
    expect(lineOf('claude-opus-4-5')).toEqual([67_000])
    expect(lineOf('claude-sonnet-4-5')).toEqual([167_000])
  })

  it('are by agent and model where OpenClaw’s settings ask one provider model by model', () => {
    const plain = settingsFile('openclaw.json', {})
    const params = { responsesServerCompaction: true, responsesCompactThreshold: 90_000 }
    const file = {
      ...plain.file,
      providerParams: [
        { model: 'openai/gpt-5', agent: null, params },
        { model: null, agent: 'harbour', params: { ...params, responsesCompactThreshold: 80_000 } },
      ],
    }
    // One file of several is enough.
    const loads = new SessionLoads(() => runtimeStoreWith({ ...NEWER, files: [plain, { ...plain, file }] }))
    const thresholdOf = (model: string, agent: string) =>
      loads.policyOf(session({ provider: 'openai', model, agent })).runtime.providerThreshold
    expect(thresholdOf('gpt-5', 'main')).toBe(90_000)
    expect(thresholdOf('gpt-5-mini', 'main')).toBeNull()
    expect(thresholdOf('gpt-5-mini', 'harbour')).toBe(80_000)
  })

  it('share one policy among sessions that only differ where nothing is by agent or model', () => {
    const loads = new SessionLoads(runtimeOf)
    const of = (values: Partial<LoadSubject>) => loads.policyOf(session(values))
    expect(of({ agent: 'harbour', model: 'gpt-5' })).toBe(of({}))
    expect(of({ updatedAt: Date.UTC(2026, 2, 31) })).toBe(of({}))
    expect(of({ updatedAt: Date.UTC(2025, 2, 1) })).not.toBe(of({}))
    expect(of({ updatedAt: null })).not.toBe(of({}))
    expect(of({ updatedAt: null })).toBe(of({ updatedAt: null }))
    expect(of({ provider: 'anthropic' })).not.toBe(of({}))
  })

  it('ask for the runtime of a store once', () => {
    const asked: string[] = []
    const loads = new SessionLoads(({ id, root }) => {
      asked.push(`${id} ${root}`)
      return runtimeOf({ id })
    })
    for (const sessionId of ['s', 't']) loads.of(session({ sessionId }))
    loads.of(session({ storeId: 'b', storeRoot: '/b' }))
    expect(asked).toEqual(['a /a', 'b /b'])
  })
})
