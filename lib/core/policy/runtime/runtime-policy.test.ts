import { describe, expect, it } from 'vitest'
import { runtimePolicyWith, settingsFile } from '../../../testing/builders/runtime-policy'
import { runtimeCompactLine, runtimeLines, runtimeReserve } from '../../budget/runtime-lines'
import { NO_SUBJECT } from '../effective'
import type { PolicyPatch } from '../policy'
import { readPolicy } from '../read-policy'
import { parseSource } from '../source-tree'
import { type RuntimeSession, type RuntimeStore, runtimePolicy } from './runtime-policy'

const MARCH = Date.UTC(2026, 2, 10)
const JULY = Date.UTC(2026, 6, 10)

const file = (label: string, text: string) => ({ label, file: readPolicy(parseSource(text, label)) })
const config = (compaction: string) =>
  file('openclaw.json', `{ agents: { defaults: { compaction: ${compaction} } } }`)

const store = (values: Partial<RuntimeStore>): RuntimeStore => ({
  ...{ owner: 'openclaw', era: 'jsonl', version: null, files: [config('{}')], own: null },
  ...values,
})
const session = (values: Partial<RuntimeSession> = {}): RuntimeSession => ({
  ...{ ...NO_SUBJECT, provider: null, at: MARCH },
  ...values,
})
const stated = (value: string) => ({ version: { value, from: 'openclaw.json' } })
const lines = (from: Partial<RuntimeStore>, window: number, who: Partial<RuntimeSession> = {}) =>
  runtimeLines(runtimePolicy(store(from), session(who)), window).map(({ name, tokens }) => [name, tokens])

describe('X9 the policy of a runtime: where each release compacts', () => {
  it('is window − 20,000 in 2026.2, whatever the window, and memory is flushed 4,000 below', () => {
    expect(lines(stated('2026.2.26'), 200_000)).toEqual([
      ['flush', 176_000],
      ['compact', 180_000],
    ])
    expect(lines(stated('2026.2.26'), 32_768)).toEqual([
      ['flush', 8_768],
      ['compact', 12_768],
    ])
  })

  it('is as low as the flush in 2026.7, which looks before each reply; its reserve leaves 8,000', () => {
    expect(lines(stated('2026.7.1'), 64_000)).toEqual([
      ['compact', 40_000],
      ['flush', 40_000],
    ])
    const small = runtimePolicy(store(stated('2026.7.1')), session())
    expect(runtimeReserve(small, 24_000)).toBe(16_000)
    expect(runtimeReserve(small, 10_000)).toBe(5_000)
    expect(runtimeCompactLine(small, 24_000)).toBeNull()
  })

  it('is window − a quarter at most in 2026.9', () => {
    const nine = { era: 'sqlite' as const, ...stated('2026.9.6') }
    expect(lines(nine, 64_000)).toEqual([
      ['flush', 44_000],
      ['compact', 48_000],
    ])
    expect(lines(nine, 200_000)).toEqual([
      ['flush', 176_000],
      ['compact', 180_000],
    ])
  })

  it('has the provider’s line from 2026.9 on, for OpenAI; for Anthropic from 2026.10.2 on', () => {
    const nine = { era: 'sqlite' as const, ...stated('2026.9.6') }
    expect(lines(nine, 200_000, { provider: 'openai' })).toEqual([
      ['provider compact', 140_000],
      ['flush', 176_000],
      ['compact', 180_000],
    ])
    expect(lines(nine, 200_000, { provider: 'anthropic' })).toHaveLength(2)
    const ten = { era: 'sqlite' as const, ...stated('2026.10.2') }
    expect(lines(ten, 60_000, { provider: 'anthropic' })[2]).toEqual(['provider compact', 50_000])
    expect(lines(stated('2026.7.1'), 200_000, { provider: 'openai' })).toHaveLength(2)
  })

  it('is window − 16,384 for pi, and nothing else', () => {
    const pi = { owner: 'pi' as const, files: [] }
    expect(lines(pi, 200_000)).toEqual([['compact', 183_616]])
    const { policy } = runtimePolicy(store(pi), session())
    expect(policy.pruning.cacheTtl.enabled).toBe(false)
    expect(policy.history.maxTurns).toBeNull()
  })

  it.each<[Partial<RuntimeStore>, number, number]>([
    [{ owner: 'claude-code', version: { value: '2.0.60', from: 'x' } }, 155_000, 32_000],
    [{ owner: 'claude-code', version: { value: '2.1.330', from: 'x' } }, 167_000, 20_000],
    [{ owner: 'codex' }, 189_473, 0],
    [{ owner: 'opencode' }, 148_000, 52_000],
  ])('is that of its release for %j, and nothing else: %i, with %i kept free', (client, line, reserve) => {
    expect(lines({ ...client, files: [] }, 200_000)).toEqual([['compact', line]])
    const found = runtimePolicy(store({ ...client, files: [] }), session())
    expect(runtimeReserve(found, 200_000)).toBe(reserve)
  })

  it('what Claude Code keeps free for an answer is no more than that, in small windows as well', () => {
    const files = [file('settings.json', '{ "env": { "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8000" } }')]
    const found = runtimePolicy(store({ owner: 'claude-code', files }), session())
    expect([runtimeReserve(found, 200_000), runtimeReserve(found, 10_000)]).toEqual([8_000, 8_000])
  })

  it('none of ours is drawn: no curate, slide, hard or checkpoint', () => {
    for (const from of [stated('2026.2.26'), stated('2026.7.1'), { owner: 'pi' as const }]) {
      const names = runtimeLines(runtimePolicy(store(from), session()), 200_000).map(({ kind }) => kind)
      expect(names.filter((kind) => !['compact', 'flush'].includes(kind))).toEqual([])
    }
  })
})

