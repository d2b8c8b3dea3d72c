import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy } from '../policy/policy'
import { claudeCodeCompaction } from '../policy/runtime/claude-code-rules'
import { codexCompaction } from '../policy/runtime/codex-rules'
import type { RuntimeInfo, RuntimePolicy } from '../policy/runtime/runtime-policy'
import { policyReserve } from './guard'
import { judgedLines, judgedReserve } from './judged-policy'
import { loadLines } from './load-lines'
import { actsByItself, runtimeCompactLine, runtimeLines, runtimeReserve } from './runtime-lines'

type Given = {
  readonly runtime?: Partial<RuntimeInfo>
  readonly reserve?: Partial<Policy['reserve']>
  readonly lines?: Partial<Policy['lines']>
  readonly soft?: number
  readonly mode?: Policy['compaction']['mode']
}

const OFF = { enabled: false }

/** OpenClaw 2026.2 with no line that a file names, unless said otherwise. */
function given({ runtime, reserve, lines, soft = 4_000, mode }: Given = {}): RuntimePolicy {
  const policy: Policy = {
    ...DEFAULT_POLICY,
    compaction: { ...DEFAULT_POLICY.compaction, ...(mode === undefined ? {} : { mode }) },
    reserve: { ...DEFAULT_POLICY.reserve, tokens: 16_384, floor: 20_000, maxShare: 0.5, ...reserve },
    flush: { ...DEFAULT_POLICY.flush, softThresholdTokens: soft },
    lines: {
      curate: { ...DEFAULT_POLICY.lines.curate, ...OFF },
      compact: { ...DEFAULT_POLICY.lines.compact, ...OFF },
      slide: { ...DEFAULT_POLICY.lines.slide, ...OFF },
      hard: { ...DEFAULT_POLICY.lines.hard, ...OFF },
      checkpoints: { ...DEFAULT_POLICY.lines.checkpoints, ...OFF },
      flush: { enabled: false, at: [] },
      ...lines,
    },
  }
  const info: RuntimeInfo = {
    ...{ kind: 'openclaw', version: null, rules: '2026.2', name: 'OpenClaw', assumed: [], files: [] },
    ...{ provider: null, providerThreshold: null, client: null },
    ...runtime,
  }
  return { policy, runtime: info } as RuntimePolicy
}
const rules = (name: RuntimeInfo['rules'], more: Partial<RuntimeInfo> = {}) => ({
  runtime: { rules: name, ...more },
})

describe('A9: what a runtime keeps free of a window', () => {
  it('is the policy’s reserve, by any rules but those of 2026.7', () => {
    const runtime = given({ reserve: { tokens: 30_000 } })
    expect(runtimeReserve(runtime, 200_000)).toBe(policyReserve(runtime.policy, 200_000))
    expect(runtimeReserve(runtime, 200_000)).toBe(30_000)
    // Its share of the window counts, which 2026.7 does not know.
    expect(runtimeReserve(runtime, 40_000)).toBe(20_000)
  })

  it('of 2026.7 leaves 8,000 tokens for the prompt, or half of a window below 16,000', () => {
    const of = (window: number, reserve: Partial<Policy['reserve']> = {}) =>
      runtimeReserve(given({ ...rules('2026.7'), reserve }), window)
    expect(of(200_000)).toBe(20_000)
    expect(of(200_000, { tokens: 30_000 })).toBe(30_000)
    expect(of(28_001)).toBe(20_000)
    expect(of(27_999)).toBe(19_999)
    expect(of(20_000)).toBe(12_000)
    expect(of(16_000)).toBe(8_000)
    expect(of(10_001)).toBe(5_001)
    expect([of(1), of(0)]).toEqual([0, 0])
  })
})

