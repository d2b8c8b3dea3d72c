import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSessions } from '../../adapters/agent/open-sessions'
import { injectedSummary } from '../../core/compaction/rolling'
import type { ContentMessage } from '../../core/history/thinking'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { Branches } from '../../core/transcript/branches'
import { contextAt } from '../../core/transcript/context'
import { factsOf } from '../../testing/builders/transcript'
import { bundleChild } from '../../testing/child'
import { contentText, liveAgent, turnsOf } from '../../testing/live-conversation'
import { temporaryFolder } from '../../testing/store-folder'
import { CONTENT_FORM } from '../content-form'
import type { LiveAgent } from '../live-agent'
import { PortProblems } from '../port-problems'
import { SessionLife } from './session-life'
import type { SessionEntry, SessionStore } from './session-store'

const KEY = 'agent:harbour:main'
const ASK = { role: 'user', content: 'Which berth is free?' }
const ANSWER = { role: 'assistant', content: 'Berth 4.' }

/** An agent whose sessions are kept in a folder, and what is on the disk of them. */
function world(messages: readonly ContentMessage[] = [], folder = join(temporaryFolder(), 'sessions')) {
  const phases: string[] = []
  const sessions = openSessions(folder, { model: 'claude-sonnet-4-5', provider: 'anthropic', cwd: '/w' })
  const { context, held } = liveAgent(messages, DEFAULT_POLICY, {
    ...{ sessions, window: 200_000, onPhase: (phase) => phases.push(phase) },
  })
  const index = () => JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8'))[KEY]
  const lines = () =>
    readFileSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? ''), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const said = () => lines().flatMap(({ message }) => (message === undefined ? [] : [message]))
  const add = (...more: ContentMessage[]) => {
    held.messages = [...held.messages, ...more]
  }
  return { context, held, folder, phases, index, lines, said, add }
}

test('M23 M16 a session has its index entry and its transcript before its first message, and the first prompt is kept without an answer', async () => {
  const fresh = world()
  await fresh.context.beforeResponse()
  expect(fresh.index()).toMatchObject({ sessionId: expect.any(String), modelProvider: 'anthropic' })
  expect(fresh.lines()).toEqual([
    { type: 'session', version: 3, id: fresh.index().sessionId, timestamp: expect.any(String), cwd: '/w' },
  ])
  await fresh.context.beforeResponse([ASK])
  expect(fresh.said()).toEqual([ASK])
  // Asked again after a failed request, it is the same prompt.
  await fresh.context.beforeResponse([ASK])
  expect(fresh.said()).toEqual([ASK])
})

test('M18 M20 B7 B6 after each turn it is on the disk, and the index has what the run measured, with its window', async () => {
  const { context, add, said, index } = world()
  await context.beforeResponse([ASK])
  add(ASK, ANSWER)
  expect((await context.afterResponse({ usage: { prompt: 900, output: 20 } })).warnings).toEqual([])
  expect(said()).toEqual([ASK, ANSWER])
  expect(index()).toMatchObject({
    ...{ inputTokens: 900, outputTokens: 20, totalTokens: 920, totalTokensFresh: true },
    ...{ contextTokens: 200_000, compactionCount: 0, model: 'claude-sonnet-4-5' },
  })
  add({ ...ASK }, { ...ANSWER })
  await context.afterResponse({ usage: null })
  expect(said()).toEqual([ASK, ANSWER, ASK, ANSWER])
  // What was measured before is kept, and is not of this context.
  expect(index()).toMatchObject({ totalTokens: 920, totalTokensFresh: false })
})

test('M18 a turn outlives the kill of its process', async () => {
  const folder = join(temporaryFolder(), 'sessions')
  const program = bundleChild('lib/testing/children/keep-session.ts')
  try {
    const child = program.start([folder])
    await child.says('written')
    child.process.kill('SIGKILL')
    await child.ended
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    expect(readFileSync(join(folder, file), 'utf8')).toContain(
      '"message":{"role":"user","content":"kept"}}\n',
    )
  } finally {
    program.remove()
  }
})

test('M21 the six phases of a session can be seen', async () => {
  const { context, add, phases } = world(turnsOf(20))
  await context.beforeResponse([ASK])
  await context.request({ parts: { identity: 'You help.' }, prompt: [ASK] })
  add(ASK, ANSWER)
  await context.afterResponse()
  await context.compact()
  await context.sessionEnd()
  expect(phases).toEqual(['create', 'start', 'assemble', 'execute', 'compact', 'close'])
})

