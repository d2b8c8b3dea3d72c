import { describe, expect, test } from 'vitest'
import { chooseSummarizer } from '../adapters/summarizers/choose-summarizer'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import { transientMemory } from '../engine/knowledge/agent-memory'
import { SummaryChain } from '../engine/summary/summary-chain'
import { coldAgent, errands, MEMFAS, said } from '../testing/cold-conversation'
import { contentText, liveAgent, sizeOf, turnsOf } from '../testing/live-conversation'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'

const { policy: VS7 } = resolvePolicy([{ level: 'preset', label: 'vs7', patch: PRESETS.vs7 }])
/** Without a memory to search. */
const ROLLING: Policy = { ...VS7, semantic: { ...VS7.semantic, enabled: false } }
const PARTS = { identity: 'You keep the harbour log.' }
const ASK: ContentMessage = { role: 'user', content: 'And the next berth?' }
/** About 36,000 tokens: above the 30,000 at which a rolling summary is due. */
const LONG = turnsOf(120)

function watched() {
  const lines: { level: string; line: string }[] = []
  const diagnose = (level: string, line: string) => lines.push({ level, line })
  const of = (level: string) => lines.flatMap((each) => (each.level === level ? [each.line] : []))
  return { diagnose, of }
}

const chainOf = (...replies: Parameters<typeof scriptedSummarizer>[1]) =>
  new SummaryChain([scriptedSummarizer('a/m', replies)], standingClock())

/** Compaction at half of a window, nothing else. */
function quiet(more: Partial<Policy['lines']> = {}): Policy {
  const off = { enabled: false }
  const { lines, compaction, budget } = DEFAULT_POLICY
  return {
    ...DEFAULT_POLICY,
    budget: { ...budget, enabled: false },
    compaction: { ...compaction, keepRecentTokens: 2_000 },
    lines: {
      ...lines,
      curate: { ...lines.curate, ...off },
      slide: { ...lines.slide, ...off },
      checkpoints: { ...lines.checkpoints, ...off },
      flush: { ...lines.flush, ...off },
      ...more,
    },
  }
}

