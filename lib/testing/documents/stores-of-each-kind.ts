import { delimiter, join } from 'node:path'
import { taskFolder } from '../../adapters/memory/task-folder'
import { coldLine } from '../../core/cold/record'
import { changeTasks } from '../../core/memory/change-tasks'
import { NO_TASKS } from '../../core/memory/task'
import { AgentDatabaseBuilder } from '../builders/agent-database'
import { TranscriptBuilder } from '../builders/transcript'
import { storeFixture, writeFiles } from '../store-folder'

const DAY = 86_400_000
const WORDS = 'the crane at berth four lifts nothing before the tide turns and the log says why '

/** What a command is run with, so that it reads the stores of `writeStoresOfEachKind` and its settings. */
export function environmentOfKinds(folder: string): Record<string, string> {
  return {
    PLIMSOLL_CONFIG: join(folder, 'plimsoll.yaml'),
    PLIMSOLL_STORES: ['files', 'database', 'pi'].map((name) => join(folder, name)).join(delimiter),
  }
}

/** Writes a small store of each kind below a folder, and what agents keep beside them. Answers the roots by name. */
export async function writeStoresOfEachKind(folder: string) {
  const roots = {
    files: join(folder, 'files'),
    database: join(folder, 'database'),
    pi: join(folder, 'pi'),
    others: join(folder, 'others'),
  }
  writeFiles(folder, {
    'plimsoll.yaml': SETTINGS(folder),
    'ws/AGENTS.md': '# Harbour\nAnswer briefly.\n',
    // A file that is missing is named in a prompt with its path, whose length differs.
    ...Object.fromEntries(
      ['SOUL', 'TOOLS', 'IDENTITY', 'USER', 'HEARTBEAT'].map((name) => [`ws/${name}.md`, `# ${name}\n`]),
    ),
    'ws/memory/2026-11-20.md': 'The crane controller logs to /var/log/crane.log.\n',
    // No process listens on port 1.
    'files/openclaw.json': JSON.stringify({ gateway: { port: 1 }, meta: { lastTouchedVersion: '2026.7.1' } }),
    'files/agents/main/sessions/sessions.json': JSON.stringify(index(), null, 2),
    'files/agents/main/sessions/busy.jsonl': busySession('busy'),
    'files/agents/main/sessions/hurt.jsonl': hurtSession('hurt'),
    'files/agents/main/sessions/small.jsonl': smallSession('small', '2026-10-26'),
    'files/agents/main/sessions/small.jsonl.reset.2026-11-20T11-00-00.000Z': smallSession(
      'small',
      '2026-10-25',
    ),
    'files/agents/main/sessions/old.jsonl': smallSession('old', '2026-10-07'),
    'database/openclaw.json': JSON.stringify({ gateway: { port: 1 } }),
    'pi/2026-11-01T08-00-00-000Z_version-1.jsonl': storeFixture('pi-version-1.jsonl'),
    'pi/2026-11-01T08-00-00-000Z_busy-pi.jsonl': busySession('busy-pi', '2026-10-31'),
    ...contextLogs('kept/logs'),
    ...coldChunks('kept/cold/busy'),
    'others/claude-code.jsonl': jsonLines(CLAUDE_CODE),
    'others/rollout-2026-11-22T16-38-12-codex.jsonl': jsonLines(CODEX),
  })
  const database = new AgentDatabaseBuilder(
    join(roots.database, 'agents', 'main', 'agent', 'openclaw-agent.sqlite'),
  )
  const packed = {
    zstd: storeFixture('row-2026.9.6.json.zst'),
    bytes: storeFixture('row-2026.9.6.json').length,
  }
  const entry = JSON.parse(storeFixture('entry-2026.9.6.json').toString())
  database
    .session({
      id: entry.sessionId,
      key: 'agent:main:main',
      rows: [...lines(busySession('kept', '2026-10-30')), packed],
      entry,
    })
    .session({
      id: 'headless',
      key: 'agent:main:headless',
      rows: lines(smallSession('x', '2026-10-24')).slice(1),
      entry: { sessionId: 'headless' },
    })
    .close()
  await keepTasks(join(folder, 'state', 'memory'))
  return roots
}

