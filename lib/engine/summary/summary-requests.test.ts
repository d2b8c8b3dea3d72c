import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import type { SourceMessage } from '../../core/summary/source-message'
import { scriptedSummarizer, soundSummary, standingClock } from '../../testing/scripted-summarizer'
import type { Summarizer } from './summarizer'
import { SummaryChain } from './summary-chain'
import { digestOf, type SummaryMaterial, type SummaryOptions, writeSummary } from './write-summary'

const say = (text: string, over: Partial<SourceMessage> = {}): SourceMessage => ({
  ...{ entryId: 'e', line: 1, role: 'user', text, calls: [], images: 0 },
  ...over,
})
const material = (over: Partial<SummaryMaterial> = {}): SummaryMaterial => ({
  ...{ pruned: [], parts: [[say('Please build the harbour.')]], prefix: [], oversized: [], previous: null },
  ...{ archive: [], newestAsk: null, recentTurns: [], workspaceRules: null },
  ...over,
})
const policyWith = (
  compaction: Partial<Policy['compaction']>,
  rolling: Partial<Policy['summary']['rolling']> = {},
) => ({
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, ...compaction },
  summary: { ...DEFAULT_POLICY.summary, rolling: { ...DEFAULT_POLICY.summary.rolling, ...rolling } },
})
const optionsOf = (
  models: readonly Summarizer[] | null,
  over: Partial<SummaryOptions> = {},
): SummaryOptions => ({
  policy: DEFAULT_POLICY,
  chain: models === null ? null : new SummaryChain(models, standingClock()),
  ...{ focus: null, sizeOf: (text: string) => text.length / 4, mask: (text: string) => text },
  ...{ isSecret: () => false, maxTokens: 500 },
  ...over,
})
async function written(given: SummaryMaterial, options: SummaryOptions) {
  const result = await writeSummary(given, options)
  if (result.kind !== 'written') throw new Error(result.kind)
  return result.summary
}
const sound = soundSummary('build the harbour')