describe('A13: where a runtime compacts by itself', () => {
  it('is nowhere while its compaction is switched off, and at no line below nothing', () => {
    expect(runtimeCompactLine(given({ mode: 'off' }), 200_000)).toBeNull()
    expect(runtimeCompactLine(given({ ...rules('2026.7') }), 24_000)).toBeNull()
    expect(runtimeCompactLine(given({ ...rules('2026.7') }), 24_001)).toBe(1)
  })

  it('is so far below the window as is kept free', () => {
    expect(runtimeCompactLine(given(), 200_000)).toBe(180_000)
    expect(runtimeCompactLine(given({ reserve: { floor: 50_000 } }), 200_000)).toBe(150_000)
  })

  it('is below the floor by what a flush is ahead of it, by the rules of 2026.7', () => {
    expect(runtimeCompactLine(given({ ...rules('2026.7') }), 200_000)).toBe(176_000)
    expect(runtimeCompactLine(given({ ...rules('2026.7'), soft: 0 }), 200_000)).toBe(180_000)
  })

  it('is nine tenths of the window of Codex’ model, which shows nineteen twentieths of it', () => {
    expect(
      runtimeCompactLine(
        given({ ...rules('codex', { kind: 'codex', client: codexCompaction([]) }) }),
        258_400,
      ),
    ).toBe(244_800)
  })

  it('is below what an answer leaves of the window of Claude Code', () => {
    const client = claudeCodeCompaction([], null, null)
    expect(
      runtimeCompactLine(given({ ...rules('claude-code', { kind: 'claude-code', client }) }), 200_000),
    ).toBe(167_000)
  })

  it('is no lower than where the provider compacts, by the rules of 2026.9', () => {
    const of = (threshold: number | null, reserve = {}) =>
      runtimeCompactLine(
        given({ ...rules('2026.9', { provider: 'openai', providerThreshold: threshold }), reserve }),
        200_000,
      )
    expect(of(null)).toBe(180_000)
    expect(of(190_000)).toBe(190_000)
    expect(of(null, { floor: 100_000 })).toBe(140_000)
    expect(runtimeCompactLine(given(rules('2026.9')), 200_000)).toBe(180_000)
  })

  it('of the library is the lowest line that compacts', () => {
    const library = { kind: 'library', rules: 'library' } as const
    const of = (lines: Given['lines']) => runtimeCompactLine(given({ runtime: library, lines }), 200_000)
    const [compact, hard] = [
      { enabled: true, at: 0.5 },
      { enabled: true, at: 0.4 },
    ]
    expect(of({ compact })).toBe(100_000)
    expect(of({ compact, hard })).toBe(80_000)
    expect(of({ hard, slide: { ...DEFAULT_POLICY.lines.slide, enabled: true, at: 0.1 } })).toBe(80_000)
    expect(of({})).toBeNull()
  })
})