const SETTINGS = (folder: string) =>
  `workspaces: [ws]\npolicy: { coldStorage: { path: ${folder}/kept/cold }, logs: { path: ${folder}/kept/logs } }\n`

/** Calls, results, thinking, an image, a failed turn, a branch, a compaction, and lines that are no messages. */
export function busySession(id: string, day = '2026-11-01'): string {
  const t = new TranscriptBuilder({ id })
  t.entry('model_change', { provider: 'anthropic', modelId: 'claude-sonnet-4-5' })
  t.entry('thinking_level_change', { thinkingLevel: 'high' })
  turns(t, 1, 4)
  const kept = t.user('Turn 5: what about berth 5?')
  t.assistant('Berth 5 is free.', { usage: { input: 9_000, output: 40, cacheRead: 1_000, cost: 0.02 } })
  t.compaction('Four turns about berths 1 to 4. See log/1.md and berth-plan.csv.', kept, {
    tokensBefore: 9_040,
  })
  turns(t, 6, 14)
  t.assistant('', { stop: 'error', fields: { errorMessage: 'overloaded' } })
  const fork = t.user('Is this picture of the quay right?', {
    message: {
      role: 'user',
      content: [
        { type: 'text', text: 'Is this picture of the quay right?' },
        { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      ],
    },
  })
  t.assistant('No.', { usage: { input: 40_000, output: 4 } })
  t.entry('branch_summary', { parentId: fork, fromId: fork, summary: 'Another picture was looked at.' })
  t.entry('custom_message', { customType: 'notice', content: 'The tide turns at six.', display: true })
  t.entry('custom', { customType: 'state', data: { tide: 6 } })
  t.entry('session_info', { name: 'Berth plan' })
  t.message({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'The tide comes first.', thinkingSignature: 'c2ln' },
      { type: 'text', text: 'At six, then.' },
    ],
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    stopReason: 'stop',
    usage: { input: 2_000, output: 60, cacheRead: 40_000, cacheWrite: 500, cost: { total: 0.05 } },
  })
  t.user('And tomorrow? The key is sk-ant-api03-AAAABBBBCCCCDDDD1234.')
  return onDay(t, day)
}

function turns(t: TranscriptBuilder, first: number, last: number): void {
  for (let turn = first; turn <= last; turn += 1) {
    t.user(`Turn ${turn}: what about berth ${turn}?`)
    t.assistant('I look.', { calls: [`c${turn}`], usage: { input: 1_200 * turn, output: 30, cost: 0.01 } })
    t.result(`c${turn}`, `log/${turn}.md: ${WORDS.repeat(turn > 5 ? 130 : 15)}`)
    t.assistant(`Berth ${turn} is taken.`, { usage: { input: 1_300 * turn, output: 20, cacheRead: 500 } })
  }
}

/** A call without its result, a result without its call, a broken line, an id twice, a parent that is missing, a torn end. */
export function hurtSession(id: string): string {
  const t = new TranscriptBuilder({ id })
  t.user('list')
  t.assistant('', { calls: ['a'] })
  t.user('well?')
  t.raw('{"type":"mess')
  t.result('gone', 'a result of nothing')
  t.assistant('here', { over: { id: 'e1' } })
  t.user('and?', { parentId: 'nowhere' })
  t.assistant('done', { usage: { input: 500, output: 5 } })
  return `${t.text()}{"type":"message","id":"torn`
}

function smallSession(id: string, day: string): string {
  const t = new TranscriptBuilder({ id })
  t.user('Good morning.')
  t.assistant('Good morning.', { usage: { input: 8_000, output: 6, cost: 0.02 }, model: 'gpt-5.2' })
  return onDay(t, day)
}

/** Sessions of the same time come in an order that differs. */
function onDay(transcript: TranscriptBuilder, day: string): string {
  return transcript.text().replaceAll('2026-11-01T', `${day}T`)
}

