import type { SessionScript } from './session-script'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const CLAUDE = {
  provider: 'anthropic',
  api: 'anthropic-messages',
  model: 'claude-sonnet-4-5',
  window: 200_000,
}
const GPT = { provider: 'openai', api: 'openai-responses', model: 'gpt-5.1', window: 272_000 }
const LOCAL = { provider: 'ollama', api: 'openai-completions', model: 'qwen3:14b', window: 64_000 }

export type AgentSession = Omit<SessionScript, 'cwd' | 'compactAt' | 'fixedTokens' | 'startedAt'> & {
  readonly agent: string
  readonly key: string
  readonly channel?: string
  readonly chatType?: 'direct' | 'group'
  /** How long before now the session was last touched, in milliseconds. */
  readonly age: number
  /** Archived transcripts are beside the live ones and are in no index. */
  readonly archived?: 'reset' | 'deleted'
}

/** The agents of a small harbour, each with its kind of sessions. */
export const AGENT_SESSIONS: readonly AgentSession[] = [
  {
    ...CLAUDE,
    agent: 'harbour',
    key: 'agent:harbour:main',
    title: 'Berth plan',
    calls: 190,
    resultChars: 9_000,
    pauseMs: 14 * MINUTE,
    age: 3 * MINUTE,
    oddities: ['silent-reply', 'delivery-mirror'],
  },
  {
    ...CLAUDE,
    agent: 'harbour',
    key: 'agent:harbour:telegram:direct:pilot',
    channel: 'telegram',
    chatType: 'direct',
    title: 'Pilots on Telegram',
    calls: 900,
    stopAtFill: 0.955,
    resultChars: 7_500,
    pauseMs: 21 * MINUTE,
    age: 11 * MINUTE,
    oddities: ['picture'],
  },
  {
    ...CLAUDE,
    agent: 'harbour',
    key: 'agent:harbour:discord:group:dockside',
    channel: 'discord',
    chatType: 'group',
    title: 'Dockside',
    calls: 34,
    resultChars: 2_400,
    pauseMs: 3 * HOUR,
    age: 5 * HOUR,
    oddities: ['aborted-call', 'delivery-mirror'],
  },
  {
    ...CLAUDE,
    agent: 'harbour',
    key: 'agent:harbour:main',
    title: 'Berth plan, before the reset',
    calls: 60,
    resultChars: 4_000,
    pauseMs: 30 * MINUTE,
    age: 9 * 24 * HOUR,
    archived: 'reset',
    oddities: [],
  },
  {
    ...GPT,
    agent: 'ledger',
    key: 'agent:ledger:main',
    title: 'Invoices of November',
    calls: 120,
    resultChars: 5_500,
    pauseMs: 40 * MINUTE,
    age: 26 * MINUTE,
    oddities: ['failed-call', 'orphan-result'],
  },
  {
    ...GPT,
    agent: 'ledger',
    key: 'agent:ledger:cron:nightly',
    title: 'Nightly closing',
    calls: 18,
    resultChars: 3_000,
    pauseMs: 2 * MINUTE,
    age: 14 * HOUR,
    oddities: ['unknown-entry'],
  },
  {
    ...LOCAL,
    agent: 'watch',
    key: 'agent:watch:main',
    title: 'Night watch',
    calls: 140,
    resultChars: 3_200,
    pauseMs: 9 * MINUTE,
    age: 47 * MINUTE,
    oddities: ['unreadable-line', 'orphan-result', 'failed-call'],
  },
  {
    ...LOCAL,
    agent: 'watch',
    key: 'agent:watch:signal:direct:keeper',
    channel: 'signal',
    chatType: 'direct',
    title: 'Keeper',
    calls: 40,
    resultChars: 1_800,
    pauseMs: 45 * MINUTE,
    age: 2 * 24 * HOUR,
    oddities: ['no-usage'],
  },
  {
    ...LOCAL,
    agent: 'watch',
    key: 'agent:watch:main',
    title: 'Fog of last week',
    calls: 22,
    resultChars: 2_000,
    pauseMs: 5 * MINUTE,
    age: 8 * 24 * HOUR,
    archived: 'deleted',
    oddities: ['aborted-call'],
  },
]

export type PiSession = Omit<SessionScript, 'compactAt' | 'fixedTokens' | 'startedAt'> & {
  readonly age: number
}

/** A programmer's sessions in two projects. */
export const PI_SESSIONS: readonly PiSession[] = [
  {
    ...CLAUDE,
    cwd: '/home/sam/tide-charts',
    title: 'Chart viewer on old tablets',
    calls: 150,
    resultChars: 6_000,
    pauseMs: 6 * MINUTE,
    age: 90 * MINUTE,
    oddities: ['branch'],
  },
  {
    ...CLAUDE,
    cwd: '/home/sam/tide-charts',
    title: 'Clearance tests',
    calls: 45,
    resultChars: 4_000,
    pauseMs: 4 * MINUTE,
    age: 27 * HOUR,
    oddities: ['model-switch', 'aborted-call'],
  },
  {
    ...GPT,
    cwd: '/home/sam/buoy-firmware',
    title: 'Watchdog',
    calls: 12,
    resultChars: 2_500,
    pauseMs: 3 * MINUTE,
    age: 3 * 24 * HOUR,
    oddities: [],
  },
]
