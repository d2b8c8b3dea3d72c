import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sessionLocks } from '../adapters/locks/session-locks'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { readTranscriptName } from '../core/transcript/formats/transcript-name'
import { bundleChild, type ChildProgram } from '../testing/child'
import { temporaryFolder, treeOf } from '../testing/store-folder'
import { testWriter } from '../testing/test-writer'
import type { Receipt, WriteResult } from './receipt'
import { closeSession, createSession, resetSession } from './session-life'
import { type SessionPhase, type SessionRun, startRun } from './session-run'
import { undoWrite } from './undo-write'
import type { Writer } from './write-ports'

const KEY = 'agent:main:main'
const ID = '5d0c0000-0000-4000-8000-000000000001'
const NEXT = '5d0c0000-0000-4000-8000-000000000002'
const NOW = Date.UTC(2026, 10, 1, 8)
const TOTALS = {
  inputTokens: 120,
  outputTokens: 30,
  totalTokens: 9000,
  contextTokens: 200_000,
  provider: 'anthropic',
  model: 'claude-x',
  compactionCount: 2,
  aborted: false,
}

let root: string
let home: string
let folder: string
let writer: Writer
let program: ChildProgram

beforeAll(() => {
  program = bundleChild('lib/testing/children/record-turn.ts')
})
afterAll(() => program.remove())
beforeEach(() => {
  root = temporaryFolder()
  home = temporaryFolder()
  folder = join(root, 'agents', 'main', 'sessions')
  mkdirSync(folder, { recursive: true })
  writer = { ...testWriter(nodeWriteFiles, { home, now: () => NOW }), locks: sessionLocks() }
})

const wait = { waitMs: 0 }
const place = () => ({ root, folder, key: KEY })
const request = (sessionId = ID) => ({ place: place(), actor: 'test', wait, sessionId, cwd: '/w' })
const index = () => JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8'))
const transcript = (id = ID) => readFileSync(join(folder, `${id}.jsonl`), 'utf8')
const header = (id = ID) =>
  `{"type":"session","version":3,"id":"${id}","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}\n`

function receipt(result: WriteResult): Receipt {
  if (result.kind !== 'done') throw new Error(JSON.stringify(result))
  return result.receipt
}

function message(id: string, parentId: string | null, role: string, content: string): string {
  const at = new Date(NOW).toISOString()
  return JSON.stringify({ type: 'message', id, parentId, timestamp: at, message: { role, content } })
}

async function run(onPhase?: (phase: SessionPhase) => void): Promise<SessionRun> {
  const started = await startRun(writer, { ...request(), ...(onPhase && { onPhase }) })
  if (!started.started) throw new Error(started.refusal.message)
  return started.run
}

describe('M23 creating a session', () => {
  it('makes the index entry and the transcript with its header, before any message', async () => {
    const made = receipt(await createSession(writer, request()))
    expect(index()).toEqual({
      [KEY]: { sessionId: ID, sessionFile: join(folder, `${ID}.jsonl`), updatedAt: NOW, compactionCount: 0 },
    })
    expect(transcript()).toBe(header())
    expect(made).toMatchObject({ kind: 'create', session: KEY, verified: true })
    expect(treeOf(folder)['sessions.json']).toMatch(/^33152 /)
  })

  it('keeps every other entry, and refuses a key that is taken', async () => {
    const other = { 'agent:main:other': { sessionId: 'x', skillsSnapshot: { a: [1, null] } } }
    writeFileSync(join(folder, 'sessions.json'), JSON.stringify(other))
    receipt(await createSession(writer, request()))
    expect(index()).toMatchObject(other)
    const before = treeOf(root)
    expect(await createSession(writer, request(NEXT))).toMatchObject({ refusal: { code: 'changed' } })
    expect(treeOf(root)).toEqual(before)
  })

  it('refuses an index that cannot be understood', async () => {
    writeFileSync(join(folder, 'sessions.json'), '{"a":')
    expect(await createSession(writer, request())).toMatchObject({
      refusal: { code: 'unsafe', message: expect.stringContaining('sessions.json cannot be understood') },
    })
    expect(readdirSync(folder)).toEqual(['sessions.json'])
  })
})