test('M20 a compaction is in the transcript, after all that was said, and the context is read as it is', async () => {
  const { context, add, held, lines, said, index } = world(turnsOf(20))
  const all = [...held.messages]
  await context.beforeResponse([ASK])
  add(ASK, ANSWER)
  await context.afterResponse({ usage: { prompt: 7_000, output: 10 } })
  expect(said()).toEqual([...all, ASK, ANSWER])
  expect((await context.compact()).kind).toBe('compacted')
  const record = lines().at(-1)
  const [summary = ASK, kept] = held.messages
  expect(record).toMatchObject({ type: 'compaction', tokensBefore: 7_010 })
  expect(record.summary.length).toBeGreaterThan(100)
  expect(contentText(summary)).toContain(record.summary)
  expect(lines().find(({ id }) => id === record.firstKeptEntryId).message).toEqual(kept)
  add({ role: 'user', content: 'And the next?' })
  await context.sessionEnd()
  expect(said()).toEqual([...all, ASK, ANSWER, { role: 'user', content: 'And the next?' }])
  expect(index()).toMatchObject({ compactionCount: 1, totalTokensFresh: false })
  const facts = factsOf(
    lines()
      .map((line) => JSON.stringify(line))
      .join('\n'),
  )
  const branches = Branches.of(facts)
  // The summary, what was kept, and what was asked since.
  expect(contextAt(branches, branches.leaf, 'pi')).toHaveLength(held.messages.length)
})

test('M21 a process that is started anew goes on with the session, and writes nothing twice', async () => {
  const first = world()
  await first.context.beforeResponse([ASK])
  // Said twice in the same words: two messages.
  first.add(ASK, ANSWER, { ...ASK }, { ...ANSWER })
  await first.context.afterResponse()
  const { sessionId } = first.index()
  const again = world([{ ...ASK }, { ...ANSWER }, { ...ASK }, { ...ANSWER }], first.folder)
  await again.context.beforeResponse([ASK])
  again.add(ASK, { role: 'assistant', content: 'Still berth 4.' })
  await again.context.afterResponse()
  expect(again.index().sessionId).toBe(sessionId)
  expect(again.phases[0]).toBe('start')
  const last = [ASK, { role: 'assistant', content: 'Still berth 4.' }]
  expect(again.said()).toEqual([ASK, ANSWER, ASK, ANSWER, ...last])
})

test('M18 V4 a session that cannot be written costs a warning, and is written once it can be', async () => {
  const folder = join(temporaryFolder(), 'sessions')
  mkdirSync(folder)
  writeFileSync(join(folder, 'sessions.json'), 'no JSON')
  const { context, add, said } = world([], folder)
  const before = await context.beforeResponse([ASK])
  expect(before.warnings).toEqual([expect.stringMatching(/sessions\.open failed: .*is no JSON object/)])
  expect(readFileSync(join(folder, 'sessions.json'), 'utf8')).toBe('no JSON')
  add(ASK, ANSWER)
  await context.afterResponse()
  writeFileSync(join(folder, 'sessions.json'), '{}')
  expect((await context.afterResponse()).warnings).toEqual([])
  expect(said()).toEqual([ASK, ANSWER])
})

/** An agent whose sessions are kept by a store that answers as the test sets it. */
function scripted(store: object = {}, messages: readonly ContentMessage[] = []) {
  const calls: [name: string, given: unknown][] = []
  let count = 0
  const sessions = {
    open: async () => ({ isNew: true, messages: [] }),
    append: async (_: string, entries: readonly object[]) => {
      calls.push(['append', entries])
      return entries.map(() => `e${++count}`)
    },
    note: async (_: string, totals: object) => void calls.push(['note', totals]),
    ...store,
  }
  const phases: string[] = []
  const { context, held } = liveAgent(messages, DEFAULT_POLICY, {
    ...{ sessions: sessions as never, window: 200_000, onPhase: (phase) => phases.push(phase) },
  })
  const said = () =>
    calls.flatMap(([name, given]) =>
      name === 'append' ? (given as { json: string }[]).map(({ json }) => JSON.parse(json)) : [],
    )
  const noted = () => calls.flatMap(([name, given]) => (name === 'note' ? [given] : []))
  return { context, held, calls, said, noted, phases }
}
const say = (content: string) => ({ role: 'user', content })