describe('X9 the policy of a runtime: its settings', () => {
  it('override its release, and say where a value comes from', () => {
    const files = [config('{ reserveTokensFloor: 40000, memoryFlush: { enabled: false } }')]
    expect(lines({ ...stated('2026.2.26'), files }, 200_000)).toEqual([['compact', 160_000]])
    const { origin } = runtimePolicy(store({ ...stated('2026.2.26'), files }), session())
    expect(origin['reserve.floor']).toEqual({ level: 'store', label: 'openclaw.json' })
  })

  it('count only as far as the release heeds them: 2026.9 knows no reserve and no cap', () => {
    const files = [
      file(
        'openclaw.json',
        '{ agents: { defaults: { contextTokens: 50000, compaction: { reserveTokensFloor: 40000 } } } }',
      ),
    ]
    const nine = runtimePolicy(store({ era: 'sqlite', ...stated('2026.9.6'), files }), session())
    expect(runtimeCompactLine(nine, 200_000)).toBe(180_000)
    expect(nine.policy.window.cap).toBeNull()
    expect(runtimePolicy(store({ ...stated('2026.2.26'), files }), session()).policy.window.cap).toBe(50_000)
  })

  it('can switch the compaction off: then nothing is drawn', () => {
    const files = [config('{ enabled: false }')]
    expect(lines({ era: 'sqlite', ...stated('2026.9.6'), files }, 200_000)).toEqual([])
  })

  it('the operator’s draft counts for nothing, but the windows of models that the file names do', () => {
    const own = file(
      'plimsoll.yaml',
      'policy: { lines: { compact: { at: 0.2 } }, reserve: { floor: 90000 }, window: { byModel: { kimi: 50000 } } }',
    )
    const found = runtimePolicy(store({ own }), session())
    expect(runtimeCompactLine(found, 200_000)).toBe(180_000)
    expect(found.policy.window.byModel).toEqual({ kimi: 50_000 })
    const empty = runtimePolicy(store({ own: file('plimsoll.yaml', 'policy: {}') }), session())
    expect([empty.policy.window.byModel, empty.origin['window.byModel']?.level]).toEqual([{}, 'default'])
  })

  it('a file beside the runtime’s own adds its lines (memfas)', () => {
    const files = [config('{}'), file('context-config.yaml', 'COMPACTION_TRIGGER_PCT: 0.33')]
    expect(lines({ ...stated('2026.2.26'), files }, 200_000)).toEqual([
      ['compact', 66_000],
      ['flush', 176_000],
      ['runtime compact', 180_000],
    ])
  })

  it('an agent that embeds the library has the policy of our file', () => {
    const own = file('plimsoll.yaml', 'policy: { lines: { compact: { at: 0.2 } } }')
    const found = runtimePolicy(store({ owner: 'library', own }), session())
    expect(runtimeLines(found, 200_000).find(({ kind }) => kind === 'compact')?.tokens).toBe(40_000)
    expect(found.runtime.name).toBe("Plimsoll's library")
  })
})

