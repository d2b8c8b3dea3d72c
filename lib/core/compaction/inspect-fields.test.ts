import { describe, expect, test } from 'vitest'
import { checkpointRecord, openaiAnswer } from '../../testing/builders/checkpoint'
import { inspected, type Look } from '../../testing/builders/inspected'
import { runtimeStoreWith, settingsFile } from '../../testing/builders/runtime-policy'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { NO_SUBJECT } from '../policy/effective'
import type { Frame } from '../tokens/frame'
import { Branches } from '../transcript/branches'
import { inspectCompactions } from './inspect'
import { fittedOf } from './policy-fit'

const answer = (t: TranscriptBuilder, input: number, output = 10) =>
  t.assistant('Yes.', { usage: { input, output } })
const compact = (t: TranscriptBuilder, kept: string, fields: object = {}) =>
  t.entry('compaction', { summary: 'So far.', firstKeptEntryId: kept, tokensBefore: 0, ...fields })

/** A message and calls with these prompts, then a compaction that keeps all, then what follows. */
function session(prompts: readonly number[], then: (t: TranscriptBuilder) => void = () => {}, output = 10) {
  const t = new TranscriptBuilder()
  const kept = t.user('Go.')
  for (const prompt of prompts) answer(t, prompt, output)
  compact(t, kept)
  then(t)
  return t
}
const explained = (t: TranscriptBuilder, look: Look = {}) => {
  const found = inspected(t, look).at(-1)
  return [found?.trigger, found?.explanation?.reason ?? found?.explanation?.verdict, found?.explanation?.gap]
}

