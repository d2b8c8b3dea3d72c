import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSummaryChain } from '../../adapters/summarizers/open-summary-chain'
import { condenseChunks } from '../../agent/condense-messages'
import { CHECKPOINT_START, checkCheckpoint } from '../../core/memory/checkpoint'
import type { Policy, PolicyPatch } from '../../core/policy/policy'
import { PRESETS } from '../../core/policy/presets'
import { estimateUnits } from '../../core/tokens/estimate'
import { SummaryChain } from '../../engine/summary/summary-chain'
import { writeSummary } from '../../engine/summary/write-summary'
import { summaryMaterial } from '../builders/summary-material'
import { TranscriptBuilder } from '../builders/transcript'
import { said } from '../cold-conversation'
import { liveAgent, sizeOf, turnsOf } from '../live-conversation'
import { runCli } from '../run-cli'
import { scriptedSummarizer, soundSummary, standingClock } from '../scripted-summarizer'
import { type Effect, effects } from './effect'

const REQUEST = { prompt: { system: 'S', user: 'U' }, maxTokens: 50 }
const MINUTE = 60_000

/** A summary by a model that forgets what it was given, and how often it was asked. */
async function written(policy: Policy) {
  const model = scriptedSummarizer('a/m', [soundSummary('build the harbour')])
  const source = { entryId: 'e', line: 1, role: 'user' as const, calls: [], images: 0 }
  const parts = [
    [{ ...source, text: 'Please read /var/log/harbour/crane-77120934.log and build the harbour.' }],
  ]
  const done = await writeSummary(summaryMaterial(parts), {
    ...{
      policy,
      focus: null,
      sizeOf: estimateUnits,
      mask: (text: string) => text,
      isSecret: () => false,
      maxTokens: 500,
    },
    chain: new SummaryChain([model], standingClock()),
  })
  return [done.kind === 'written' && done.summary.source, model.asked.length]
}

/** A request to a model that fails for a while: how often it was asked, and with which limit. */
async function asked(policy: Policy) {
  const model = scriptedSummarizer('a/m', [{ fault: 'http', again: true }])
  await new SummaryChain([model], standingClock()).ask(REQUEST, policy)
  return [model.asked.length, model.asked[0]?.timeoutMs]
}

/** Five requests, ten minutes apart, to a model that is broken. */
async function rested(policy: Policy) {
  const model = scriptedSummarizer('a/m', [{ fault: 'http', again: false }])
  const time = standingClock()
  const chain = new SummaryChain([model], time)
  for (let i = 0; i < 5; i++) {
    await chain.ask(REQUEST, policy)
    time.advance(10 * MINUTE)
  }
  return model.asked.length
}

/** Which addresses are asked for a summary, in their order. */
async function addresses(policy: Policy) {
  const { fetch } = globalThis
  const seen: string[] = []
  globalThis.fetch = async (url, options) => {
    seen.push(`${url} ${JSON.parse(String(options?.body)).model}`)
    return new Response('{}', { status: 400 })
  }
  try {
    await openSummaryChain(policy, () => 'a-key', 'anthropic/claude-sonnet-4-5')?.ask(REQUEST, policy)
  } finally {
    globalThis.fetch = fetch
  }
  return seen
}

/** What the agent's ladder did before a request. */
const steps = (turns: number, window: number) => async (policy: Policy) =>
  (await liveAgent(turnsOf(turns), policy, { window }).context.beforeResponse()).steps

async function summaryTokens(policy: Policy) {
  const done = await liveAgent(turnsOf(60), policy, { window: 40_000 }).context.compact()
  return done.kind === 'compacted' && done.plan.summary.tokens
}

const chunk = {
  id: 'c',
  text: `The crane stands at pier seven. ${'It was moved there by night. '.repeat(200)}`,
  locator: '',
}
const condensed = async (policy: Policy) =>
  (await condenseChunks([chunk], { policy, chain: null, sizeOf: estimateUnits, mask: (text) => text })).chunks

const NOW = Date.parse('2026-11-21T10:00:00Z')