describe('X9 the policy of a runtime: what is assumed', () => {
  const assumed = (from: Partial<RuntimeStore>, who: Partial<RuntimeSession> = {}) => {
    const { runtime } = runtimePolicy(store(from), session(who))
    return [runtime.rules, runtime.assumed.join(' | ')]
  }

  it('is nothing where version and settings are known', () => {
    expect(assumed(stated('2026.2.26'))).toEqual(['2026.2', ''])
    expect(assumed({ era: 'sqlite', ...stated('2026.9.6') })).toEqual(['2026.9', ''])
  })

  it('without a version the form of the store and the time of use tell', () => {
    expect(assumed({})).toEqual(['2026.2', expect.stringMatching(/not stated; .* used last in 2026-03/)])
    expect(assumed({}, { at: JULY })[0]).toBe('2026.7')
    expect(assumed({}, { at: null })[0]).toBe('2026.7')
    expect(assumed({ era: 'sqlite' })).toEqual(['2026.9', expect.stringMatching(/in SQLite/)])
  })

  it('of a release that is not known the nearest counts, and a version that is none is said to be none', () => {
    expect(assumed(stated('2026.4.2'))).toEqual(['2026.2', expect.stringMatching(/2026\.4\.2 .* nearest/)])
    expect(assumed({ era: 'sqlite', ...stated('2027.3.1') })[0]).toBe('2026.9')
    expect(assumed(stated('nightly'))).toEqual(['2026.2', expect.stringMatching(/"nightly"/)])
  })

  it('the form of the store counts more than a version that does not fit it', () => {
    expect(assumed({ era: 'sqlite', ...stated('2026.2.26') })).toEqual([
      '2026.9',
      expect.stringMatching(/SQLite/),
    ])
    expect(assumed(stated('2026.9.6'))).toEqual(['2026.2', expect.stringMatching(/in files/)])
  })

  it('settings that were not found are said, and so is what only a key decides', () => {
    expect(assumed({ ...stated('2026.2.26'), files: [] })[1]).toMatch(/no settings file/)
    expect(assumed({ owner: 'pi', files: [] })[1]).toMatch(/pi's defaults/)
    expect(assumed(stated('2026.2.26'), { provider: 'anthropic' })[1]).toMatch(/pruning is taken to be off/)
    expect(assumed({ era: 'sqlite', ...stated('2026.9.6') }, { provider: 'openai' })[1]).toMatch(
      /its own address/,
    )
  })
})

describe('X9 the library in an agent', () => {
  it('compacts at the lowest of the lines that act, and nowhere without one', () => {
    const lineWith = (patch: PolicyPatch) =>
      runtimeCompactLine(
        runtimePolicyWith({ owner: 'library', own: settingsFile('plimsoll.yaml', patch) }),
        200_000,
      )
    const hard = { enabled: true, at: 0.8 }
    expect(lineWith({ lines: { compact: { enabled: true, at: 0.4 }, hard } })).toBe(80_000)
    expect(lineWith({ lines: { compact: { enabled: false }, hard } })).toBe(160_000)
    expect(lineWith({ lines: { compact: { enabled: false }, hard: { enabled: false } } })).toBeNull()
  })
})
