import { describe, expect, test } from 'vitest'
import { limitTokens } from '../core/history/limit-tokens'
import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { knobSchema } from '../core/policy/knobs/knob-schema'
import { POLICY_KNOBS } from '../core/policy/knobs/policy-knobs'
import type { Policy } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { readPolicy } from '../core/policy/read-policy'
import { resolvePolicy } from '../core/policy/resolve'
import { parseSource } from '../core/policy/source-tree'
import { estimateUnits } from '../core/tokens/estimate'
import { transientMemory } from '../engine/knowledge/agent-memory'
import { SummaryChain } from '../engine/summary/summary-chain'
import { contentText, liveAgent, sizeOf, turnsOf } from '../testing/live-conversation'
import { scriptedSummarizer, soundSummary, standingClock } from '../testing/scripted-summarizer'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'

/** Defects of GoClaw and VS7, each tried on ours; those of memfas are in `engine/cold`. */

const PARTS = { identity: 'You keep the harbour log.' }
const ASK: ContentMessage = { role: 'user', content: 'And the next berth?' }
const off = { enabled: false }

function only(more: Partial<Policy['lines']>, over: Partial<Policy> = {}): Policy {
  const { lines, compaction } = DEFAULT_POLICY
  const none = {
    curate: { ...lines.curate, ...off },
    compact: { ...lines.compact, ...off },
    slide: { ...lines.slide, ...off },
    checkpoints: { ...lines.checkpoints, ...off },
    flush: { ...lines.flush, ...off },
  }
  return {
    ...DEFAULT_POLICY,
    compaction: { ...compaction, keepRecentTokens: 2_000 },
    lines: { ...lines, ...none, ...more },
    ...over,
  }
}

const compacting = only({ compact: DEFAULT_POLICY.lines.compact })
const { policy: VS7 } = resolvePolicy([{ level: 'preset', label: 'vs7', patch: PRESETS.vs7 }])
const sum = (messages: readonly ContentMessage[]) => messages.reduce((total, each) => total + sizeOf(each), 0)
const fromFile = (text: string): Policy =>
  resolvePolicy([
    { level: 'default', label: 'file', patch: readPolicy(parseSource(text, 'openclaw.json')).patch },
  ]).policy