describe('X7: where a compaction is and what set it off', () => {
  test('its record: place, time, id, who made it, and what it says of the size', () => {
    const t = session([185_000])
    expect(inspected(t)[0]).toMatchObject({
      ...{
        seq: 3,
        line: 4,
        entryId: 'e3',
        at: Date.UTC(2026, 10, 1, 8, 0, 3),
        kind: 'compaction',
        fromHook: false,
      },
      ...{ afterCall: 1, recordedBefore: null, promptBefore: 185_000, beforeBasis: 'measured' },
      ...{ promptAfter: null, afterBasis: 'unknown', summarised: [], kept: [1, 2] },
    })
    expect(inspected(t)[0]).not.toHaveProperty('provider')
    const more = new TranscriptBuilder()
    compact(more, more.user('Go.'), { fromHook: true, tokensBefore: 77 })
    expect(inspected(more)[0]).toMatchObject({
      ...{ fromHook: true, recordedBefore: 77, afterCall: 0, promptBefore: null, beforeBasis: 'unknown' },
      ...{ trigger: 'unknown', explanation: { tokens: 77, reason: 'unknown-window' } },
    })
    const less = new TranscriptBuilder()
    compact(less, less.user('Go.'), { tokensBefore: -1 })
    expect(inspected(less)[0]).toMatchObject({
      recordedBefore: null,
      explanation: { reason: 'unknown-size' },
    })
    expect(inspected(less)[0]?.trigger).toBe('unknown')
    const silent = new TranscriptBuilder()
    compact(silent, silent.user('Go.'), { tokensBefore: undefined })
    expect(inspected(silent)[0]).toMatchObject({ recordedBefore: null, explanation: { tokens: null } })
  })

  test('the size is the prompt and the answer of the last call, as the provider counted them', () => {
    expect(explained(session([179_500], () => {}, 499))).toEqual(['threshold', 'other-version', null])
    expect(explained(session([179_500], () => {}, 500))).toEqual(['threshold', 'explained', 0])
    // A provider that cut the prompt: what it saw counts. A failed call, and one of which nothing is measured, say nothing.
    const t = () => session([185_000])
    expect(explained(t(), { frames: { 1: { seenTokens: 100_000 } } })).toEqual(['early', 'below-line', null])
    expect(explained(t(), { frames: { 1: { stopReason: 'error' } } })[1]).toBe('unknown-size')
    const guess = { value: 185_000, basis: 'estimated', errorPct: 5 } as const
    expect(explained(t(), { frames: { 1: { total: guess } } })[1]).toBe('unknown-size')
  })

  test('late is what came several turns after the line; calls within a turn, and those before the last boundary, do not count', () => {
    expect(explained(session([181_000, 182_000, 183_000]))).toEqual(['threshold', 'late', 2])
    const within = { 1: { stopReason: 'toolUse' }, 2: { stopReason: 'toolUse' } }
    expect(explained(session([181_000, 182_000, 183_000]), { frames: within })).toEqual([
      'threshold',
      'explained',
      0,
    ])
    const twice = session([181_000, 182_000, 183_000], (t) => {
      t.user('On.')
      answer(t, 185_000)
      compact(t, 'e1')
    })
    expect(explained(twice)).toEqual(['threshold', 'explained', 0])
  })

  test('what came in behind the last call counts, but neither its answer nor the summary nor what came later', () => {
    const between = (before: string, summary: string, after: string) => {
      const t = new TranscriptBuilder()
      const kept = t.user('word '.repeat(9000))
      t.assistant('word '.repeat(9000), { usage: { input: 179_000, output: 10 } })
      t.user(before)
      compact(t, kept, { summary })
      t.assistant('Yes.', { usage: { input: 9000, output: 10 } })
      t.user(after)
      return explained(t)
    }
    // Not by the line of this release; that of another one is lower.
    const early = ['threshold', 'other-version', null]
    const long = 'word '.repeat(3000)
    expect(between('On.', 'So far.', 'On.')).toEqual(early)
    expect(between(long, 'So far.', 'On.')).toEqual(['threshold', 'explained', 0])
    expect(between('On.', long, 'On.')).toEqual(early)
    expect(between('On.', 'So far.', long)).toEqual(early)
    // A copy of the answer that the runtime writes for the reader was never sent.
    const mirrored = session([179_000])
    mirrored.lines.splice(3, 1)
    mirrored.assistant(long, { model: 'delivery-mirror', fields: { provider: 'openclaw' } })
    compact(mirrored, 'e1')
    answer(mirrored, 9000)
    expect(explained(mirrored)).toEqual(early)
    // The answer of the next call may have reached the line as well.
    const next = (output: number) => session([179_000], (t) => answer(t, 9000, output))
    expect(explained(next(900))).toEqual(early)
    expect(explained(next(2000))).toEqual(['threshold', 'explained', 1])
  })

  test('the window of the model that answered next is tried, where that is another one', () => {
    const t = session([112_000], (more) => answer(more, 9000))
    const window = (tokens: number) => ({ tokens, source: 'index' as const, proof: null })
    const frames = (model: string) => ({
      1: { window: { ...window(200_000) } as Frame['window'] },
      2: { window: { ...window(131_072) } as Frame['window'], model },
    })
    const [other] = inspected(t, { frames: frames('another') })
    expect(other?.explanation).toMatchObject({ verdict: 'explained', line: 111_072 })
    expect(other?.explanation?.assumedWindow).toMatch(/answered next/)
    const [same] = inspected(t, { frames: frames('claude-sonnet-4-5') })
    expect(same?.explanation).toMatchObject({ verdict: 'unexplained', line: 180_000 })
  })

  test('what the runtime noted of it by its id', () => {
    const noted = (entryId: string, reason: 'manual' | 'timeout-retry') =>
      explained(session([185_000]), { judge: { recorded: [{ entryId, reason }] } }).slice(0, 2)
    expect(noted('e3', 'manual')).toEqual(['asked', 'manual'])
    expect(noted('e3', 'timeout-retry')).toEqual(['unknown', 'timeout'])
    expect(noted('e2', 'manual')).toEqual(['threshold', 'explained'])
  })

  test('settings that switch compaction off explain none, and another release may', () => {
    const files = [settingsFile('openclaw.json', { compaction: { mode: 'off' } })]
    expect(
      explained(session([185_000]), { judge: { store: runtimeStoreWith({ files }) } }).slice(0, 2),
    ).toEqual([...['early', 'switched-off']])
    const small = { 1: { window: { tokens: 64_000, source: 'index' } as Frame['window'] } }
    const late = runtimeStoreWith({ era: 'sqlite', version: { value: '2026.9.6', from: 'x' } })
    const t = session([41_000])
    t.lines[3] = t.lines[3]?.replace('"e3"', '"01234567-89ab-4def-8123-456789abcdef"') ?? ''
    expect(explained(t, { judge: { store: late }, frames: small })).toEqual([
      'threshold',
      'other-version',
      null,
    ])
  })

  test('after a refusal of the prompt it is the overflow, whatever its size; another failure is none', () => {
    const failing = (errorMessage: string) => {
      const t = new TranscriptBuilder()
      const kept = t.user('Go.')
      answer(t, 185_000)
      t.user('On.')
      t.assistant('', { stop: 'error', fields: { errorMessage } })
      compact(t, kept, { tokensBefore: 185_000 })
      return explained(t).slice(0, 2)
    }
    expect(failing('prompt is too long: 213462 tokens > 200000 maximum')).toEqual(['overflow', 'overflow'])
    expect(failing('overloaded')).toEqual(['threshold', 'explained'])
  })

  test('a reset is asked for, and has no line that explains it and nothing odd', () => {
    const t = new TranscriptBuilder()
    t.user('Go.')
    answer(t, 100_000)
    t.entry('reset', { reason: 'new' })
    t.user('Anew.')
    answer(t, 99_000)
    expect(inspected(t)[0]).toMatchObject({
      ...{ kind: 'reset', trigger: 'asked', explanation: null, oddities: [], summarised: [1, 2], kept: [] },
      ...{ promptBefore: 100_000, promptAfter: 99_000 },
    })
  })

  test('X9: the fit is of those that have a line to be compared with: not of resets', () => {
    const t = session([185_000], (more) => more.entry('reset', { reason: 'new' }))
    const found = inspected(t)
    expect(found.map(({ kind }) => kind)).toEqual(['compaction', 'reset'])
    expect(fittedOf(found)).toEqual([
      { line: 4, entryId: 'e3', at: found[0]?.at, afterCall: 1, explanation: found[0]?.explanation },
    ])
  })

  test('in the middle of a task: a tool was called, or its result had just come', () => {
    const midTask = (make: (t: TranscriptBuilder) => void) => {
      const t = new TranscriptBuilder()
      const kept = t.user('Go.')
      make(t)
      compact(t, kept)
      return inspected(t)[0]?.midTask
    }
    expect(midTask((t) => answer(t, 9))).toBe(false)
    expect(midTask((t) => t.assistant('', { calls: ['c1'] }))).toBe(true)
    expect(
      midTask((t) => {
        t.assistant('', { calls: ['c1'] })
        t.result('c1', 'x')
      }),
    ).toBe(true)
  })
})

