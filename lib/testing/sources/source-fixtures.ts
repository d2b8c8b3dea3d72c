import { join } from 'node:path'
import type { StoreKind } from '../../engine/read/ports'
import { ClaudeCodeBuilder, CodexBuilder } from '../builders/foreign-lines'
import { OpenCodeBuilder } from '../builders/opencode-database'
import { temporaryFolder, writeFiles } from '../store-folder'

/** What all requests of a session used, as the fixture's own writer knows it. Tokens. */
type Used = {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** A session of a runtime whose transcripts are files of lines. */
type LineFixture = {
  readonly kind: StoreKind
  readonly era: 'jsonl'
  /** Where its file is, from the folder that is named. */
  readonly path: string
  /** Files beside it that the runtime writes. */
  readonly besides?: Readonly<Record<string, string>>
  readonly lines: readonly string[]
  readonly calls: number
  readonly used: Used
}

const TEXT = (text: string) => ({ type: 'text', text })

/** A turn with two calls at once and their results, a compaction, a sub-agent's line, a next turn. */
function claudeCode(): LineFixture {
  const lines = new ClaudeCodeBuilder()
  lines.user('Look at both: ä€🚢')
  lines.answer(
    'm1',
    { type: 'thinking', thinking: 'both', signature: 'x' },
    { input: 5, read: 900, write: 95 },
  )
  for (const id of ['t1', 't2'])
    lines.answer(
      'm1',
      { type: 'tool_use', id, name: 'Read', input: { path: id } },
      { input: 5, read: 900, write: 95, output: 80 },
    )
  lines.result('t1', 'one')
  lines.result('t2', 'two')
  lines.aside('file-history-snapshot', { messageId: 'x', snapshot: {} })
  lines.answer('s1', TEXT('Aside.'), { input: 40, output: 4 }, { isSidechain: true })
  lines.answer('m2', TEXT('Done.'), { input: 3, read: 1000, write: 120, output: 12 })
  lines.line('system', {
    subtype: 'compact_boundary',
    parentUuid: null,
    compactMetadata: { trigger: 'auto', preTokens: 1135 },
  })
  lines.user('This session is being continued …', { isCompactSummary: true })
  lines.user('And now?')
  lines.answer('m3', TEXT('Now.'), { input: 200, output: 6 })
  const used = { input: 248, output: 102, cacheRead: 1900, cacheWrite: 215 }
  return {
    kind: 'claude-code',
    era: 'jsonl',
    path: 'projects/-w/s1.jsonl',
    lines: lines.lines,
    calls: 3,
    used,
  }
}

/** A turn of Codex with a response on several lines. */
export function codexTurn(environment: string): CodexBuilder {
  const lines = new CodexBuilder()
  lines.user('# AGENTS.md instructions for /w', `<environment_context>${environment}</environment_context>`)
  lines.user('List the files')
  lines.item({ type: 'reasoning', summary: [], encrypted_content: 'gAAAA' })
  lines.calls('c1')
  lines.calls('c2')
  lines.count(5000, 4000, 60)
  lines.result('c1', 'a.txt')
  lines.result('c2', 'b.txt')
  lines.count(5000, 4000, 60, false)
  lines.says('Two files.')
  lines.count(5200, 5000, 12)
  return lines
}

function codex(): LineFixture {
  const lines = codexTurn('ä€🚢')
  lines.count(5300, 5200, 30)
  lines.line('compacted', {
    message: 'so far',
    replacement_history: [{ type: 'message', role: 'user', content: 'List' }],
  })
  lines.user('Go on')
  lines.says('On.')
  lines.count(900, 0, 5)
  const path = 'sessions/2026/11/01/rollout-2026-11-01T08-00-00-01a2041f-68c6-7880-973f-50452bec9acb.jsonl'
  const used = { input: 2200, output: 107, cacheRead: 14_200, cacheWrite: 0 }
  return { kind: 'codex', era: 'jsonl', path, lines: lines.lines, calls: 3, used }
}

/** The form of pi, which is OpenClaw's too. */
function piLines(): readonly string[] {
  const at = (n: number) => new Date(Date.UTC(2026, 10, 1, 8, 0, n)).toISOString()
  const entry = (n: number, fields: object) =>
    JSON.stringify({ id: `e${n}`, parentId: n === 1 ? null : `e${n - 1}`, timestamp: at(n), ...fields })
  const message = (n: number, role: string, fields: object) =>
    entry(n, { type: 'message', message: { role, ...fields } })
  const answer = (n: number, content: object[], input: number, output: number) =>
    message(n, 'assistant', {
      content,
      provider: 'anthropic',
      model: 'claude-opus-5-5',
      stopReason: 'stop',
      usage: { input, output, cacheRead: 100, cacheWrite: 10 },
    })
  return [
    JSON.stringify({ type: 'session', version: 3, id: 's1', timestamp: at(0), cwd: '/w' }),
    message(1, 'user', { content: 'Look: ä€🚢' }),
    answer(2, [TEXT('I look.'), { type: 'toolCall', id: 'c1', name: 'read', arguments: {} }], 900, 20),
    message(3, 'toolResult', { toolCallId: 'c1', toolName: 'read', content: [TEXT('one')] }),
    answer(4, [TEXT('Done.')], 950, 5),
    entry(5, { type: 'compaction', summary: 'What was said.', firstKeptEntryId: 'e4', tokensBefore: 955 }),
    message(6, 'user', { content: [TEXT('And now?')] }),
    answer(7, [TEXT('Now.')], 300, 7),
  ]
}

const PI_USED: Used = { input: 2150, output: 32, cacheRead: 300, cacheWrite: 30 }

function pi(): LineFixture {
  const path = '--w--/2026-11-01T08-00-00-000Z_s1.jsonl'
  return { kind: 'pi', era: 'jsonl', path, lines: piLines(), calls: 3, used: PI_USED }
}

function openClaw(): LineFixture {
  const besides = {
    'agents/main/sessions/sessions.json': '{"agent:main:main":{"sessionId":"s1","updatedAt":1}}',
  }
  const path = 'agents/main/sessions/s1.jsonl'
  return { kind: 'openclaw', era: 'jsonl', path, besides, lines: piLines(), calls: 3, used: PI_USED }
}

/** A session of each runtime whose transcripts are files. A new runtime is a row. */
export const LINE_FIXTURES: readonly LineFixture[] = [claudeCode(), codex(), pi(), openClaw()]

/** The store of a fixture, on disk. @param text in place of its lines */
export function storeOnDisk(
  { path, besides, lines }: LineFixture,
  text: string | Uint8Array = textOf(lines),
): { readonly root: string; readonly file: string } {
  const root = temporaryFolder()
  writeFiles(root, { ...besides, [path]: text })
  return { root, file: join(root, path) }
}

export function textOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}