describe('defects of GoClaw that ours has not', () => {
  test('9: after a compaction the very next request leads with the summary', async () => {
    const { context } = liveAgent(turnsOf(50), compacting)
    await context.beforeResponse([ASK])
    const { messages } = await context.request({ parts: PARTS, prompt: [ASK] })
    expect(messages[0]?.slot).toBe('summary')
    expect(CONTENT_FORM.isSummary(messages[0]?.message ?? ASK)).toBe(true)
  })

  test('10: a checkpoint line that was passed does not act again each turn', async () => {
    const checkpoint = { ...DEFAULT_POLICY.summary.checkpoint, minTokens: 1_000, everyTurns: 1_000 }
    const policy = only(
      { checkpoints: DEFAULT_POLICY.lines.checkpoints },
      { summary: { ...DEFAULT_POLICY.summary, checkpoint } },
    )
    const memory = transientMemory()
    const { context } = liveAgent(turnsOf(30), policy, { memory })
    const written = []
    for (let turn = 0; turn < 4; turn++) written.push((await context.afterResponse()).checkpoint !== null)
    expect(written).toEqual([true, false, false, false])
  })

  test('11: turns are counted anew after a compaction', async () => {
    const { context } = liveAgent(turnsOf(50), compacting)
    for (let turn = 0; turn < 3; turn++) await context.afterResponse()
    expect((await context.status()).turns).toBe(3)
    await context.beforeResponse([ASK])
    expect((await context.status()).turns).toBe(0)
  })

  test.each([
    [
      'OpenClaw’s',
      `{ agents: { defaults: { compaction: { memoryFlush: { prompt: "Tide notes to memory/YYYY-MM-DD.md, please.", systemPrompt: "Notes of YYYY-MM-DD first." } } } } }`,
      ['memory/2026-11-21.md, please.', 'Notes of 2026-11-21 first.'],
    ],
    [
      'GoClaw’s',
      `{ session: { memoryFlush: { enabled: true, thresholds: [
        { percent: 90, prompt: "Late words.", injectAs: "user" },
        { percent: 20, prompt: "Early words of YYYY-MM-DD.", injectAs: "system" } ] } } }`,
      ['Early words of 2026-11-21.'],
    ],
  ])('12: %s own flush prompts are the ones that the request holds', async (_whose, text, words) => {
    expect(readPolicy(parseSource(text, 'openclaw.json')).problems).toEqual([])
    const { lines, flush } = fromFile(text)
    // Below the second line of GoClaw's.
    const { context } = liveAgent(turnsOf(60), only({ flush: lines.flush }, { flush }), {
      window: 32_000,
    })
    const { flush: due } = await context.beforeResponse([ASK])
    const { system } = await context.request({ parts: PARTS, prompt: [ASK] })
    for (const each of words) expect(system.text).toContain(each)
    expect(due?.text).toMatch(/^\[Context: .*%\)\]\n\n/)
    expect(due?.text).not.toContain('Save what must not be lost')
  })

  test('12: a flush prompt that is due is in the request', async () => {
    const { context } = liveAgent(turnsOf(60), only({ flush: DEFAULT_POLICY.lines.flush }), {
      window: 32_000,
    })
    const { flush } = await context.beforeResponse([ASK])
    expect(flush).not.toBeNull()
    const { system } = await context.request({ parts: PARTS, prompt: [ASK] })
    expect(system.text).toContain(flush?.text ?? 'no prompt')
  })

  test('13: a poll interval of 0 stays 0', () => {
    expect(fromFile('{ "promptCache": { "pollInterval": 0 } }').promptCache.pollSeconds).toBe(0)
    expect(
      knobSchema(POLICY_KNOBS.members.promptCache).parse({ enabled: true, pollSeconds: 0 }).pollSeconds,
    ).toBe(0)
  })

  test('14: a summary covers what goes and nothing that stays, also when it is asked for again', async () => {
    const model = scriptedSummarizer('a/m', [
      { fault: 'http', again: true },
      soundSummary('Please do step 3 in src/step3.ts.'),
    ])
    const { context, held } = liveAgent(turnsOf(50), compacting, {
      chain: new SummaryChain([model], standingClock()),
    })
    await context.beforeResponse([ASK])
    const kept = held.messages.slice(1).map(contentText)
    expect(model.asked.length).toBeGreaterThan(1)
    expect(new Set(model.asked.slice(0, 2).map(({ prompt }) => prompt.user)).size).toBe(1)
    for (const { prompt } of model.asked)
      for (const text of kept.filter((each) => each.startsWith('result')))
        expect(prompt.user).not.toContain(text.slice(0, 12))
  })

  test('15: an old fact is still there after two compactions', async () => {
    const fact: ContentMessage = {
      role: 'user',
      content: 'Never touch port 48213 of harbour-gate.example.com.',
    }
    const { context, held } = liveAgent([fact, ...turnsOf(50)], compacting)
    for (let round = 0; round < 2; round++) {
      expect((await context.beforeResponse([ASK])).compaction?.kind).toBe('compacted')
      held.messages = [...held.messages, ...turnsOf(50, 200, `round${round}x`)]
    }
    expect(contentText(held.messages[0] ?? ASK)).toContain('Never touch port 48213')
  })

  test('16: without a watcher and without polls each request reads the workspace anew', async () => {
    let text = 'Moor at berth 9.'
    const promptCache = {
      snapshot: async () => ({
        files: [{ name: 'AGENTS.md', path: '/w/AGENTS.md', text }],
        daily: [],
        memory: '',
      }),
    }
    const context = new ContextManager<ContentMessage>({
      policy: DEFAULT_POLICY,
      window: 32_000,
      key: null,
      tokensOf: sizeOf,
      promptCache,
    })
    const first = await context.request({ parts: PARTS, prompt: [ASK] })
    text = 'Moor at berth 4.'
    const second = await context.request({ parts: PARTS, prompt: [ASK] })
    expect([first.system.text, second.system.text].map((each) => /berth \d/.exec(each)?.[0])).toEqual([
      'berth 9',
      'berth 4',
    ])
  })
})