describe('X9: the lines that a runtime really has', () => {
  const named = (runtime: RuntimePolicy, window = 200_000) =>
    runtimeLines(runtime, window).map(({ kind, name, tokens, pct }) => [kind, name, tokens, pct])

  it('are its compaction, in shares of the window as well', () => {
    expect(named(given())).toEqual([['compact', 'compact', 180_000, 90]])
    expect(named(given({ mode: 'off' }))).toEqual([])
    // The distance of a flush is the runtime's own: no line of ours is ahead of one that a file names.
    const compact = { enabled: true, at: 0.5 }
    const ahead = given({ mode: 'off', lines: { compact, flush: { enabled: true, at: [] } } })
    expect(named(ahead).map(([, name]) => name)).toEqual(['compact'])
    expect(named(given(), 0)).toEqual([])
    // Anthropic compacts at no less than 50,000, which is no share of a window of nothing.
    const asked = given(rules('2026.9', { provider: 'anthropic' }))
    expect(runtimeLines(asked, 0).map(({ tokens, pct }) => [tokens, pct])).toContainEqual([50_000, 0])
    expect(runtimeLines(given({ reserve: { tokens: 0, floor: 0 } }), 1)[0]?.pct).toBe(100)
  })

  it('and those that a file names by share, the lowest first; the runtime’s own compaction has its name then', () => {
    const lines = {
      compact: { enabled: true, at: 0.95 },
      curate: { ...DEFAULT_POLICY.lines.curate, enabled: true, at: 0.4 },
    }
    expect(named(given({ lines }))).toEqual([
      ['curate', 'curate', 80_000, 40],
      ['compact', 'runtime compact', 180_000, 90],
      ['compact', 'compact', 190_000, 95],
    ])
  })

  it('with the flush of OpenClaw ahead of its compaction, where no share is named for it', () => {
    const flush = { enabled: true, at: [] }
    expect(named(given({ lines: { flush } }))).toEqual([
      ['flush', 'flush', 176_000, 88],
      ['compact', 'compact', 180_000, 90],
    ])
    expect(named(given({ lines: { flush }, runtime: { kind: 'pi' } }))).toEqual([
      ['compact', 'compact', 180_000, 90],
    ])
    expect(named(given({ lines: { flush: { enabled: true, at: [0.5] } } }))).toEqual([
      ['flush', 'flush .50', 100_000, 50],
      ['compact', 'compact', 180_000, 90],
    ])
    expect(named(given({ lines: { flush }, mode: 'off' }))).toEqual([])
    expect(named(given({ lines: { flush }, soft: 180_000 }))).toEqual([['compact', 'compact', 180_000, 90]])
  })

  it('of 2026.9 the flush is ahead by half of what is left at most, and the floor by its share', () => {
    const flush = { enabled: true, at: [] }
    const of = (window: number, soft: number, more: Given = {}) =>
      runtimeLines(given({ ...rules('2026.9'), lines: { flush }, soft, ...more }), window).find(
        ({ kind }) => kind === 'flush',
      )?.tokens ?? null
    expect(of(200_000, 4_000)).toBe(176_000)
    expect(of(200_000, 150_000)).toBe(90_000)
    // Of 30,000 the floor may take no more than half.
    expect(of(30_000, 4_000)).toBe(11_000)
    expect(of(30_000, 9_000)).toBe(7_500)
  })

  it('and where the provider compacts on its side, of Anthropic at 50,000 at least', () => {
    const provider = (info: Partial<RuntimeInfo>, window = 200_000, mode?: Policy['compaction']['mode']) =>
      runtimeLines(given({ runtime: info, ...(mode === undefined ? {} : { mode }) }), window).find(
        ({ kind }) => kind === 'provider',
      )
    expect(provider({ provider: 'openai' })).toEqual({
      ...{ kind: 'provider', name: 'provider compact', tokens: 140_000, pct: 70 },
    })
    expect(provider({ provider: 'openai' }, 60_001)?.tokens).toBe(42_000)
    expect(provider({ provider: 'anthropic' }, 60_000)?.tokens).toBe(50_000)
    expect(provider({ provider: 'anthropic', providerThreshold: 10_000 })?.tokens).toBe(50_000)
    expect(provider({ provider: 'openai', providerThreshold: 10_000 })?.tokens).toBe(10_000)
    expect(provider({ provider: null, providerThreshold: 10_000 })).toBeUndefined()
    expect(provider({ provider: 'openai' }, 200_000, 'off')).toBeUndefined()
  })

  it('of the library are those of its policy, the flush ahead included', () => {
    const lines = { flush: { enabled: true, at: [] }, compact: { enabled: true, at: 0.5 } }
    const library = given({ runtime: { kind: 'library', rules: 'library' }, lines })
    expect(runtimeLines(library, 200_000)).toEqual(loadLines(library.policy, 200_000))
    expect(named(library).map(([, name]) => name)).toEqual(['flush ahead', 'compact'])
    expect(named(given({ lines })).map(([, name]) => name)).toEqual(['compact', 'flush', 'runtime compact'])
  })

  it('act by themselves where something is compacted', () => {
    const kinds = ['curate', 'compact', 'slide', 'checkpoint', 'flush', 'hard', 'provider'] as const
    expect(kinds.filter((kind) => actsByItself({ kind }))).toEqual(['compact', 'hard', 'provider'])
  })
})

describe('X9: what a fill is compared with', () => {
  const hard = { enabled: true, at: 0.4 }
  const lines = {
    hard,
    compact: { enabled: true, at: 0.5 },
    curate: { ...DEFAULT_POLICY.lines.curate, enabled: true, at: 0.3 },
  }

  it('is what a runtime does, or a draft: its lines, as far as they are reached, and what is kept free', () => {
    const runtime = given({ ...rules('2026.7', { kind: 'library' }), lines })
    expect(judgedLines(runtime, 200_000).map(({ name }) => name)).toEqual(['curate', 'hard'])
    const small = { tokens: 20_000, source: 'index', uncapped: 20_000 } as const
    expect(judgedReserve(runtime, small, small)).toBe(12_000)
    const draft = { ...given({ ...rules('2026.7') }), runtime: null }
    expect(judgedLines(draft, 200_000)).toEqual([])
    expect(judgedReserve(draft, small, small)).toBe(10_000)
    const own = given({ lines })
    expect(judgedLines(own, 200_000).map(({ name }) => name)).toEqual(['curate', 'hard', 'runtime compact'])
    expect(judgedLines({ ...own, runtime: null }, 200_000).map(({ name }) => name)).toEqual([
      'curate',
      'hard',
    ])
  })
})