/** Old calls with long results, in a window that they fill to so much: what is done before four requests of one turn. */
const sliding = (share: number) => async (policy: Policy) => {
  const messages = [
    said('user', 'Look at every dock.', NOW - 30 * MINUTE),
    ...turnsOf(20, 300).map((message) => ({ ...message, timestamp: NOW - 10 * MINUTE })),
  ]
  const size = messages.reduce((sum, message) => sum + sizeOf(message), 0)
  const window = Math.round((size * policy.counting.safetyMargin) / share)
  const chain = new SummaryChain(
    [scriptedSummarizer('a/m', ['## Done\nAll.\n\n## Learned\nNothing.\n\n## Pending\nNothing.'])],
    standingClock(),
  )
  const { context } = liveAgent(messages, policy, { window, chain })
  const done: (readonly string[])[] = []
  for (let i = 0; i < 4; i++) done.push((await context.beforeResponse()).steps)
  return done
}

const checkpoint = (policy: Policy) =>
  checkCheckpoint(policy, { tokens: 12_000, window: 200_000, turns: 15 }, CHECKPOINT_START).due

/** A compaction whose model does not answer: whether its summary is asked for again later. */
async function pending(policy: Policy) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-effects-'))
  try {
    const store = join(folder, 'store')
    mkdirSync(store)
    const t = new TranscriptBuilder()
    for (let i = 0; i < 4; i++) t.user(`Turn ${i}`).length && t.assistant('Done. '.repeat(500))
    writeFileSync(join(store, 's.jsonl'), t.text())
    const file = join(folder, 'policy.json')
    writeFileSync(file, JSON.stringify({ policy }))
    const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state') }
    const stop = new AbortController().signal
    const { stderr } = await runCli(['compact', '--now', '--policy', file, '--store', store], {
      env,
      cwd: folder,
      stop,
    })
    return [stderr.includes('a digest has its place'), stderr.includes('--retry-pending')]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ROLLING: PolicyPatch = { budget: { enabled: true } }
const SLIDING: PolicyPatch = PRESETS.proactive
const DEAD: PolicyPatch = {
  compaction: { retries: 1, keepRecentTokens: 10 },
  summary: { model: 'ollama/none', url: 'http://127.0.0.1:9', rolling: { enabled: false } },
}

export const SUMMARIES: readonly Effect[] = [
  ...effects(
    written,
    {},
    {
      'compaction.identifierPolicy': ['strict', 'off'],
      'compaction.qualityRetries': [0, 3],
    },
  ),
  ...effects(asked, {}, { 'compaction.retries': [1, 3], 'compaction.timeoutMs': [10_000, 20_000] }),
  ...effects(rested, {}, { 'summary.failureThreshold': [1, 4] }),
  ...effects(rested, { summary: { failureThreshold: 1 } }, { 'summary.resetMs': [5 * MINUTE, 60 * MINUTE] }),
  ...effects(
    addresses,
    {},
    {
      'summary.model': ['ollama/qwen2.5:7b', 'openai/gpt-5.1'],
      'summary.fallbackToMain': [true, false],
    },
  ),
  ...effects(
    addresses,
    { summary: { model: 'ollama/qwen2.5:7b' } },
    {
      'summary.url': ['http://127.0.0.1:1', 'http://127.0.0.1:2'],
    },
  ),
  ...effects(pending, DEAD, { 'summary.retryMs': [0, MINUTE] }),
  ...effects(condensed, {}, { 'summary.targetTokens': [50, 500] }),
  ...effects(steps(30, 32_000), ROLLING, { 'summary.rolling.triggerTokens': [1_000, 1_000_000] }),
  ...effects(
    steps(30, 32_000),
    { ...ROLLING, summary: { rolling: { triggerTokens: 1_000_000 } } },
    {
      'summary.rolling.triggerShare': [0.05, 1],
    },
  ),
  ...effects(summaryTokens, {}, { 'summary.rolling.maxTokens': [100, 2_000] }),
  ...effects(sliding(0.75), SLIDING, { 'summary.sliding.enabled': [true, false] }),
  ...effects(sliding(0.5), SLIDING, { 'summary.sliding.everyIterations': [0, 2] }),
  ...effects(
    checkpoint,
    {},
    { 'summary.checkpoint.everyTurns': [15, 30], 'summary.checkpoint.minTokens': [10_000, 15_000] },
  ),
]
