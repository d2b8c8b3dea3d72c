import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { DIGEST_MARK } from '../../core/summary/digest'
import type { SourceMessage } from '../../core/summary/source-message'
import { estimateUnits } from '../../core/tokens/estimate'
import { summaryMaterial } from '../../testing/builders/summary-material'
import { scriptedSummarizer, soundSummary, standingClock } from '../../testing/scripted-summarizer'
import type { Summarizer } from './summarizer'
import { SummaryChain } from './summary-chain'
import { type SummaryMaterial, type SummaryOptions, writeSummary } from './write-summary'

const say = (text: string, role: SourceMessage['role'] = 'user'): SourceMessage => ({
  entryId: 'e',
  line: 1,
  role,
  text,
  calls: [],
  images: 0,
})

const material = (more: Partial<SummaryMaterial> = {}): SummaryMaterial =>
  summaryMaterial([[say('Please build the harbour.'), say('Building it.', 'assistant')]], more)

function options(
  models: readonly Summarizer[],
  time = standingClock(),
  more: Partial<SummaryOptions> = {},
): SummaryOptions {
  return {
    policy: DEFAULT_POLICY,
    chain: new SummaryChain(models, time),
    focus: null,
    sizeOf: estimateUnits,
    mask: (text) => text,
    isSecret: () => false,
    maxTokens: 500,
    ...more,
  }
}

async function written(m: SummaryMaterial, o: SummaryOptions) {
  const result = await writeSummary(m, o)
  if (result.kind !== 'written') throw new Error(result.kind)
  return result.summary
}

const sound = soundSummary('build the harbour')

