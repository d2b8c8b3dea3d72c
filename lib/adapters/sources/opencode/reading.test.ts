import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inspectSession } from '../../../engine/read/inspect-session'
import type { FoundStore } from '../../../engine/read/ports'
import { OpenCodeBuilder } from '../../../testing/builders/opencode-database'
import { listAll, readAll, temporaryFolder, treeOf } from '../../../testing/store-folder'
import { sentTo } from '../../../testing/translated-session'
import { discoverStores } from '../../discovery/discover'
import { createStoreReader } from '../../stores/store-reader'

const TEXT = (text: string) => ({ type: 'text', text })
const TOOL = (id: string, state: object) => ({ type: 'tool', tool: 'bash', callID: id, state })
const RAN = (id: string, output: string, time: object = { start: 1, end: 2 }) =>
  TOOL(id, { status: 'completed', input: { command: 'ls' }, output, title: 'ls', metadata: {}, time })

function database(): OpenCodeBuilder {
  return new OpenCodeBuilder(join(temporaryFolder(), 'opencode', 'opencode.db')).session('ses_1')
}

async function storeOf({ path }: Pick<OpenCodeBuilder, 'path'>): Promise<FoundStore> {
  const { stores } = await discoverStores({ env: {}, home: '/nowhere', only: [join(path, '..')] })
  return stores[0] as FoundStore
}

async function inspect(built: Pick<OpenCodeBuilder, 'path'>, id = 'ses_1') {
  const store = await storeOf(built)
  const reader = createStoreReader({ lastLine: 'take-whole' })
  const { transcripts, problem } = await listAll(reader, store)
  expect(problem).toBeNull()
  const transcript = transcripts.find(({ sessionId }) => sessionId === id)
  if (transcript === undefined) throw new Error('the session is not listed')
  return inspectSession(reader, store, transcript)
}