describe('resetting a session', () => {
  it('M16 puts the old transcript aside, and the first prompt of the new one is kept though no answer follows', async () => {
    const first = await run()
    receipt(await first.record([message('00000001', null, 'user', 'old')]))
    receipt(await first.close(TOTALS))
    const old = transcript()
    const settings = { ...index(), 'agent:main:other': { sessionId: 'x' } }
    settings[KEY] = {
      ...settings[KEY],
      label: 'Trip',
      thinkingLevel: 'low',
      memoryFlushAt: 5,
      systemPromptReport: {},
    }
    writeFileSync(join(folder, 'sessions.json'), JSON.stringify(settings))

    receipt(await resetSession(writer, request(NEXT)))
    const aside = readdirSync(folder).find((name) => name.startsWith(`${ID}.jsonl`)) ?? ''
    expect(aside).toBe(`${ID}.jsonl.reset.2026-11-01T08-00-00.000Z`)
    expect(readTranscriptName(aside)).toMatchObject({ sessionId: ID, state: 'reset' })
    expect(readFileSync(join(folder, aside), 'utf8')).toBe(old)
    expect(index()).toEqual({
      [KEY]: {
        sessionId: NEXT,
        previousSessionId: ID,
        sessionFile: join(folder, `${NEXT}.jsonl`),
        updatedAt: NOW,
        compactionCount: 0,
        label: 'Trip',
        thinkingLevel: 'low',
        contextTokens: 200_000,
        modelProvider: 'anthropic',
        model: 'claude-x',
      },
      'agent:main:other': { sessionId: 'x' },
    })

    const second = await run()
    receipt(await second.record([message('00000001', null, 'user', 'new')]))
    expect(transcript(NEXT)).toBe(`${header(NEXT)}${message('00000001', null, 'user', 'new')}\n`)
  })

  it('can be taken back, byte for byte', async () => {
    receipt(await createSession(writer, request()))
    const before = [readFileSync(join(folder, 'sessions.json'), 'utf8'), transcript()]
    const made = receipt(await resetSession(writer, request(NEXT)))
    receipt(await undoWrite(writer, { receipt: made.id, actor: 'test', wait }))
    expect([readFileSync(join(folder, 'sessions.json'), 'utf8'), transcript()]).toEqual(before)
    expect(readdirSync(folder).sort()).toEqual([`${ID}.jsonl`, 'sessions.json'])
  })

  it('says when there is nothing to reset', async () => {
    expect(await resetSession(writer, request())).toMatchObject({ refusal: { code: 'missing' } })
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('M18 every turn is on the disk', () => {
  it('a turn that was recorded is there after a kill', async () => {
    const child = program.start([root, home])
    await child.says('done\n')
    child.process.kill('SIGKILL')
    await child.ended
    const text = transcript('00000000-0000-4000-8000-000000000001')
    expect(text.split('\n')).toHaveLength(3)
    expect(text).toContain('Is it kept?')
    expect(Object.keys(index())).toEqual([KEY])
    const again = await run()
    receipt(await again.record([message('00000002', '00000001', 'assistant', 'Yes.')]))
    expect(readFileSync(again.file, 'utf8')).toBe(
      `${text}${message('00000002', '00000001', 'assistant', 'Yes.')}\n`,
    )
  })

  it('M19 messages of every kind come back as they were, images and tool calls too', async () => {
    const contents = [
      { role: 'user', content: 'plain' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm\u2028hm', thinkingSignature: 's' },
          { type: 'text', text: 'I look.' },
          {
            type: 'toolCall',
            id: 'c1',
            name: 'read',
            arguments: { path: 'a.ts', deep: { list: [1, null, true] } },
          },
        ],
        usage: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0 },
      },
      {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'read',
        isError: false,
        content: [{ type: 'text', text: 'x' }],
      },
    ]
    const lines = contents.map((message, i) =>
      JSON.stringify({
        type: 'message',
        id: `0000000${i + 1}`,
        parentId: i === 0 ? null : `0000000${i}`,
        timestamp: new Date(NOW).toISOString(),
        message,
      }),
    )
    const open = await run()
    for (const line of lines) receipt(await open.record([line]))
    const read = readFileSync(open.file, 'utf8').trimEnd().split('\n').slice(1)
    expect(read).toEqual(lines)
    expect(read.map((line) => JSON.parse(line).message)).toEqual(contents)
  })

  it('refuses when somebody else wrote in between, and nothing of theirs is lost', async () => {
    const mine = await run()
    receipt(await mine.record([message('00000001', null, 'user', 'mine')]))
    const theirs = `${transcript()}${message('00000002', '00000001', 'user', 'theirs')}\n`
    writeFileSync(mine.file, theirs)
    expect(await mine.record([message('00000003', '00000001', 'assistant', 'late')])).toMatchObject({
      refusal: { code: 'changed' },
    })
    expect(transcript()).toBe(theirs)
  })
})

describe('M20 closing a session', () => {
  it('the index equals the last run, and what the run did not measure stays', async () => {
    receipt(await createSession(writer, request()))
    receipt(await closeSession(writer, { place: place(), actor: 'test', wait, totals: TOTALS }))
    const measured = {
      inputTokens: 120,
      outputTokens: 30,
      totalTokens: 9000,
      totalTokensFresh: true,
      contextTokens: 200_000,
      modelProvider: 'anthropic',
      model: 'claude-x',
      compactionCount: 2,
      abortedLastRun: false,
      updatedAt: NOW,
    }
    expect(index()[KEY]).toEqual({ sessionId: ID, sessionFile: join(folder, `${ID}.jsonl`), ...measured })
    const unknown = { ...TOTALS, totalTokens: null, inputTokens: null, compactionCount: 3, aborted: true }
    receipt(await closeSession(writer, { place: place(), actor: 'test', wait, totals: unknown }))
    expect(index()[KEY]).toMatchObject({
      ...measured,
      totalTokensFresh: false,
      compactionCount: 3,
      abortedLastRun: true,
    })
  })
})

it('M21 a session goes through its six phases, each to be seen', async () => {
  const phases: SessionPhase[] = []
  const mine = await run((phase) => phases.push(phase))
  mine.enter('assemble')
  receipt(await mine.record([message('00000001', null, 'user', 'hello')]))
  mine.enter('compact')
  receipt(await mine.close(TOTALS))
  expect(phases).toEqual(['create', 'start', 'assemble', 'execute', 'compact', 'close'])
  expect(readFileSync(mine.file, 'utf8')).toBe(`${header()}${message('00000001', null, 'user', 'hello')}\n`)

  const later: SessionPhase[] = []
  await run((phase) => later.push(phase))
  expect(later).toEqual(['start'])
})

it('M21 a run of a session whose transcript has gone is refused', async () => {
  writeFileSync(join(folder, 'sessions.json'), JSON.stringify({ [KEY]: { sessionId: ID } }))
  expect(await startRun(writer, request())).toMatchObject({ started: false, refusal: { code: 'missing' } })
  writeFileSync(join(folder, 'sessions.json'), '')
  expect(await startRun(writer, request())).toMatchObject({ started: false, refusal: { code: 'unsafe' } })
})