describe('X7: what may be missing around a compaction', () => {
  test('a call before it: the prompt of the one behind it is nothing odd', () => {
    const t = new TranscriptBuilder()
    compact(t, t.user('Go.'))
    answer(t, 99_000)
    expect(inspected(t)[0]).toMatchObject({ promptBefore: null, promptAfter: 99_000, oddities: [] })
  })

  test('any message before it, and lines of the file', () => {
    const t = new TranscriptBuilder()
    compact(t, 'nobody', { tokensBefore: 77 })
    expect(inspected(t)[0]).toMatchObject({ summarised: [], afterCall: 0, midTask: false })
    const whole = session([179_000, 179_000], (more) => answer(more, 9000))
    const facts = whole.facts().filter(({ seq }) => seq !== 2)
    const found = inspectCompactions(Branches.of(facts), [], 'openclaw', {
      ...{ store: runtimeStoreWith(), subject: NO_SUBJECT, recorded: [] },
    })
    expect(found.map(({ seq }) => seq)).toEqual([4])
  })

  test('an id of a message that a record has as well does not hide the record', () => {
    const t = session([185_000])
    t.lines[3] = t.lines[3]?.replace('"id":"e3"', '"id":"e1"') ?? ''
    expect(inspected(t)).toHaveLength(1)
  })

  test('the full history before it counts, also where a provider’s checkpoint was sent in its place', () => {
    const t = new TranscriptBuilder()
    t.user('One.')
    t.assistant('Two.', { usage: { input: 50_000, output: 10 }, ...openaiAnswer(checkpointRecord()) })
    const kept = t.user('Three.')
    compact(t, kept)
    expect(inspected(t).at(-1)).toMatchObject({ kind: 'compaction', summarised: [1, 2], kept: [3] })
  })

  test('that the user asked for it, as its record says', () => {
    const facts = session([185_000])
      .facts()
      .map((fact) => (fact.type === 'compaction' ? { ...fact, asked: true as const } : fact))
    const [found] = inspectCompactions(Branches.of(facts), [], 'openclaw', {
      ...{ store: runtimeStoreWith(), subject: NO_SUBJECT, recorded: [] },
    })
    expect(found).toMatchObject({ trigger: 'asked', explanation: { reason: 'manual' } })
  })
})