/** The same of OpenCode, whose sessions are rows. @param step called after each message */
export function openCodeFixture(step: (database: OpenCodeBuilder) => Promise<void> | void = () => {}) {
  const root = join(temporaryFolder(), 'opencode')
  const database = new OpenCodeBuilder(join(root, 'opencode.db')).session('s1')
  const ran = (id: string) => ({
    type: 'tool',
    tool: 'bash',
    callID: id,
    state: {
      status: 'completed',
      input: {},
      output: id,
      title: '',
      metadata: {},
      time: { start: 1, end: 2 },
    },
  })
  const messages = [
    () => database.user('Look: ä€🚢'),
    () =>
      database.answer([TEXT('I look.'), ran('c1'), ran('c2')], {
        tokens: { input: 900, output: 20, read: 100, write: 10 },
      }),
    () =>
      database.answer([TEXT('Done.')], {
        tokens: { input: 950, output: 5, reasoning: 3, read: 100, write: 10 },
      }),
    () => database.user({ type: 'compaction', auto: true }),
    () =>
      database.answer([TEXT('What was said.')], {
        tokens: { input: 300, output: 30 },
        info: { summary: true, parentID: 'msg_000004' },
      }),
    () => database.user('And now?'),
    () => database.answer([TEXT('Now.')], { tokens: { input: 310, output: 7 } }),
  ]
  const used: Used = { input: 2460, output: 65, cacheRead: 200, cacheWrite: 20 }
  const write = async () => {
    for (const message of messages) {
      message()
      await step(database)
    }
  }
  return { root, database, write, calls: 3, used }
}