describe('the requests of a summary', () => {
  test('progress counts what is done and what is still to come', async () => {
    const progressOf = async (given: Partial<SummaryMaterial>) => {
      const reported: string[] = []
      const model = scriptedSummarizer('a/m', [sound])
      const options = optionsOf([model], { onProgress: (done, of) => reported.push(`${done}/${of}`) })
      await writeSummary(material(given), options)
      return reported
    }
    expect(await progressOf({})).toEqual(['1/1'])
    expect(await progressOf({ pruned: [say('Build the harbour.')] })).toEqual(['1/2', '2/2'])
    const parts = [[say('Build the harbour.')], [say('Build the harbour again.')]]
    expect(await progressOf({ parts })).toEqual(['1/3', '2/3', '3/3'])
    const all = { pruned: [say('Build the harbour.')], parts, prefix: [say('The quay.')] }
    expect(await progressOf(all)).toEqual(['1/5', '2/5', '3/5', '4/5', '5/5'])
  })

  test('an answer that is asked for again makes the count longer, never shorter than what is done', async () => {
    const reported: string[] = []
    const model = scriptedSummarizer('a/m', ['just prose', sound])
    await writeSummary(
      material(),
      optionsOf([model], { onProgress: (done, of) => reported.push(`${done}/${of}`) }),
    )
    expect(reported).toEqual(['1/1', '2/2'])
  })

  test('parts that are small are asked for together, and empty ones not at all', async () => {
    const model = scriptedSummarizer('a/m', [sound])
    await written(material({ parts: [[say('Build'), say('the harbour.')], []] }), optionsOf([model]))
    expect(model.asked).toHaveLength(1)
    expect(model.asked[0]?.prompt.user).toMatch(/Build[\s\S]+the harbour\./)
  })

  test('one part that is too long for one request is asked for in several', async () => {
    const model = scriptedSummarizer('a/m', ['first', 'second', sound])
    const long = Array.from({ length: 2 }, (_, i) => say(`Build the harbour ${i}. ${'stone '.repeat(200)}`))
    // As if a letter were a token.
    const options = optionsOf([model], { sizeOf: (text) => text.length * 40 })
    const summary = await written(material({ parts: [long] }), options)
    expect(summary.calls).toBe(3)
    expect(model.asked[2]?.prompt.user).toMatch(/first[\s\S]+second/)
    expect(model.asked.map(({ maxTokens }) => maxTokens)).toEqual([500, 500, 500])
  })

  test('parts know nothing of the earlier summary; the one that merges them does', async () => {
    const model = scriptedSummarizer('a/m', ['one', 'two', soundSummary('build the harbour; keel laid')])
    const parts = [[say('Build the harbour.')], [say('Build on.')]]
    await written(material({ parts, previous: 'The keel is laid.' }), optionsOf([model]))
    const knows = model.asked.map(({ prompt }) => prompt.user.includes('The keel is laid.'))
    expect(knows).toEqual([false, false, true])
  })

  test('nothing to summarise but what was there before is that, without a request', async () => {
    const model = scriptedSummarizer('a/m', [sound])
    const before = await written(material({ parts: [], previous: 'The keel is laid.' }), optionsOf([model]))
    expect(before).toMatchObject({ text: 'The keel is laid.', source: 'model', by: null, calls: 0 })
    expect((await written(material({ parts: [] }), optionsOf([model]))).text).toBe('No prior history.')
    expect(model.asked).toHaveLength(0)
  })

  test('tokens of all requests are summed, and unknown once one of them did not tell', async () => {
    const usages = [
      { input: 10, output: 1 },
      { input: 20, output: 2 },
      { input: 30, output: 3 },
    ]
    const telling = (...reported: (typeof usages)[number][] | null[]): Summarizer => {
      let at = 0
      return {
        name: 'a/m',
        summarize: async () => ({ ok: true, text: sound, usage: reported[at++] ?? null }),
      }
    }
    const parts = [[say('Build the harbour.')], [say('Build on the harbour.')]]
    expect(await written(material({ parts }), optionsOf([telling(...usages)]))).toMatchObject({
      ...{ calls: 3, inputTokens: 60, outputTokens: 6 },
    })
    const some = telling(...(usages.slice(0, 1) as (typeof usages)[number][]))
    expect(await written(material({ parts }), optionsOf([some]))).toMatchObject({
      ...{ inputTokens: null, outputTokens: null },
    })
  })

  test('the beginning of a split turn may take half the tokens, and its failure is the failure of all', async () => {
    const prefix = [say('The quay.')]
    const model = scriptedSummarizer('a/m', [sound, 'it began'])
    await written(material({ prefix }), optionsOf([model], { maxTokens: 501 }))
    expect(model.asked[1]?.prompt.user + String(model.asked[1]?.prompt.system)).toContain('250')
    const failing = scriptedSummarizer('a/m', [sound, {}])
    expect(await written(material({ prefix }), optionsOf([failing]))).toMatchObject({
      source: 'digest',
      calls: 2,
    })
    const stopped = scriptedSummarizer('a/m', [sound, { fault: 'aborted' }])
    expect(await writeSummary(material({ prefix }), optionsOf([stopped]))).toEqual({ kind: 'stopped' })
  })

  test.each<[string, Partial<SummaryMaterial>]>([
    ['what is pruned', { pruned: [say('Build the harbour.')] }],
    ['a part', { parts: [[say('Build the harbour.')], [say('Build on.')]] }],
    ['the large messages', { oversized: [{ message: say('The tide table.'), tokens: 9 }] }],
  ])('a stop while %s is summarised ends all of it', async (_what, given) => {
    const model = scriptedSummarizer('a/m', [{ fault: 'aborted' }])
    expect(await writeSummary(material(given), optionsOf([model]))).toEqual({ kind: 'stopped' })
    expect(model.asked).toHaveLength(1)
  })

  test('large messages are put where they were', async () => {
    const model = scriptedSummarizer('a/m', [sound])
    const parts = [[say('Build the harbour.', { line: 2 }), say('Build on.', { line: 6 })]]
    const oversized = [{ message: say('The tide table.', { line: 4, role: 'toolResult' }), tokens: 9 }]
    await written(material({ parts, oversized }), optionsOf([model]))
    expect(model.asked[0]?.prompt.user).toMatch(/Build the harbour[\s\S]+tide table[\s\S]+Build on/)
  })
})

describe('the audit of a summary', () => {
  const id = 'b4a1f6d2-9c7e-4e0a-8a54-2f3d0c9b1e77'
  const parts = [[say(`Please build the harbour of order ${id}.`)]]

  test('asks as often as the policy says, and once where it says never again', async () => {
    for (const [qualityRetries, times] of [
      [0, 1],
      [2, 3],
    ] as const) {
      const model = scriptedSummarizer('a/m', ['just prose'])
      const summary = await written(
        material(),
        optionsOf([model], { policy: policyWith({ qualityRetries }) }),
      )
      expect(model.asked).toHaveLength(times)
      expect(summary.notes.at(-1)).toMatch(
        /^a\/m wrote a summary that does not pass the audit: missing_section: .*; /,
      )
    }
  })

  test('is not made where the policy turns it off', async () => {
    const model = scriptedSummarizer('a/m', ['just prose'])
    const policy = policyWith({ mode: 'default' })
    expect(await written(material(), optionsOf([model], { policy }))).toMatchObject({
      source: 'model',
      calls: 1,
    })
  })

  test('names identifiers where the policy is strict about them, secrets excepted', async () => {
    const promptWith = async (over: Partial<SummaryOptions>) => {
      const model = scriptedSummarizer('a/m', [sound])
      await writeSummary(material({ parts }), optionsOf([model], over))
      return model.asked[0]?.prompt.user ?? ''
    }
    const strict = await promptWith({ policy: policyWith({ identifierPolicy: 'strict' }) })
    const secret = await promptWith({
      policy: policyWith({ identifierPolicy: 'strict' }),
      isSecret: (text) => text.includes(id),
    })
    const off = await promptWith({ policy: policyWith({ identifierPolicy: 'off' }) })
    const count = (text: string) => text.split(id).length - 1
    expect(count(strict)).toBeGreaterThan(count(secret))
    expect(count(off)).toBe(count(secret))
  })

  test('a focus is asked for, credentials covered', async () => {
    const model = scriptedSummarizer('a/m', [sound])
    const options = optionsOf([model], {
      focus: 'berth and key-7',
      mask: (text) => text.replaceAll('key-7', '•'),
    })
    await written(material(), options)
    expect(model.asked[0]?.prompt.user).toContain('berth and •')
  })
})