describe('X9: the settings of a session’s agent and of the model that answered', () => {
  /** OpenClaw 2026.9 asks the provider from 190,000 tokens on, for this agent and model alone. */
  const asking = {
    ...settingsFile('openclaw.json', {}),
    file: {
      ...settingsFile('openclaw.json', {}).file,
      providerParams: [
        {
          ...{ model: 'anthropic/claude-sonnet-4-5', agent: 'harbour' },
          params: { anthropicServerCompaction: true, anthropicCompactThreshold: 190_000 },
        },
      ],
    },
  }
  const subject = (agent: string) => ({ ...NO_SUBJECT, agent })

  test('name the line of this release', () => {
    const t = session([195_000])
    t.lines[3] = t.lines[3]?.replace('"e3"', '"01234567-89ab-4def-8123-456789abcdef"') ?? ''
    const version = { value: '2026.9.6', from: 'x' }
    const store = runtimeStoreWith({ era: 'sqlite', version, files: [asking] })
    const line = (agent: string) =>
      inspected(t, { judge: { store, subject: subject(agent) } })[0]?.explanation?.line
    expect([line('harbour'), line('other')]).toEqual([190_000, 180_000])
  })

  test('and that of another one', () => {
    const t = session([181_000, 182_000, 183_000, 191_000])
    const store = runtimeStoreWith({ files: [asking] })
    const reason = (agent: string) =>
      inspected(t, { judge: { store, subject: subject(agent) } })[0]?.explanation?.reason
    expect([reason('harbour'), reason('other')]).toEqual(['other-version', 'late'])
  })
})

describe('X7: the prompt after a compaction', () => {
  test('is of the first call below it that was answered, of the next five at most', () => {
    const behind = (failed: number) =>
      inspected(
        session([185_000], (t) => {
          for (let i = 0; i < failed; i++) t.assistant('', { stop: 'error' })
          answer(t, 40_000)
        }),
      )[0]?.promptAfter
    expect([behind(0), behind(4), behind(5)]).toEqual([40_000, 40_000, null])
  })

  test('is not of a call on another branch', () => {
    const t = session([185_000], (more) => {
      more.assistant('Elsewhere.', { usage: { input: 20_000 }, over: { parentId: 'e2' } })
      more.user('On.', { parentId: 'e3' })
      answer(more, 40_000)
    })
    expect(inspected(t)[0]?.promptAfter).toBe(40_000)
  })
})

describe('X7: what is odd', () => {
  const oddities = (prompts: readonly number[], after: number, look: Look = {}) =>
    inspected(
      session(prompts, (t) => answer(t, after)),
      look,
    )[0]?.oddities

  test('more than nine tenths of the prompt are left', () => {
    expect(oddities([100_000], 90_000)).toEqual([])
    expect(oddities([100_000], 90_001)).toEqual(['reclaimed-nothing'])
    expect(inspected(session([100_000]))[0]?.oddities).toEqual([])
  })

  test('the provider cut both prompts, so that they tell nothing', () => {
    const seen = (...calls: number[]) => ({
      frames: Object.fromEntries(calls.map((call) => [call, { seenTokens: 50_000 }])),
    })
    expect(oddities([100_000], 99_000, seen(1, 2))).toEqual(['cut-prompts'])
    expect(oddities([100_000], 99_000, seen(1))).toEqual(['reclaimed-nothing'])
    expect(oddities([100_000], 99_000, seen(2))).toEqual(['reclaimed-nothing'])
    expect(oddities([100_000], 9_000, seen(1))).toEqual([])
  })

  test('no call was made since the compaction before, which a reset is not', () => {
    const twice = (type: 'compaction' | 'reset', between: boolean) => {
      const t = new TranscriptBuilder()
      t.user('Go.')
      answer(t, 100_000)
      t.entry(type, { summary: 'So far.', firstKeptEntryId: 'e1', tokensBefore: 0, reason: 'new' })
      const kept = t.user('On.')
      if (between) answer(t, 50_000)
      compact(t, kept)
      return inspected(t).at(-1)?.oddities.includes('doubled')
    }
    expect([twice('compaction', false), twice('compaction', true), twice('reset', false)]).toEqual([
      ...[true, false, false],
    ])
  })
})