describe('what is reported of a live context', () => {
  test('Q7: lines of VS7 with the numbers of this very conversation', async () => {
    const { diagnose, of } = watched()
    // No digest rolls where a model is named; here none is, and the digest is the summary.
    const { context, held } = liveAgent(LONG, ROLLING, { window: 200_000, diagnose })
    const done = await context.beforeResponse([ASK])
    expect(done.steps).toEqual(['roll'])
    const request = await context.request({ parts: PARTS, prompt: [ASK] })
    const [triggering, summarized, bootstrap, injected, stats] = of('info')
    expect(triggering).toBe(`rolling summary: triggering summarization for ${held.messages.length} messages`)
    const kept = request.history.messages.length
    const covered = held.messages.length - kept
    // What the summary takes counts in the place of what it replaces.
    const rest = held.messages.slice(covered).reduce((sum, message) => sum + sizeOf(message), 0)
    expect(done.after.tokens.value).toBeGreaterThan(rest + 200)
    expect(done.after.tokens.value).toBeLessThan((done.before.tokens.value ?? 0) / 2)
    const total = done.after.tokens.value
    expect(summarized).toBe(
      `rolling summary: summarized ${covered} messages, kept ${kept}, totalTokens=${total}`,
    )
    expect(bootstrap).toBe('context management: bootstrap budget=20000 tokens, maxChars=80000')
    expect(injected).toBe('rolling summary: injected summary as leading context message')
    const { formula } = request.budget ?? { formula: 0 }
    expect(stats).toMatch(
      new RegExp(
        `^context management: contextWindow=200000 systemPrompt=\\d+ bootstrap=0 historyBudget=${formula} messagesIn=${held.messages.length} messagesOut=${kept} \\(with rolling summary\\)$`,
      ),
    )
    expect(of('warn')).toEqual([])
  })

  test('Q7: where nothing rolls, nothing is reported of it', async () => {
    const { diagnose, of } = watched()
    const { context } = liveAgent(turnsOf(4), ROLLING, { window: 200_000, diagnose })
    const done = await context.beforeResponse([ASK])
    expect([done.steps, done.warnings]).toEqual([[], []])
    await context.request({ parts: PARTS, prompt: [ASK] })
    expect(of('info')).toEqual([
      'context management: bootstrap budget=20000 tokens, maxChars=80000',
      expect.stringMatching(/messagesIn=16 messagesOut=16$/),
    ])
    expect(of('warn')).toEqual([])
  })

  test('Q8: a pair of lines before and after a compaction, of one id, another one each time', async () => {
    const { diagnose, of } = watched()
    const { context, held } = liveAgent(turnsOf(50), quiet(), { diagnose })
    const before = held.messages
    await context.beforeResponse()
    const after = held.messages
    const sum = (list: readonly ContentMessage[]) =>
      list.reduce((total, message) => total + sizeOf(message), 0)
    const gone = after.length - before.length
    expect(of('debug')).toEqual([
      `compaction agent:harbour:main#1 pre: messages=${before.length} tokens=${sum(before)}`,
      `compaction agent:harbour:main#1 post: messages=${after.length} (${gone}) tokens=${sum(after)} (${sum(after) - sum(before)})`,
    ])
    held.messages = [...after, ...turnsOf(50, 200, 'more')]
    await context.beforeResponse()
    expect(
      of('debug')
        .slice(2)
        .map((line) => line.split(' ')[1]),
    ).toEqual(['agent:harbour:main#2', 'agent:harbour:main#2'])
  })

  test('Q9: one warning when a rolling summary fails, and the history is cut to its limits instead', async () => {
    const { diagnose, of } = watched()
    const models = ['a/m', 'b/m'].map((name) => scriptedSummarizer(name, [{}]))
    const chain = new SummaryChain(models, standingClock())
    const { context } = liveAgent(LONG, VS7, { window: 200_000, chain, diagnose })
    const done = await context.beforeResponse([ASK])
    expect([done.steps, done.failure]).toEqual([[], null])
    expect(of('warn')).toHaveLength(1)
    expect(of('warn')[0]).toMatch(/No rolling summary could be made.*a\/m is down\. b\/m is down/)
    expect((await context.request({ parts: PARTS, prompt: [ASK] })).messages.length).toBeGreaterThan(1)
  })

  test('Q9: one warning when the key of the summarising model is missing, which names the variable', async () => {
    const { diagnose, of } = watched()
    const model = chooseSummarizer({ model: 'minimax/MiniMax-M2.1', url: '', keyOf: () => undefined })
    const chain = new SummaryChain(model === null ? [] : [model], standingClock())
    const { context } = liveAgent(LONG, VS7, { window: 200_000, chain, diagnose })
    await context.beforeResponse([ASK])
    expect(of('warn')).toHaveLength(1)
    expect(of('warn')[0]).toContain('MINIMAX_API_KEY')
  })

  test('Q9: one warning when what is remembered cannot be read, and one when cold storage is full', async () => {
    const { diagnose, of } = watched()
    const memory = { ...transientMemory(), load: () => Promise.reject(new Error('no such disk')) }
    await liveAgent(turnsOf(2), quiet(), { memory, diagnose }).context.beforeResponse([ASK])
    expect(of('warn')).toEqual(['The memory of agent:harbour:main cannot be read: no such disk'])
    const full = watched()
    const messages = [...errands(20), said('user', 'Which crane?')]
    const window = Math.round((messages.reduce((total, each) => total + sizeOf(each), 0) * 1.2) / 0.45)
    const { context, disk } = coldAgent(messages, MEMFAS, { window, diagnose: full.diagnose })
    disk.room = 0
    await context.afterResponse()
    expect(full.of('warn')).toHaveLength(1)
    expect(full.of('warn')[0]).toContain('Nothing was dropped')
  })

  test('Q10: credentials are never in a line', async () => {
    const { diagnose, of } = watched()
    const secret = 'sk-hidden'
    const secrets = { mask: (text: string) => text.replaceAll(secret, '•••'), isSecret: () => false }
    const chain = chainOf({ fault: 'http', message: `refused ${secret}` })
    await liveAgent(LONG, VS7, { window: 200_000, chain, diagnose, secrets }).context.beforeResponse([ASK])
    expect(of('warn').join()).toContain('refused •••')
  })
})

