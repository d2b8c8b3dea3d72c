import { CONTENT_FORM } from '../../agent/content-form'
import { ContextManager } from '../../agent/context-manager'
import type { ContentMessage } from '../../core/history/thinking'
import type { Policy, PolicyPatch } from '../../core/policy/policy'
import { PromptCache } from '../../engine/workspace/prompt-cache'
import type { WorkspaceSnapshot } from '../../engine/workspace/workspace'
import { sizeOf, turnsOf } from '../live-conversation'
import { MemoryWorkspace } from '../memory-workspace'
import { type Effect, effects } from './effect'

const DIVIDED: PolicyPatch = { budget: { enabled: true } }

const file = (name: string, chars: number) => ({
  name,
  path: `/w/${name}`,
  text: `${name} ${'berth '.repeat(chars / 6)}`,
})
const SNAPSHOT: WorkspaceSnapshot = {
  files: [file('AGENTS.md', 6_000), file('SOUL.md', 6_000), file('MEMORY.md', 600)],
  daily: [file('memory/2026-11-21.md', 60)],
  memory: '',
}

type Asked = {
  readonly key?: string
  readonly window?: number
  readonly subagent?: boolean
  readonly history?: readonly ContentMessage[]
}

/** One request of an agent with a workspace and a memory to recall from. */
async function request(policy: Policy, asked: Asked = {}) {
  const { key = null, window = 20_000, subagent = false, history = turnsOf(40) } = asked
  const hits = [0.95, 0.8, 0.65, 0.4].map((score, i) => ({
    source: `memory/${i}.md`,
    text: `Crane ${i} stands at pier ${i}. ${'gull '.repeat(40)}`,
    score,
  }))
  const search = {
    refresh: async () => ({ problems: [], notes: 0 }),
    search: (_prompt: string, limit: number) => hits.slice(0, limit),
  }
  const context = new ContextManager<ContentMessage>({
    ...{ policy, window, key, subagent },
    tokensOf: sizeOf,
    promptCache: { snapshot: async () => SNAPSHOT },
    recall: { search: search as never },
    agent: {
      session: 's',
      form: CONTENT_FORM,
      clock: { now: () => 0 },
      getContext: () => history,
      setContext: () => undefined,
    },
  })
  return context.request({
    parts: { identity: 'You help.' },
    prompt: [{ role: 'user', content: 'Which crane?' }],
  })
}

const budget = async (policy: Policy) => (await request(policy)).budget
const sent = (asked: Asked) => async (policy: Policy) =>
  (await request(policy, asked)).history.messages.length
const files = (subagent: boolean) => async (policy: Policy) =>
  (await request(policy, { subagent })).bootstrap.files.map(({ name, text }) => [
    name,
    text.length,
    text.slice(-300),
  ])
const recalled = async (policy: Policy) => (await request(policy, { window: 32_000 })).recalled?.text ?? null

const THOUGHT: ContentMessage[] = [
  { role: 'user', content: 'Go on.' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Done.' },
    ],
  },
]
const thinking = async (policy: Policy) => (await request(policy, { history: THOUGHT })).messages

/** How a prompt cache works after two requests: readings, and the polls that it set up, in milliseconds. */
async function caching(policy: Policy) {
  const workspace = new MemoryWorkspace()
  const polls: number[] = []
  const timer = {
    every: (ms: number) => {
      polls.push(ms)
      return () => undefined
    },
  }
  const cache = new PromptCache({ workspace, clock: { now: () => 0 }, timer, policy: policy.promptCache })
  await cache.snapshot()
  await cache.snapshot()
  cache.close()
  return { reads: workspace.reads, polls }
}

const DIRECT = 'agent:main:telegram:direct:pilot'

export const REQUEST_EFFECTS: readonly Effect[] = [
  ...effects(budget, {}, { 'budget.enabled': [true, false] }),
  ...effects(budget, DIVIDED, {
    'budget.responseRatio': [0.25, 0.3],
    'budget.minResponseTokens': [0, 8_000],
    'budget.reallocate': [true, false],
    'budget.reserveForHistory': [true, false],
  }),
  // Otherwise what one region loses the reserve takes, and gives to history again.
  ...effects(
    budget,
    { budget: { enabled: true, reserveForHistory: false } },
    {
      'budget.systemPromptRatio': [0.15, 0.05],
      'budget.historyRatio': [0.45, 0.3],
    },
  ),
  ...effects(async (policy) => (await request(policy)).bootstrap.caps, DIVIDED, {
    'budget.bootstrapRatio': [0.1, 0.05],
  }),
  ...effects(sent({}), {}, { 'history.maxTurns': [1, 3] }),
  ...effects(sent({ history: turnsOf(5) }), { history: { maxTurns: 2 } }, { 'history.trimAbove': [1, 4] }),
  ...effects(
    sent({ key: DIRECT }),
    {},
    {
      'history.channels.telegram.dmTurns': [1, 3],
      'history.channels.telegram.users.pilot': [1, 3],
    },
  ),
  ...effects(
    sent({ key: 'agent:main:telegram:group:crew' }),
    {},
    {
      'history.channels.telegram.groupTurns': [1, 3],
    },
  ),
  ...effects(thinking, {}, { 'history.sendThinking': [true, false] }),
  ...effects(
    files(false),
    {},
    {
      'bootstrap.files': [['AGENTS.md'], ['SOUL.md', 'AGENTS.md']],
      'bootstrap.maxCharsPerFile': [20_000, 3_000],
      'bootstrap.maxCharsTotal': [20_000, 7_000],
      'bootstrap.dailyNotes': [true, false],
    },
  ),
  ...effects(
    files(false),
    { bootstrap: { maxCharsPerFile: 3_000 } },
    {
      'bootstrap.headShare': [0.7, 0.3],
      'bootstrap.tailShare': [0.2, 0.1],
    },
  ),
  ...effects(files(true), {}, { 'bootstrap.subagentFiles': [['AGENTS.md'], ['SOUL.md']] }),
  ...effects(recalled, {}, { 'semantic.enabled': [true, false] }),
  ...effects(
    recalled,
    { semantic: { enabled: true } },
    {
      'semantic.memorySearch': [true, false],
      'semantic.maxChunks': [1, 3],
      'semantic.minScore': [0.6, 0.9],
      'semantic.budgetShare': [0.3, 0.05],
    },
  ),
  ...effects(caching, {}, { 'promptCache.enabled': [true, false], 'promptCache.pollSeconds': [0, 30] }),
]