test('M18 a message that took the place of another one is written, wherever it is', async () => {
  const { context, held, said } = scripted()
  const [a, b, c, other] = ['a', 'b', 'c', 'other'].map(say) as [object, object, object, object]
  held.messages = [a, b] as ContentMessage[]
  await context.afterResponse()
  expect(said()).toEqual([a, b])
  held.messages = [a, other, c] as ContentMessage[]
  await context.afterResponse()
  expect(said()).toEqual([a, b, other, c])
  // What says the same is the same, as often as it was said.
  held.messages = structuredClone([a, other, c, c]) as ContentMessage[]
  await context.afterResponse()
  expect(said()).toEqual([a, b, other, c, c])
})

test('M18 V4 what a store did not take is written with the next turn', async () => {
  let answers = [undefined, ['e1'], 'all'] as unknown[]
  const written: unknown[] = []
  const { context, held } = scripted({
    append: async (_: string, entries: readonly object[]) => {
      written.push(entries.length)
      const answer = answers.shift()
      return answer === 'all' ? entries.map((_, i) => `e${i}`) : answer
    },
  })
  held.messages = [say('a'), say('b')]
  await context.afterResponse()
  await context.afterResponse()
  await context.afterResponse()
  expect(written).toEqual([2, 2, 2])
  answers = ['all']
  await context.afterResponse()
  expect(written, 'once it is there, it is not written again').toEqual([2, 2, 2])
})

test('V4 an index of a session that was never opened is not written, nor its messages', async () => {
  const { context, held, calls } = scripted({ open: () => Promise.reject(new Error('no folder')) })
  held.messages = [say('a')]
  await context.beforeResponse([say('b')])
  await context.afterResponse({ usage: { prompt: 9, output: 1 } })
  await context.compact()
  await context.sessionEnd()
  expect(calls).toEqual([])
})

test('B7 what was counted adds up over the turns, and is of this context as long as nothing has changed it', async () => {
  const { context, held, noted } = scripted({}, turnsOf(20))
  await context.afterResponse({ usage: { prompt: 7_000, output: 10 } })
  await context.afterResponse({ usage: { prompt: 7_100, output: 20 } })
  await context.afterResponse()
  const rest = { compactions: 0, contextTokens: 200_000 }
  expect(noted()).toEqual([
    { inputTokens: 7_000, outputTokens: 10, totalTokens: 7_010, isFresh: true, ...rest },
    { inputTokens: 14_100, outputTokens: 30, totalTokens: 7_120, isFresh: true, ...rest },
    { inputTokens: 14_100, outputTokens: 30, totalTokens: 7_120, isFresh: false, ...rest },
  ])
  expect((await context.compact()).kind).toBe('compacted')
  held.messages = [...held.messages, say('more')]
  await context.sessionEnd()
  expect(noted().at(-1)).toMatchObject({ compactions: 1, isFresh: false, totalTokens: 7_120 })
})

test('M21 a session is opened once, and begins unmeasured', async () => {
  let opened = 0
  const open = async () => {
    opened += 1
    return { isNew: opened === 1, messages: [] }
  }
  const { context, noted, phases } = scripted({ open })
  await context.beforeResponse([ASK])
  await context.sessionEnd()
  await context.beforeResponse([ASK])
  await context.afterResponse()
  expect(opened).toBe(1)
  expect(phases).toEqual(['create', 'start', 'close', 'execute'])
  const start = { inputTokens: null, outputTokens: null, totalTokens: null, isFresh: false }
  expect(noted()).toEqual(Array(2).fill({ ...start, compactions: 0, contextTokens: 200_000 }))
})

test('V4 what a store could not take is said, with what becomes of it', async () => {
  const failing = () => Promise.reject(new Error('the disk is full'))
  const { context } = scripted({ append: failing, note: failing }, [ASK])
  // The one message that was said is tried again.
  for (const _turn of [1, 2])
    expect((await context.afterResponse()).warnings).toEqual([
      'sessions.append failed: the disk is full. What was said is written with the next turn.',
      'sessions.note failed: the disk is full. The index of sessions is as it was.',
    ])
})

test('M21 an agent whose sessions are kept nowhere has none; one that does not listen to phases has its session', async () => {
  const agent = { session: 's', form: CONTENT_FORM, clock: { now: () => 0 } }
  const quiet = { ...agent, getContext: () => [a], setContext: () => undefined }
  expect(SessionLife.of(quiet, 1_000, new PortProblems())).toBeNull()
  const written: string[] = []
  const sessions: SessionStore = {
    open: async () => ({ isNew: false, messages: [] }),
    append: async (_session, entries) => entries.map(({ kind }) => `e${written.push(kind)}`),
    note: async () => undefined,
  }
  const life = SessionLife.of({ ...quiet, sessions }, 1_000, new PortProblems())
  await life?.turn(null)
  expect(written).toEqual(['message'])
})