describe('a database of OpenCode', () => {
  it('is found where the environment and the home folder say', async () => {
    const built = database()
    const data = join(built.path, '..', '..')
    built.close()
    const found = async (env: Record<string, string>) =>
      (await discoverStores({ env, home: '/nowhere' })).stores.map(({ kind, era, state, root }) => [
        kind,
        era,
        state,
        root,
      ])
    const folder = join(data, 'opencode')
    expect(await found({ XDG_DATA_HOME: data })).toEqual([['opencode', 'sqlite', 'ok', folder]])
    expect(await found({ OPENCODE_DB: built.path })).toEqual([['opencode', 'sqlite', 'ok', built.path]])
    expect(await found({})).toEqual([])
  })

  it('a message is one call, with its tools, their results, its thoughts, usage and cost', async () => {
    const built = database()
    built.user('Look at it')
    built.answer(
      [{ type: 'reasoning', text: 'both' }, TEXT('I look.'), RAN('c1', 'a.txt'), RAN('c2', 'b.txt')],
      {
        tokens: { input: 5, read: 900, write: 95, output: 60, reasoning: 20 },
        cost: 0.25,
        info: { finish: 'tool-calls' },
      },
    )
    built.answer([TEXT('Done.')], { tokens: { input: 3, read: 1000, write: 120, output: 12 }, cost: 0.5 })
    const session = await inspect(built)
    expect(session.totals).toMatchObject({
      ...{ calls: 2, turns: 1, input: 8, cacheRead: 1900, cacheWrite: 215, output: 92, costUsd: 0.75 },
      ...{ model: 'claude-opus-5-5', provider: 'anthropic', cwd: '/w', name: 'About ses_1', unknownTypes: 0 },
    })
    expect(session.frames.map(({ total, output }) => [total.value, output.value])).toEqual([
      [1000, 80],
      [1123, 12],
    ])
    expect(sentTo(session, 2)).toEqual([
      'user: Look at it',
      'assistant: both I look. bash {"command":"ls"} bash {"command":"ls"}',
      'toolResult: a.txt',
      'toolResult: b.txt',
    ])
    built.close()
  })

  it('several steps in one message are several calls', async () => {
    const built = database()
    built.user('Go')
    const step = (input: number) => ({
      type: 'step-finish',
      reason: 'tool-calls',
      cost: 0,
      tokens: { input, output: 5, reasoning: 0, cache: { read: 0, write: 0 } },
    })
    built.answer(
      [RAN('c1', 'one'), step(700), { type: 'step-start' }, RAN('c2', 'two'), step(800), TEXT('Done.')],
      {
        tokens: { input: 900, output: 5 },
      },
    )
    const session = await inspect(built)
    expect(session.frames.map(({ total }) => total.value)).toEqual([700, 800, 900])
    expect(session.totals).toMatchObject({ calls: 3, input: 2400 })
    built.close()
  })

  it('what the client says under the user’s role counts as that, and what it cleared is not there any more', async () => {
    const built = database()
    built.user(
      'Read it',
      { type: 'text', text: 'Called a tool', synthetic: true },
      { type: 'agent', name: 'plan' },
    )
    built.answer([RAN('c1', 'long '.repeat(500), { start: 1, end: 2, compacted: 3 })], {
      tokens: { input: 900, output: 9 },
    })
    built.answer([TOOL('c2', { status: 'running', input: {}, time: { start: 1 } })], {
      tokens: { input: 950, output: 9 },
    })
    const session = await inspect(built)
    expect(sentTo(session, 'next')).toEqual([
      'user: Read it',
      'custom: Called a tool',
      'assistant: bash {"command":"ls"}',
      'toolResult: [Old tool result content cleared]',
      'assistant: bash {}',
      'toolResult: [Tool execution was interrupted]',
    ])
    expect(session.facts.at(-1)?.isError).toBe(true)
    expect(session.totals.turns).toBe(1)
    built.close()
  })

  it('an answer that failed is left out of what is sent, one that was stopped is not', async () => {
    const built = database()
    built.user('Go')
    built.answer([], { info: { error: { name: 'APIError', data: { message: 'refused' } } } })
    built.user('Again')
    built.answer([TEXT('Half of')], {
      info: { error: { name: 'MessageAbortedError', data: { message: 'aborted' } } },
    })
    const session = await inspect(built)
    expect(sentTo(session, 'next')).toEqual(['user: Go', 'user: Again', 'assistant: Half of'])
    expect(session.facts.find(({ stopReason }) => stopReason === 'error')?.errorMessage).toBe('refused')
    built.close()
  })

  it('after a compaction: the question, the summary, the messages it kept, and what follows; it is billed as none of the calls', async () => {
    const built = database()
    built.user('Old question')
    built.answer([TEXT('Old answer.')], { tokens: { input: 900, output: 40 } })
    const kept = built.user('Kept question')
    built.answer([TEXT('Kept answer.')], { tokens: { input: 960, output: 40 } })
    const asked = built.user({ type: 'compaction', auto: true, overflow: false, tail_start_id: kept })
    const summary = { summary: true, mode: 'compaction', agent: 'compaction', parentID: asked }
    built.answer([TEXT('What was said.')], { tokens: { input: 300, output: 30 }, cost: 0.125, info: summary })
    built.user('And now?')
    built.answer([TEXT('Now.')], { tokens: { input: 500, output: 4 } })
    const session = await inspect(built)
    expect(sentTo(session, 3)).toEqual([
      'custom: What did we do so far?',
      'compactionSummary: What was said.',
      'user: Kept question',
      'assistant: Kept answer.',
      'user: And now?',
    ])
    expect(session.boundaries).toMatchObject([{ kind: 'compaction', afterCall: 2 }])
    expect(session.frames[2]?.categories.summary).toBeGreaterThan(0)
    expect(session.totals).toMatchObject({
      calls: 3,
      compactions: 1,
      input: 2660,
      output: 114,
      costUsd: 0.125,
    })
    expect(session.totals.besides).toMatchObject({ calls: 1, input: 300, output: 30 })
    built.close()
  })

  it('a session of a sub-agent is a separate one, which names its parent', async () => {
    const built = database()
    built.user('Delegate')
    built.session('ses_2', { parent: 'ses_1', agent: 'general' })
    built.user('Do the work')
    built.answer([TEXT('Worked.')], { tokens: { input: 90_000, output: 5 } })
    const child = await inspect(built, 'ses_2')
    expect(child.transcript).toMatchObject({ agent: 'general', key: 'ses_1/ses_2' })
    expect(child.facts[0]?.header).toMatchObject({ sessionId: 'ses_2', parentSession: 'ses_1' })
    expect((await inspect(built)).totals.calls).toBe(0)
    built.close()
  })

  it('what comes is read on from the cursor; an unfinished answer waits, a part written anew starts over', async () => {
    const built = database()
    const store = await storeOf(built)
    const reader = createStoreReader()
    const transcript = async () => {
      const { transcripts } = await listAll(reader, store)
      return transcripts[0] as (typeof transcripts)[number]
    }
    built.user('Look')
    const open = built.answer([RAN('c1', 'a.txt')], { done: false })
    const first = await readAll(reader, store, await transcript())
    expect(first.facts.map(({ role, type }) => role ?? type)).toEqual(['session', 'session_info', 'user'])
    built.connection
      .prepare(
        "UPDATE message SET data = json_set(data, '$.time.completed', 5), time_updated = time_updated + 9 WHERE id = ?",
      )
      .run(open)
    built.answer([TEXT('Done.')], { tokens: { input: 7 } })
    const second = await readAll(reader, store, await transcript(), first.cursor)
    expect(second.start).toEqual({ restarted: false })
    expect(second.facts.map(({ role, seq }) => [role, seq])).toEqual([
      ['assistant', 3],
      ['toolResult', 4],
      ['assistant', 5],
    ])
    built.part(open, 'prt_000002_001', RAN('c1', 'a.txt', { start: 1, end: 2, compacted: 3 }))
    built.touch()
    const third = await readAll(reader, store, await transcript(), second.cursor)
    expect(third.start).toEqual({ restarted: true, reason: 'rewritten' })
    expect(third.facts.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5])
    const text = await reader.source(
      store,
      await transcript(),
      third.facts[4] as (typeof third.facts)[number],
    )
    expect(JSON.parse(text)).toMatchObject({ message: { role: 'toolResult', toolCallId: 'c1' } })
    built.close()
  })

  it('rows that cannot be read are kept and counted, and nothing is written', async () => {
    const built = database()
    built.user('Look')
    const answer = built.answer([TEXT('I look.'), { type: 'hologram' }])
    built.part(answer, 'prt_000002_009', '{"type":"text", broken')
    built.connection.prepare("UPDATE message SET data = '[]' WHERE id = ?").run(built.user('Lost'))
    built.close()
    // Statements of the builder that are not collected yet keep its own database open, whose last close takes files away.
    const folder = join(temporaryFolder(), 'opencode')
    cpSync(join(built.path, '..'), folder, { recursive: true })
    const before = treeOf(folder)
    const session = await inspect({ path: join(folder, 'opencode.db') })
    expect(session.totals).toMatchObject({ unreadable: 1, unknownTypes: 2, calls: 1 })
    expect(session.facts.find(({ type }) => type === 'unreadable')?.problem).toBe(
      'message msg_000003: not a JSON object',
    )
    expect(treeOf(folder)).toEqual(before)
  })

  it('a database of another program is none of OpenCode’s, and says so', async () => {
    const built = database()
    built.connection.exec('DROP TABLE part')
    built.close()
    expect(await storeOf(built)).toMatchObject({
      state: 'newer',
      problem: expect.stringContaining('tables of OpenCode'),
    })
  })
})
