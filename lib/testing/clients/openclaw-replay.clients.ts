import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type NextCall,
  ourPlan,
  type ReplayHistory,
  type ReplayMessage,
  range,
  replayHistories,
  type SentPlan,
} from '../builders/replay-histories'
import { installClient } from './install'
import { OPENCLAW_DATABASE } from './openclaw-home'

type HostPlan = {
  readonly messages: readonly ReplayMessage[]
  readonly compaction?: unknown
  readonly compactedWindow?: readonly unknown[]
}
type Model = Omit<NextCall, 'model' | 'sessionId' | 'authProfileId'> & { readonly id: string }
type Options = { readonly sessionId?: string; readonly authProfileId?: string; readonly enabled?: boolean }
type Planner = (messages: readonly ReplayMessage[], model: Model, options: Options) => HostPlan

let planResponses: Planner
let planAnthropic: Planner
let folder: string

/** The client exports neither planner; its modules are run as they are, with the planners exported too. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-replay-'))
  const installed = installClient(OPENCLAW_DATABASE.name, OPENCLAW_DATABASE.version)
  const dist = join(installed, '..', '@openclaw', 'ai', 'dist')
  planResponses = await plannerIn(
    dist,
    'openai-responses-compaction-replay',
    'buildOpenAIResponsesCompactionReplayPlan',
  )
  planAnthropic = await plannerIn(dist, 'anthropic-compaction-replay', 'buildAnthropicReplayPlan')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function plannerIn(dist: string, region: string, name: string): Promise<Planner> {
  const mark = `//#region packages/ai/src/transports/${region}.ts`
  const file = readdirSync(dist).find(
    (one) => one.endsWith('.mjs') && readFileSync(join(dist, one), 'utf8').includes(mark),
  )
  if (file === undefined) throw new Error(`No module of the client holds ${region}.`)
  const text = readFileSync(join(dist, file), 'utf8').replaceAll(
    /(from|import) "(\.\/[^"]+)"/g,
    (_, word: string, from: string) => `${word} "${pathToFileURL(join(dist, from)).href}"`,
  )
  const module = join(folder, `${region}.mjs`)
  writeFileSync(module, `${text}\nexport { ${name} as planner }\n`)
  return (await import(pathToFileURL(module).href)).planner
}

function theirPlan({ messages, call }: ReplayHistory): SentPlan {
  const { provider, api, model: id, baseUrl, sessionId, authProfileId } = call
  const options = {
    ...(sessionId !== null && { sessionId }),
    ...(authProfileId !== null && { authProfileId }),
    enabled: true,
  }
  const planner = api === 'anthropic-messages' ? planAnthropic : planResponses
  let plan: HostPlan
  try {
    plan = planner(messages, { provider, api, id, baseUrl }, options)
  } catch (error) {
    if (error instanceof Error && error.name === 'CompactionReplayRefreshRequiredError')
      return { kind: 'refused' }
    throw error
  }
  const { compaction, compactedWindow } = plan
  if (compaction === undefined && compactedWindow === undefined) {
    expect(plan.messages).toBe(messages)
    return { kind: 'full' }
  }
  const owner = messages.length - plan.messages.length
  const [first, ...later] = plan.messages
  expect(later.every((message, i) => message === messages[owner + 1 + i])).toBe(true)
  return {
    kind: compactedWindow === undefined ? 'prefix' : 'window',
    owner,
    covers: (messages[owner]?.content.length ?? 0) - (first?.content.length ?? 0),
    window: compactedWindow === undefined ? 0 : compactedWindow.length - 1,
    later: range(owner + 1, messages.length),
  }
}

/** Where the cases are kept that `npm test` holds ours against. */
const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'replay-plans.json')
const KEPT = 20

describe(`B4 what is sent with checkpoints is what OpenClaw ${OPENCLAW_DATABASE.version} plans`, () => {
  it('5,000 random histories', () => {
    const kinds = new Map<string, number>()
    fc.assert(
      fc.property(replayHistories, (history) => {
        const plan = theirPlan(history)
        kinds.set(plan.kind, (kinds.get(plan.kind) ?? 0) + 1)
        expect(ourPlan(history)).toEqual(plan)
      }),
      { numRuns: 5000 },
    )
    for (const kind of ['full', 'refused', 'prefix', 'window'])
      expect(kinds.get(kind), kind).toBeGreaterThan(100)
  })

  it('the recorded cases are what it plans', () => {
    // PLIMSOLL_RECORD=1 writes them anew.
    if (process.env.PLIMSOLL_RECORD === '1')
      writeFileSync(FIXTURES, `${JSON.stringify(recorded(), null, 1)}\n`)
    const cases: (ReplayHistory & { plan: SentPlan })[] = JSON.parse(readFileSync(FIXTURES, 'utf8'))
    expect(cases).toHaveLength(KEPT)
    for (const { plan, ...history } of cases) expect(theirPlan(history)).toEqual(plan)
  })
})

/** As many of each kind; of full histories those in which the newest record alone keeps an older one from being sent. */
function recorded() {
  const kept = new Map<string, (ReplayHistory & { plan: SentPlan })[]>()
  for (const history of fc.sample(replayHistories, { numRuns: 20_000, seed: 20 })) {
    const plan = theirPlan(history)
    const kind = plan.kind === 'full' ? hiddenBy(history) : plan.kind
    const same = kept.get(kind ?? '') ?? []
    if (kind !== null && same.length < KEPT / 5) kept.set(kind, [...same, { ...history, plan }])
  }
  return [...kept.values()].flat()
}

/** `refusal` or `other`, whichever is newest and decides; null where without it the full history would be sent too. */
function hiddenBy({ messages, call }: ReplayHistory): string | null {
  const at = messages.findLastIndex(({ role, providerReplay }) => role === 'assistant' && providerReplay)
  const record = messages[at]?.providerReplay
  if (typeof record !== 'object' || record === null) return null
  const without = messages.map((message, i) =>
    i === at ? { ...message, providerReplay: undefined } : message,
  )
  if (theirPlan({ messages: without, call }).kind === 'full') return null
  return 'type' in record && String(record.type).endsWith('suppression') ? 'refusal' : 'other'
}
