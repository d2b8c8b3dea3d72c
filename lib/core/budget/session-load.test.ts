import { describe, expect, it } from 'vitest'
import { runtimePolicyWith, settingsFile } from '../../testing/builders/runtime-policy'
import type { ClientSetting } from '../policy/formats/client-setting'
import type { PolicyPatch } from '../policy/policy'
import { resolvePolicy } from '../policy/resolve'
import type { RuntimeStore } from '../policy/runtime/runtime-policy'
import { firstLine, type ReadWindow, reckonedWindow, sessionLoad, windowInForce } from './session-load'

const READ: ReadWindow = { tokens: 200_000, source: 'index' }

const load = (
  patch: PolicyPatch,
  values: Partial<RuntimeStore> = {},
  model: string | null = null,
  read: ReadWindow | null = READ,
) => sessionLoad(runtimePolicyWith({ files: [settingsFile('openclaw.json', patch)], ...values }), model, read)

const library = (patch: PolicyPatch) =>
  load({}, { owner: 'library', own: settingsFile('plimsoll.yaml', patch) })

describe('X9: what a fill is measured against', () => {
  it('is the window as it was read, unless the operator has another or the runtime caps it (A8)', () => {
    expect(load({})).toMatchObject({ window: 200_000, windowSource: 'index', reserve: 20_000 })
    expect(load({ window: { cap: 100_000 } })).toMatchObject({ window: 100_000, windowSource: 'cap' })
    const own = settingsFile('plimsoll.yaml', { window: { byModel: { 'kimi-k2': 50_000 } } })
    expect(load({}, { own }, 'kimi-k2')).toMatchObject({ window: 50_000, windowSource: 'policy' })
    expect(load({}, { own }, 'other')).toMatchObject({ window: 200_000, windowSource: 'index' })
  })

  it('is what the provider cuts to, above the policy; and without a session the policy’s own (A8)', () => {
    const window = { byModel: { m: 50_000 }, cap: 60_000, default: 70_000 }
    const { policy } = resolvePolicy([{ level: 'store', label: 'x', patch: { window } }])
    const of = (model: string | null, read: ReadWindow | null) => {
      const { tokens, source, uncapped } = windowInForce(policy, model, read)
      return [tokens, source, uncapped]
    }
    expect(of('m', { tokens: 4_096, source: 'cut' })).toEqual([4_096, 'cut', 4_096])
    expect(of('m', null)).toEqual([50_000, 'policy', 50_000])
    expect(of(null, null)).toEqual([60_000, 'cap', 70_000])
    const { policy: plain } = resolvePolicy([])
    expect(reckonedWindow(plain, null, null)).toEqual(windowInForce(plain, null, null))
    expect(windowInForce(plain, null, null)).toMatchObject({ tokens: 200_000, source: 'default' })
    expect(of('other', { tokens: 65_000, source: 'observed' })).toEqual([60_000, 'cap', 65_000])
    expect(of('other', { tokens: 55_000, source: 'observed' })).toEqual([55_000, 'observed', 55_000])
    // A cap never raises the window of a session whose model is not known.
    expect(of(null, { tokens: 55_000, source: 'index' })).toEqual([55_000, 'index', 55_000])
  })

  it('is nothing where the window is unknown: a default is no basis for a share', () => {
    expect(load({}, {}, null, null)).toBeNull()
    expect(load({}, {}, null, { tokens: 0, source: 'default' })).toBeNull()
  })

  it('has the lines of the runtime, named by it and by the file that moves them', () => {
    const plain = load({})
    expect(plain).toMatchObject({
      from: 'OpenClaw 2026.2.26',
      reserveFrom: 'OpenClaw 2026.2.26',
      assumed: [],
    })
    expect(plain?.lines.map(({ name, tokens }) => [name, tokens])).toEqual([['compact', 180_000]])
    const early = load({ reserve: { tokens: 40_000 } })
    const from = 'OpenClaw 2026.2.26, openclaw.json'
    expect(early).toMatchObject({ from, reserveFrom: from, reserve: 40_000 })
    expect(early?.lines.map(({ name, tokens }) => [name, tokens])).toEqual([['compact', 160_000]])
  })

  it('names the file that moves the reserve by its floor, and no preset that our own file builds on', () => {
    expect(load({ reserve: { floor: 25_000 } })?.reserveFrom).toBe('OpenClaw 2026.2.26, openclaw.json')
    const own = settingsFile('plimsoll.yaml', {})
    const preset = { ...own, file: { ...own.file, preset: 'vs7' } }
    expect(load({}, { owner: 'library', own: preset })?.from).toBe("Plimsoll's library")
  })

  it('shows the settings of Claude Code and Codex that decide where they compact; other runtimes have none', () => {
    const file = settingsFile('settings.json', {})
    const setting: ClientSetting = {
      ...{ name: 'compactPercent', model: null, value: 50, key: 'env.X', file: 'settings.json', line: 3 },
    }
    const files = [{ ...file, file: { ...file.file, clientSettings: [setting] } }]
    expect(load({}, { owner: 'claude-code', version: null, files })?.settings).toEqual([setting])
    expect(load({})?.settings).toEqual([])
  })

  it('has the whole ladder of an agent that embeds the library, without what only saves notes', () => {
    expect(library({ lines: { compact: { at: 0.3 } } })?.lines.map(({ name }) => name)).toEqual([
      'compact',
      'curate',
      'slide',
      'hard',
    ])
  })

  it('begins to count at the first line that acts; without one, at the effective budget', () => {
    const first = (found: ReturnType<typeof load>) => found && firstLine(found)
    expect(first(load({}))).toBe(180_000)
    expect(first(load({ compaction: { mode: 'off' } }))).toBe(180_000)
    expect(first(load({ compaction: { mode: 'off' } }, { owner: 'pi' }))).toBe(183_616)
    expect(first(library({}))).toBe(100_000)
    expect(first(library({ lines: { compact: { enabled: false } } }))).toBe(170_000)
  })

  it('has its lines in the window that the runtime believes in, where the provider cuts or takes another (B5)', () => {
    const believed = { tokens: 65_536, source: 'catalogue' } as const
    const cut = load({}, {}, null, { tokens: 4_096, source: 'cut', believed })
    expect(cut).toMatchObject({ window: 4_096, windowSource: 'cut', reserve: 0 })
    expect(cut?.believed).toEqual({ ...believed, by: 'OpenClaw 2026.2.26' })
    expect(cut?.lines.map(({ tokens }) => tokens)).toEqual([45_536])
    // Of the 60,000 that the provider takes, the runtime would not fill what is above its line.
    expect(load({}, {}, null, { tokens: 60_000, source: 'cut', believed })?.reserve).toBe(60_000 - 45_536)
    const taken = load({}, {}, null, { tokens: 80_000, source: 'observed', believed })
    expect(taken).toMatchObject({ window: 80_000, believed: { tokens: 65_536 }, reserve: 20_000 })
    expect(taken?.lines.map(({ tokens }) => tokens)).toEqual([45_536])
    // What the runtime caps it to, it believes in as well.
    const capped = load({ window: { cap: 50_000 } }, {}, null, { tokens: 4_096, source: 'cut', believed })
    expect(capped?.believed).toMatchObject({ tokens: 50_000, source: 'cap' })
    expect(load({})?.believed).toBeNull()
  })

  it('the provider acts first where it compacts on its side', () => {
    const nine = { era: 'sqlite', version: { value: '2026.9.6', from: 'x' } } as const
    const found = sessionLoad(runtimePolicyWith(nine, { provider: 'openai' }), null, READ)
    expect(found && firstLine(found)).toBe(140_000)
  })
})