describe('the state of a live context', () => {
  test('T1, R1: each message that comes is counted; chunks are, and those in cold storage', async () => {
    const messages = [...errands(20), said('user', 'Which crane?')]
    const window = Math.round((messages.reduce((total, each) => total + sizeOf(each), 0) * 1.2) / 0.45)
    const { context, held } = coldAgent(messages, MEMFAS, { window })
    expect(context.add(said('user', 'one'))).toBe(context.tokens)
    const before = await context.status()
    expect(before).toMatchObject({
      chunks: { held: 21, cold: 0 },
      compactions: 0,
      needsCompaction: false,
      window,
    })
    await context.afterResponse()
    const after = await context.status()
    expect(after.chunks).toEqual({ held: 5, cold: 16 })
    expect(after.tokens.value).toBe(held.messages.reduce((total, each) => total + sizeOf(each), 0))
    expect(after.share).toBeCloseTo((after.tokens.value ?? 0) / window, 9)
  })

  test('T1, H2: a policy that contradicts itself is reported', async () => {
    const odd: Policy = { ...MEMFAS, relevance: { ...MEMFAS.relevance, cutoff: 0.8, keep: 0.5 } }
    expect((await liveAgent([], MEMFAS).context.status()).warnings).toEqual([])
    expect((await liveAgent([], odd).context.status()).warnings).toEqual([
      'The policy contradicts itself: the keep threshold 0.5 must be above the cut-off 0.8.',
    ])
  })

  test('T2, D28: a compaction that is due is reported before a request, and is not due any more after it', async () => {
    const { context } = liveAgent(turnsOf(50), quiet())
    expect(await context.status()).toMatchObject({ needsCompaction: true, compactions: 0 })
    expect((await context.beforeResponse()).steps).toEqual(['compact'])
    expect(await context.status()).toMatchObject({ needsCompaction: false, compactions: 1 })
  })
})

describe('V3: parts of VS7 by themselves', () => {
  const rollingOff: Policy = {
    ...VS7,
    summary: { ...VS7.summary, rolling: { ...VS7.summary.rolling, enabled: false } },
  }
  const bothOff: Policy = { ...rollingOff, semantic: ROLLING.semantic }
  const masterOff: Policy = {
    ...bothOff,
    budget: { ...VS7.budget, enabled: false },
    history: { ...VS7.history, maxTurns: 3 },
  }

  test.each([
    ['all on', VS7, true, true],
    ['semantic off', ROLLING, true, true],
    ['rolling off', rollingOff, false, true],
    ['both off: budget only', bothOff, false, true],
    ['master off: turns alone limit', masterOff, false, false],
  ] as const)('%s', async (_, policy, rolls, divides) => {
    const { context } = liveAgent(LONG, policy, { window: 200_000 })
    expect((await context.beforeResponse([ASK])).steps).toEqual(rolls ? ['roll'] : [])
    const { messages, budget } = await context.request({ parts: PARTS, prompt: [ASK] })
    expect(messages.some(({ slot, merged }) => slot === 'summary' || merged?.includes('summary'))).toBe(rolls)
    expect(budget !== null).toBe(divides)
    if (!divides) expect(messages.filter(({ message }) => message.role === 'user')).toHaveLength(4)
    else if (!rolls) expect(messages).toHaveLength(LONG.length + 1)
  })
})

test.each([
  { fill: 0.6, steps: [], says: /The conversation was not compacted: .*dead/ },
  {
    fill: 0.97,
    steps: ['compact'],
    says: /30 messages left the context WITHOUT a copy in cold storage.*dead/,
  },
])(
  'V4 I1: without summariser, memory, cold storage or log a turn still answers; what fills $fill of the window leaves only where it must',
  async ({ fill, steps, says }) => {
    const dead = () => Promise.reject(new Error('dead'))
    const memory = {
      load: dead,
      save: dead,
      checkpoints: dead,
      addCheckpoint: dead,
      stepCheckpoints: dead,
      addStepCheckpoint: dead,
    }
    const cold = { root: '/dead', put: dead, list: dead, remove: dead, extend: dead }
    const log = { add: async () => 'dead', addAll: async () => 'dead' }
    const chain = chainOf({ fault: 'unreachable', message: 'dead' })
    const messages = [...errands(20), said('user', 'Which crane?')]
    const window = Math.round((messages.reduce((total, each) => total + sizeOf(each), 0) * 1.2) / fill)
    const { context } = liveAgent(
      messages,
      { ...MEMFAS, compaction: quiet().compaction, window: { ...MEMFAS.window, blockBelow: 0 } },
      {
        memory,
        cold,
        log,
        chain,
        window,
      },
    )
    const before = await context.beforeResponse([ASK])
    expect(before.failure).toBeNull()
    expect(before.steps).toEqual(steps)
    expect(before.warnings.join('\n')).toMatch(says)
    const { value } = await context.send(async () => {
      const { messages: sent } = await context.request({ parts: PARTS, prompt: [ASK] })
      return contentText(sent.at(-1)?.message ?? ASK)
    })
    expect(value.endsWith(contentText(ASK))).toBe(true)
    expect((await context.afterResponse()).turns).toBe(1)
    expect((await context.status()).chunks.cold).toBeNull()
  },
)