describe('the summary of a plan', () => {
  test('one model, one request: its own answer', async () => {
    const model = scriptedSummarizer('a/m', [sound])
    const summary = await written(material(), options([model]))
    expect(summary).toMatchObject({
      source: 'model',
      by: 'a/m',
      calls: 1,
      inputTokens: 100,
      outputTokens: 10,
    })
    expect(summary.text.startsWith(sound)).toBe(true)
  })

  test('D5: two parts are asked for one by one and merged by a third request', async () => {
    const model = scriptedSummarizer('a/m', [
      'part one',
      'part two',
      soundSummary('the harbour, then the pier'),
    ])
    const parts = [[say('Please build the harbour.')], [say('Then the pier.')]]
    const summary = await written(material({ parts }), options([model]))
    expect(summary.calls).toBe(3)
    expect(model.asked[2]?.prompt.user).toContain('part one')
    expect(model.asked[2]?.prompt.user).toContain('part two')
  })

  test('D8: what is pruned is summarised first and handed on as the previous summary', async () => {
    const early = soundSummary('keel laid first')
    const model = scriptedSummarizer('a/m', [early, sound])
    await written(material({ pruned: [say('The keel is laid first, please.')] }), options([model]))
    expect(model.asked[1]?.prompt.user).toContain('keel laid first')
  })

  describe('D6: a very large message', () => {
    const note = '[Large toolResult (~120K tokens) omitted from summary]'
    const large = { ...say('The tide table of all ports.', 'toolResult'), line: 0 }
    const oversized = [{ message: large, tokens: 120_400 }]

    test('is given to the model, in its place, and needs no note where the model takes it', async () => {
      const model = scriptedSummarizer('a/m', [sound])
      const summary = await written(material({ oversized }), options([model]))
      expect(model.asked[0]?.prompt.user).toMatch(/The tide table[\s\S]*Please build the harbour/)
      expect(summary.calls).toBe(1)
      expect(summary.text).not.toContain(note)
    })

    test('is left out where the model does not take it, and a note names it', async () => {
      const model = scriptedSummarizer('a/m', ['', sound])
      const summary = await written(material({ oversized }), options([model]))
      expect(model.asked[1]?.prompt.user).not.toContain('tide table')
      expect(summary).toMatchObject({ source: 'model', calls: 2 })
      expect(summary.text).toContain(note)
    })

    test('is named and counted in the digest where both fail, and where there is no model', async () => {
      for (const models of [[scriptedSummarizer('a/m', [''])], []]) {
        const summary = await written(material({ oversized }), options(models))
        expect(summary.source).toBe('digest')
        expect(summary.text).toContain(`[3 messages, 1 of them too large to be summarised]\n${note}`)
      }
    })
  })

  test('D17: the beginning of a split turn is asked for by itself', async () => {
    const model = scriptedSummarizer('a/m', [sound, 'it began with the quay'])
    const summary = await written(material({ prefix: [say('The quay.')] }), options([model]))
    expect(summary.text).toContain('**Turn Context (split turn):**\n\nit began with the quay')
    expect(model.asked[1]?.maxTokens).toBe(500)
  })

  test('D17: the beginning of a split turn is in a digest as well, what was asked first and credentials covered', async () => {
    const prefix = [
      say('Survey the quay with key-77.'),
      ...Array.from({ length: 40 }, (_, i) =>
        say(`Step ${i} of the survey: ${'stone '.repeat(40)}`, 'assistant'),
      ),
    ]
    const hidden = { mask: (text: string) => text.replaceAll('key-77', '•') }
    const summary = await written(material({ prefix }), options([], standingClock(), hidden))
    expect(summary.source).toBe('digest')
    const [, section = ''] = summary.text.split('**Turn Context (split turn):**\n\n')
    expect(section).toMatch(/^- user: Survey the quay with •\.\n- … \d+ more steps\n/)
    expect(section).toContain('Step 39 of the survey')
    expect(section.length).toBeLessThan(3_200)
  })

  test('an answer that misses a section is asked for again, with what it missed', async () => {
    const model = scriptedSummarizer('a/m', ['just prose', sound])
    const summary = await written(material(), options([model]))
    expect(model.asked[1]?.prompt.user).toContain('missing_section: ## Decisions')
    expect(summary).toMatchObject({ source: 'model', calls: 2 })
  })

  test('an answer that never passes is not taken: the digest replaces it and says why', async () => {
    const summary = await written(material(), options([scriptedSummarizer('a/m', ['just prose'])]))
    expect(summary).toMatchObject({ source: 'digest', calls: 2 })
    expect(summary.text.startsWith(DIGEST_MARK)).toBe(true)
    expect(summary.notes.join()).toContain('does not pass the audit')
  })

  test.each(['', '<html>502</html>', 'x'.repeat(70_000)])('nor is %.20j', async (answer) => {
    const summary = await written(material(), options([scriptedSummarizer('a/m', [answer])]))
    expect(summary.source).toBe('digest')
    expect(summary.notes).toHaveLength(1)
  })

  test('nor is one in another language without the request: the digest replaces it', async () => {
    const foreign = soundSummary('das Wetter bleibt heute heiter und trocken')
    const model = scriptedSummarizer('a/m', [foreign, foreign])
    const summary = await written(material(), options([model]))
    expect(summary).toMatchObject({ source: 'digest', calls: 2 })
    expect(summary.notes.join()).toContain('latest_user_ask_not_reflected')
  })

  test('D7, D20: no model at all, and nothing to summarise', async () => {
    expect(await written(material(), options([], standingClock(), { chain: null }))).toMatchObject({
      source: 'digest',
      calls: 0,
    })
    const nothing = await written(material({ parts: [] }), options([], standingClock(), { chain: null }))
    expect(nothing.text).toBe('No prior history.')
  })

  test('credentials never leave: neither to a model nor into a digest', async () => {
    const secret = 'sk-test-4242424242424242'
    const mask = (text: string) => text.replaceAll(secret, '•')
    const hidden = { mask, isSecret: (text: string) => text.includes(secret) }
    const model = scriptedSummarizer('a/m', ['no'])
    const parts = [[say(`Use ${secret} for the harbour at https://example.com/${secret}`)]]
    const previous = `Earlier: the key is ${secret}.`
    const summary = await written(material({ parts, previous }), options([model], standingClock(), hidden))
    expect(JSON.stringify(model.asked)).toContain('Earlier: the key is')
    expect(JSON.stringify(model.asked)).not.toContain(secret)
    expect(summary.text.split('## Exact identifiers')[1]).not.toContain(secret)
  })
})