function index() {
  const [written] = Object.values(JSON.parse(storeFixture('sessions-2026.7.1.json').toString())) as object[]
  const at = Date.parse('2026-11-21T11:00:00Z')
  const some = (sessionId: string, days: number) => ({ sessionId, updatedAt: at - days * DAY })
  return {
    'agent:main:main': { ...written, ...some('busy', 0), sessionFile: undefined },
    'agent:main:telegram:direct:hurt': { ...some('hurt', 1), compactionCount: 1, totalTokens: 505 },
    'agent:main:small': some('small', 2),
    'agent:main:old': some('old', 45),
  }
}

/** One line of each kind, and one that is broken. */
function contextLogs(folder: string): Record<string, string> {
  const some = { timestamp: '2026-11-20T09:00:00.000Z', session_id: 'busy' }
  const drop = { ...some, event: 'chunk_dropped', reason: 'low_relevance', threshold_used: 0.3, tokens: 300 }
  const files = {
    'drops.jsonl': [
      { ...drop, chunk_id: 'e4', relevance_score: 0.12 },
      { ...drop, chunk_id: 'e8', relevance_score: 0.27 },
    ],
    'curation.jsonl': [{ ...some, query: 'berth', hits_found: 3, token_savings: 600, drops_triggered: 2 }],
    'compaction.jsonl': [{ ...some, trigger: 'token_threshold', tokens_before: 9_040, tokens_after: 2_000 }],
    'context-health.jsonl': [{ ...some, current_tokens: 9_000, limit: 200_000, pct_used: 0.045 }],
    'recovery.jsonl': [{ ...some, chunk_id: 'e8', trigger: 'manual', tokens: 300, destination: 'context' }],
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, records]) => [
      `${folder}/${name}`,
      `${name === 'drops.jsonl' ? '{broken\n' : ''}${jsonLines(records)}`,
    ]),
  )
}

function coldChunks(folder: string): Record<string, string> {
  const at = Date.parse('2026-11-20T09:00:00.000Z')
  const chunk = (chunkId: string, score: number, until: number) => ({
    [`${folder}/${chunkId}.jsonl`]: `${coldLine({
      chunkId,
      sessionId: 'busy',
      at,
      until,
      content: `About the crane at berth ${chunkId}.`,
      tokens: 300,
      reason: 'low_relevance',
      score,
      prompt: 'Which berth is free?',
      place: null,
    })}\n`,
  })
  return { ...chunk('e4', 0.12, at + 30 * DAY), ...chunk('e8', 0.27, at + DAY) }
}

async function keepTasks(memory: string): Promise<void> {
  let tree = NO_TASKS
  for (const [id, dependencies] of [
    ['w', []],
    ['x', ['w', 'gone']],
  ] as const) {
    const task = { id, title: `Task ${id}`, dependencies: [...dependencies] }
    const done = changeTasks(tree, { kind: 'add', task }, 1_000)
    if (done.ok) tree = done.tree
  }
  await taskFolder(memory).save('agent:main:main', { tree, marks: {}, recalled: {} })
}

const lines = (text: string) => text.trimEnd().split('\n')
const jsonLines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

const CLAUDE = { cwd: '/w', sessionId: 'c1', version: '2.1.197', timestamp: '2026-11-20T10:00:00.000Z' }
const CLAUDE_CODE = [
  { type: 'summary', summary: 'Berths', leafUuid: 'u2' },
  {
    ...CLAUDE,
    type: 'user',
    uuid: 'u1',
    parentUuid: null,
    message: { role: 'user', content: 'List the berths.' },
  },
  {
    ...CLAUDE,
    type: 'assistant',
    uuid: 'u2',
    parentUuid: 'u1',
    message: {
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }],
      usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 4_000 },
    },
  },
  {
    ...CLAUDE,
    type: 'user',
    uuid: 'u3',
    parentUuid: 'u2',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'four' }] },
  },
]

const AT = '2026-11-22T16:38:12.000Z'
const CODEX = [
  { timestamp: AT, type: 'session_meta', payload: { id: 'x1', cwd: '/w', cli_version: '0.169.0' } },
  {
    timestamp: AT,
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the berths.' }] },
  },
  {
    timestamp: AT,
    type: 'event_msg',
    payload: { type: 'token_count', info: { last_token_usage: { input_tokens: 4_000, output_tokens: 9 } } },
  },
]