describe('defects of VS7 that ours has not', () => {
  test('17, 18: the last five turns stay word for word, to the message, and the summary is made once and kept', async () => {
    const memory = transientMemory()
    const messages = turnsOf(120)
    const model = scriptedSummarizer('a/m', [soundSummary('Please do step 114 in src/step114.ts.')])
    const more = { window: 200_000, memory, chain: new SummaryChain([model], standingClock()) }
    const { context } = liveAgent(messages, VS7, more)
    expect((await context.beforeResponse([])).steps).toEqual(['roll'])
    const asked = model.asked.length
    const { messages: sent, history } = await context.request({ parts: PARTS, prompt: [] })
    expect(history.messages).toEqual(messages.slice(-20))
    expect(sent.slice(1).map(({ message }) => message)).toEqual(messages.slice(-19))
    expect((await context.beforeResponse([])).steps).toEqual([])
    const restarted = liveAgent(messages, VS7, more)
    expect((await restarted.context.beforeResponse([])).steps).toEqual([])
    expect(model.asked).toHaveLength(asked)
  })

  test('19: the cap of the summary is a cap of its length', async () => {
    const model = scriptedSummarizer('a/m', [
      soundSummary(`Please do step 114 in src/step114.ts. ${'and on '.repeat(600)}`),
    ])
    const memory = transientMemory()
    const { context } = liveAgent(turnsOf(120), VS7, {
      window: 200_000,
      memory,
      chain: new SummaryChain([model], standingClock()),
    })
    expect((await context.beforeResponse([])).warnings).toEqual([])
    for (const { maxTokens } of model.asked)
      expect(maxTokens).toBeLessThanOrEqual(VS7.summary.rolling.maxTokens)
    const state = await memory.load('agent:harbour:main')
    // What is kept is the model's own, as much of it as may be.
    expect(state?.rolling?.text).toContain('and on and on')
    expect(estimateUnits(state?.rolling?.text ?? '')).toBeLessThanOrEqual(VS7.summary.rolling.maxTokens)
    expect(estimateUnits(state?.rolling?.text ?? '')).toBeGreaterThan(VS7.summary.rolling.maxTokens * 0.5)
  })

  test('20: text of the workspace is counted once, with the files', async () => {
    const text = 'Moor at berth 9. '.repeat(400)
    const promptCache = {
      snapshot: async () => ({
        files: [{ name: 'AGENTS.md', path: '/w/AGENTS.md', text }],
        daily: [],
        memory: '',
      }),
    }
    const options = { policy: VS7, window: 200_000, key: null, tokensOf: sizeOf, promptCache }
    const context = new ContextManager<ContentMessage>({
      ...options,
      countText: (each) => Math.ceil(each.length / 4),
    })
    const { system, bootstrap, budget } = await context.request({ parts: PARTS, prompt: [ASK] })
    const files = Math.ceil(bootstrap.files.map((file) => file.text).join('\n').length / 4)
    const prompt = Math.ceil(system.text.length / 4) - files
    // 45 % of history, the reserve, and what the other two left unused.
    expect(budget?.formula).toBe(90_000 + 20_000 + (30_000 - prompt) + (20_000 - files))
  })

  test('21, 22: a limit that leaves nothing sends nothing old, and no result without its call', () => {
    const history = turnsOf(5)
    const options = { recentTurns: 5, tokensOf: sizeOf, promptSeparate: true }
    expect(limitTokens(history, { ...options, budget: 0 }).messages).toEqual([])
    for (let budget = 0; budget <= sum(history); budget += 97) {
      const { messages } = limitTokens(history, { ...options, budget })
      expect(findUnpaired(messages).orphans).toEqual([])
      expect(sum(messages)).toBeLessThanOrEqual(budget)
    }
  })

  test('23: what a partial configuration does not say keeps its default', () => {
    const policy = fromFile('{ "agents": { "defaults": { "contextManagement": { "enabled": true } } } }')
    expect(policy.budget).toEqual({ ...DEFAULT_POLICY.budget, enabled: true })
    expect(knobSchema(POLICY_KNOBS).safeParse(policy).success).toBe(true)
  })
})