describe('the chain of models', () => {
  test('U2: the second one is asked when the first is down, and the note says so', async () => {
    const [down, up] = [scriptedSummarizer('a/down', [{}]), scriptedSummarizer('b/up', [sound])]
    const summary = await written(material(), options([down, up]))
    expect(summary).toMatchObject({ by: 'b/up', source: 'model' })
    expect(summary.notes).toEqual(['a/down is down.'])
  })

  test('U3: after three failures a model rests for half an hour', async () => {
    const time = standingClock(Date.parse('2026-11-21T10:00:00Z'))
    const down = scriptedSummarizer('a/down', [{}])
    const all = options([down], time)
    for (let i = 0; i < 4; i++) await written(material(), all)
    expect(down.asked).toHaveLength(3)
    expect((await written(material(), all)).notes[0]).toContain('rests until 2026-11-21T10:30:00.000Z')
    time.advance(30 * 60_000)
    await written(material(), all)
    expect(down.asked).toHaveLength(4)
  })

  test('D14: two passing failures, then an answer; pauses of half a second and one', async () => {
    const time = standingClock()
    const model = scriptedSummarizer('a/m', [{ again: true }, { again: true }, sound])
    expect(await written(material(), options([model], time))).toMatchObject({ source: 'model' })
    expect(time.pauses).toEqual([500, 1_000])
  })

  test('D14: pauses double up to five seconds, and chance varies each by a fifth', async () => {
    const pausesAt = async (chance: number) => {
      const time = { ...standingClock(), chance: () => chance }
      const model = scriptedSummarizer('a/m', [{ again: true }])
      const policy = { ...DEFAULT_POLICY, compaction: { ...DEFAULT_POLICY.compaction, retries: 7 } }
      await written(material(), options([model], time, { policy }))
      expect(model.asked).toHaveLength(7)
      return time.pauses
    }
    expect(await pausesAt(0.5)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000])
    expect(await pausesAt(0)).toEqual([400, 800, 1_600, 3_200, 4_000, 4_000])
    expect(await pausesAt(1)).toEqual([600, 1_200, 2_400, 4_800, 6_000, 6_000])
  })

  test('D14: what would not go better is not asked again, and a stop during a pause ends it', async () => {
    const refused = scriptedSummarizer('a/m', [{ again: false }])
    await written(material(), options([refused]))
    expect(refused.asked).toHaveLength(1)
    const stop = new AbortController()
    const time = { ...standingClock(), pause: async () => stop.abort() }
    const failing = scriptedSummarizer('a/m', [{ again: true }])
    const result = await writeSummary(material(), options([failing], time, { signal: stop.signal }))
    expect(result).toEqual({ kind: 'stopped' })
    expect(failing.asked).toHaveLength(1)
  })

  test('U3: an answer between failures ends the count of them', async () => {
    const model = scriptedSummarizer('a/m', [{}, {}, sound, {}, {}, sound])
    const all = options([model])
    for (let i = 0; i < 6; i++) await written(material(), all)
    expect(model.asked).toHaveLength(6)
  })

  test('D13: attempts end at the time limit of the policy', async () => {
    const time = standingClock()
    const slow: Summarizer = {
      name: 'a/slow',
      summarize: async ({ timeoutMs }) => {
        time.advance(Math.min(timeoutMs, 200_000))
        return { ok: false, fault: 'unreachable', message: 'a/slow is slow.', again: true }
      },
    }
    await written(material(), options([slow], time))
    expect(time.clock.now()).toBeLessThanOrEqual(DEFAULT_POLICY.compaction.timeoutMs)
  })

  test('a stop is a stop: no retry, no other model, no digest', async () => {
    const [stopped, other] = [
      scriptedSummarizer('a/m', [{ fault: 'aborted' }]),
      scriptedSummarizer('b/m', [sound]),
    ]
    expect(await writeSummary(material(), options([stopped, other]))).toEqual({ kind: 'stopped' })
    expect(other.asked).toHaveLength(0)
  })
})