/** A session of which each call is made by the test, as the ladder makes them. */
async function alone(form: Partial<LiveAgent<ContentMessage>['form']> = {}, isOpen = true) {
  const written: SessionEntry[] = []
  const phases: string[] = []
  const world = { isOpen, messages: [] as readonly ContentMessage[] }
  const sessions: SessionStore = {
    open: async () => {
      if (!world.isOpen) throw new Error('no folder')
      return { isNew: true, messages: [] }
    },
    append: async (_session, entries) => entries.map((entry) => `e${written.push(entry)}`),
    note: async (_session, totals) => void noted.push(totals.compactions),
  }
  const noted: number[] = []
  const agent: LiveAgent<ContentMessage> = {
    ...{ session: 's', sessions, clock: { now: () => 0 }, form: { ...CONTENT_FORM, ...form } },
    getContext: () => world.messages,
    setContext: (messages) => {
      world.messages = messages
    },
    onPhase: (phase) => phases.push(phase),
  }
  const life = SessionLife.of(agent, 1_000, new PortProblems())
  if (life === null) throw new Error('it has a store')
  await life.begin([])
  const said = () =>
    written.map((entry) => (entry.kind === 'message' ? JSON.parse(entry.json).content : entry))
  const compactions = () => phases.filter((phase) => phase === 'compact').length
  return { world, life, set: life.watched().setContext, said, compactions, noted }
}
const [a, b, go] = ['a', 'b', 'go on'].map(say) as [ContentMessage, ContentMessage, ContentMessage]
const summary = (text: string): ContentMessage => say(injectedSummary(text))
const compaction = (text: string, kept: string) => ({
  ...{ kind: 'compaction', summary: text, kept, tokensBefore: null },
})

test('M20 of what the ladder puts into a context only a new summary is a compaction', async () => {
  const { world, life, set, said, compactions, noted } = await alone()
  const [first, second, note] = [summary('one'), summary('two'), say('a note of the ladder')]
  world.messages = [a, b]
  await set([a, b, note])
  await set([note, a, b])
  await set([note, b])
  expect([said(), compactions()]).toEqual([['a', 'b'], 0])
  await set([first, note, b])
  expect([said().slice(2), compactions()]).toEqual([[compaction('one', 'e2')], 1])
  // The summary of before is no new one, wherever it is.
  await set([first, b])
  await set([first, b, note])
  expect([said().length, compactions()]).toEqual([3, 1])
  await set([second, b])
  expect([said().slice(3), compactions()]).toEqual([[compaction('two', 'e2')], 2])
  // Where nothing stays there is no place for it in the transcript.
  await set([summary('three')])
  await set([])
  expect([said().length, compactions()]).toEqual([4, 3])
  await life.turn(null)
  expect([said().length, noted]).toEqual([4, [3]])
})

test('M20 a summary that no other summary may see is noted without its text', async () => {
  const { world, set, said } = await alone({ toSource: () => null })
  world.messages = [a, b]
  await set([summary('one'), b])
  expect(said().at(-1)).toEqual(compaction('', 'e2'))
})

test('M18 M20 of messages in the same words the one is known that a compaction keeps', async () => {
  for (const anew of [false, true]) {
    const { world, life, set, said } = await alone()
    const now = (...messages: ContentMessage[]) => (anew ? structuredClone(messages) : messages)
    world.messages = now(go, a, go, b)
    await life.turn(null)
    expect(said()).toEqual(['go on', 'a', 'go on', 'b'])
    await set(now(summary('all'), go, a, go, b))
    expect(said().at(-1)).toEqual(compaction('all', 'e1'))
    await set(now(summary('one'), go, b))
    expect(said().at(-1)).toEqual(compaction('one', 'e3'))
    await set(now(summary('two'), b))
    expect(said().at(-1)).toEqual(compaction('two', 'e4'))
  }
})

test('M18 what an agent adds with room for it is its own; what makes room is not', async () => {
  const { world, life, set, said } = await alone()
  const cleared = say('[cleared]')
  world.messages = [a]
  await life.turn(null)
  life.expect(b)
  await set([cleared, b])
  await life.turn(null)
  expect(said()).toEqual(['a', 'b'])
})

test('M18 V4 what is said before a session can be opened is written once it can be, whatever was compacted meanwhile', async () => {
  const { world, life, set, said, compactions } = await alone({}, false)
  world.messages = [a, b]
  await set([summary('one'), b])
  expect([said(), compactions()]).toEqual([[], 0])
  world.isOpen = true
  await life.turn(null)
  expect(said()).toEqual([contentText(summary('one')), 'b'])
})