const KEEL = '## Decisions\n- We decided that the keel is laid first.'

describe('the digest of what no model wrote', () => {
  const words = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      say(`We decided that ${[2, 3, 5, 7].map((n) => `berth${(i * n * 7919) % 9973}`).join(' and ')} stay.`, {
        role: 'assistant',
      }),
    )

  test('is made of the archive where there is one, not of the digest before it', async () => {
    const given = material({ archive: [say('Moor the barge at berth 4.')], previous: KEEL })
    const text = await digestOf(given, optionsOf(null))
    expect(text).toContain('Moor the barge at berth 4.')
    expect(text).not.toContain('the keel is laid first')
    const without = await digestOf(material({ previous: KEEL }), optionsOf(null))
    expect(without).toContain('the keel is laid first')
    expect(without).toContain('Please build the harbour.')
  })

  test('of nothing is what was there before, or that there was nothing', async () => {
    expect(await digestOf(material({ parts: [] }), optionsOf(null))).toBe('No prior history.')
    expect(await digestOf(material({ parts: [], previous: 'So far.' }), optionsOf(null))).toBe('So far.')
  })

  test('stays within the limit of a rolling summary where there is one', async () => {
    const given = material({ parts: [words(400)] })
    const sizeOf = (text: string) => text.length / 4
    const rolling = (enabled: boolean) => ({ policy: policyWith({}, { enabled, maxTokens: 100 }) })
    const long = await digestOf(given, optionsOf(null, rolling(false)))
    const short = await digestOf(given, optionsOf(null, rolling(true)))
    expect(sizeOf(short)).toBeLessThanOrEqual(100)
    expect(sizeOf(long)).toBeGreaterThan(100)
  })

  test('leans towards a focus', async () => {
    const given = material({
      parts: [
        [
          ...words(300),
          say('We decided that the pilot has the crane keys.', { role: 'assistant' }),
          ...words(300),
        ],
      ],
    })
    const policy = policyWith({}, { enabled: true, maxTokens: 300 })
    expect(await digestOf(given, optionsOf(null, { policy, focus: 'crane keys of the pilot' }))).toContain(
      'crane keys',
    )
  })

  test('is made in turns with other work where somebody asks for that', async () => {
    let turns = 0
    const inTurns: NonNullable<SummaryOptions['inTurns']> = async (steps) => {
      for (;;) {
        turns++
        const step = steps.next()
        if (step.done === true) return step.value
      }
    }
    const text = await digestOf(material({ parts: [words(50)] }), optionsOf(null, { inTurns }))
    expect(text).toBe(await digestOf(material({ parts: [words(50)] }), optionsOf(null)))
    expect(turns).toBeGreaterThan(0)
  })

  test('counts large messages with all others, and names each', async () => {
    const oversized = [1, 2].map((n) => ({ message: say('x', { role: 'toolResult' }), tokens: n * 100_000 }))
    const { text } = await written(
      material({ oversized, pruned: [say('a')], prefix: [say('b')] }),
      optionsOf(null),
    )
    expect(text).toContain('[5 messages, 2 of them too large to be summarised]')
    expect(text.match(/\[Large toolResult \(~\d+K tokens\) omitted from summary\]/g)).toEqual([
      '[Large toolResult (~100K tokens) omitted from summary]',
      '[Large toolResult (~200K tokens) omitted from summary]',
    ])
  })

  test('what comes behind every summary comes behind it: failures and files only behind a model’s', async () => {
    const failure = say('exit 2', { role: 'toolResult', isError: true, toolName: 'exec', resultFor: 'c' })
    const given = material({
      parts: [[say('Please build the harbour.'), failure]],
      ...{
        newestAsk: 'Build the harbour, please.',
        important: ['Berth 9 stays empty.'],
        workspaceRules: '## Red',
      },
    })
    const byModel = await written(given, optionsOf([scriptedSummarizer('a/m', [sound])]))
    const byDigest = await written(given, optionsOf(null))
    for (const { text } of [byModel, byDigest]) {
      expect(text).toContain('Berth 9 stays empty.')
      expect(text).toContain('Build the harbour, please.')
      expect(text).toContain('<workspace-critical-rules>\n## Red\n</workspace-critical-rules>')
    }
    const sections = (text: string) => text.split('Tool Failures').length - 1
    expect(sections(byModel.text)).toBe(1)
    expect(sections(byDigest.text)).toBe(0)
  })
})
