import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { contentOfNote } from '../../core/cold/place-back'
import { type ColdRecord, coldLine } from '../../core/cold/record'
import { AgentDatabaseBuilder } from '../../testing/builders/agent-database'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { storeFixture, temporaryFolder, treeOf } from '../../testing/store-folder'

const DAY = 86_400_000
const SECRET = 'sk-ant-api03-AAAABBBBCCCCDDDD1234'

/** A cold storage in its known place, and a session of pi whose chunks are in it. */
function world() {
  const home = temporaryFolder()
  const env = { HOME: home, PLIMSOLL_HOME: join(home, 'state') }
  const cold = join(home, '.clawdbot', 'cold-storage')
  const store = join(home, 'sessions')
  mkdirSync(store)
  const t = new TranscriptBuilder()
  t.user('first')
  t.assistant('one')
  t.user('second')
  const file = join(store, '2026-11-01T08-00-00-000Z_s1.jsonl')
  writeFileSync(file, `${t.lines.join('\n')}\n`)
  const put = (chunkId: string, content: string, more: Partial<ColdRecord> = {}) => {
    const at = Date.now() - 3 * DAY
    const base = {
      chunkId,
      sessionId: 's1',
      at,
      content,
      tokens: 9,
      reason: 'low_relevance',
      score: 0.2,
      prompt: 'p',
    }
    const record = { ...base, until: at + 30 * DAY, place: null, ...more }
    mkdirSync(join(cold, record.sessionId), { recursive: true })
    writeFileSync(join(cold, record.sessionId, `${chunkId}.jsonl`), `${coldLine(record)}\n`)
  }
  const run = (...argv: string[]) => runCli(argv, { env, cwd: home })
  const json = async (...argv: string[]) => {
    const done = await run(...argv, '--json')
    return { ...done, value: JSON.parse(done.stdout) }
  }
  const log = () => join(home, '.clawdbot', 'logs', 'context', 'recovery.jsonl')
  return { home, cold, store, file, put, run, json, log }
}

describe('plimsoll cold-storage list (R4)', () => {
  test('id, age, tokens, until; what has expired only on demand', async () => {
    const { put, run, json } = world()
    put('abc123', 'About the harbour.')
    put('old', 'Long gone.', { until: Date.now() - 1 })
    const { value } = await json('cold-storage', 'list')
    expect(value).toMatchObject({ total: 1, problems: [] })
    expect(value.chunks).toMatchObject([
      { id: 'abc123', session: 's1', tokens: 9, expired: false, until: expect.stringMatching(/Z$/) },
    ])
    expect(value.chunks[0].ageSeconds).toBeGreaterThanOrEqual(3 * 86_400)
    const { stdout } = await run('cold-storage', 'list', '--expired')
    expect(stdout).toMatch(/^ID +SESSION +AGE +TOKENS +UNTIL/)
    expect(stdout).toMatch(/abc123 +s1 +3 d +9 /)
    expect(stdout).toContain('old')
  })

  test('by session, reason, score and date', async () => {
    const { put, json } = world()
    const now = Date.now()
    put('a', 'text', { score: 0.1, reason: 'low_relevance' })
    put('b', 'text', { score: 0.9, reason: 'budget', at: now - 10 * DAY })
    put('c', 'text', { sessionId: 's2', score: null })
    const ids = async (...argv: string[]) =>
      (await json('cold-storage', 'list', ...argv)).value.chunks.map(({ id }: { id: string }) => id)
    expect(await ids('--session', 's2')).toEqual(['c'])
    expect(await ids('--reason', 'budget')).toEqual(['b'])
    expect(await ids('--max-score', '0.5')).toEqual(['a'])
    expect(await ids('--min-score', '0.5')).toEqual(['b'])
    expect(await ids('--until', new Date(now - 5 * DAY).toISOString())).toEqual(['b'])
    expect((await ids('--since', new Date(now - 5 * DAY).toISOString())).sort()).toEqual(['a', 'c'])
  })

  test('nothing there, and words that are wrong', async () => {
    const { run } = world()
    expect(await run('cold-storage', 'list')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No chunks'),
    })
    expect((await run('cold-storage', 'empty')).code).toBe(2)
    expect((await run('cold-storage', 'search')).code).toBe(2)
    expect((await run('cold-storage', 'purge', 'abc')).code).toBe(2)
    expect((await run('cold-storage', 'list', '--since', 'then')).code).toBe(2)
  })
})

describe('plimsoll cold-storage search (I4)', () => {
  test('ranked, with snippets, whatever case and punctuation; credentials are covered', async () => {
    const { put, json } = world()
    put('one', `We spoke of topic7, and the key ${SECRET}.`)
    put('two', 'Topic7! Topic7 again.')
    put('three', 'Nothing.')
    const { value, stdout } = await json('cold-storage', 'search', 'TOPIC7?')
    expect(value.chunks.map(({ id }: { id: string }) => id)).toEqual(['two', 'one'])
    expect(value.chunks[1].snippet).toContain('We spoke of topic7')
    expect(stdout).not.toContain(SECRET)
  })

  test('a broken line is counted and named, and all else is found', async () => {
    const { put, cold, run, json } = world()
    put('one', 'topic7')
    writeFileSync(join(cold, 's1', 'torn.jsonl'), '{"chunk_id":"torn","sess')
    const { value } = await json('cold-storage', 'search', 'topic7')
    expect(value.chunks).toHaveLength(1)
    expect(value.problems).toMatchObject([{ kind: 'torn', file: join(cold, 's1', 'torn.jsonl'), line: 1 }])
    expect((await run('cold-storage', 'list')).stderr).toContain('torn.jsonl:1')
  })
})

test('I4 an index that is damaged is made again, and one that cannot be kept is done without', async () => {
  const { home, put, json } = world()
  put('a', 'About the harbour.')
  const index = join(home, 'state', 'cold-index.db')
  const ids = async () =>
    (await json('cold-storage', 'search', 'harbour')).value.chunks.map(({ id }: { id: string }) => id)
  expect(await ids()).toEqual(['a'])
  // Another file under its name: this process may still hold the one before.
  for (const ending of ['', '-wal', '-shm']) rmSync(`${index}${ending}`, { force: true })
  writeFileSync(index, 'this is no database at all, and long enough to be looked at as one'.repeat(100))
  expect(await ids()).toEqual(['a'])
  expect(readFileSync(index, 'latin1')).not.toContain('no database')
  rmSync(join(home, 'state'), { recursive: true })
  writeFileSync(join(home, 'state'), 'a file where the folder would be')
  expect(await ids()).toEqual(['a'])
})

describe('plimsoll cold-storage search --archives', () => {
  test('finds what was reset or deleted, reads only, and leaves live sessions out', async () => {
    const { home, json, run } = world()
    const sessions = join(home, 'openclaw', 'agents', 'main', 'sessions')
    mkdirSync(sessions, { recursive: true })
    const write = (name: string, text: string) => {
      const t = new TranscriptBuilder()
      t.user(text)
      writeFileSync(join(sessions, name), `${t.lines.join('\n')}\n`)
    }
    write('live.jsonl', 'The harbour is open.')
    write('gone.jsonl.deleted.2026-11-01T08-00-00.000Z', 'The harbour was closed.')
    write('past.jsonl.reset.2026-11-01T08-00-00.000Z', 'A harbour, a HARBOUR!')
    const before = treeOf(sessions)
    const store = ['--store', join(home, 'openclaw')]
    const { code, value } = await json('cold-storage', 'search', 'harbour', '--archives', ...store)
    expect(code).toBe(0)
    expect(value.archives).toMatchObject([
      { session: 'past', state: 'reset', entry: 'e1', line: 2, role: 'user' },
      { session: 'gone', state: 'deleted', snippet: 'The harbour was closed.' },
    ])
    expect(value.archives).toHaveLength(2)
    const { stdout } = await run('cold-storage', 'search', 'harbour', '--archives', ...store)
    expect(stdout).toMatch(/past +reset +e1 /)
    expect(treeOf(sessions)).toEqual(before)
    expect((await run('cold-storage', 'list', '--archives', ...store)).code).toBe(2)
  })

  test('I4 finds what OpenClaw has put into its own cold storage, in files and in its database', async () => {
    const { home, json } = world()
    const root = join(home, 'openclaw')
    const agent = join(root, 'agents', 'main')
    const archive = storeFixture('cold-archive.jsonl.zst')
    const name = `${'ab'.repeat(32)}.jsonl.zst`
    mkdirSync(join(agent, 'sessions', 'cold'), { recursive: true })
    writeFileSync(join(agent, 'sessions', 'cold', name), archive)
    const entry = { sessionId: 'filed', updatedAt: 1 }
    new AgentDatabaseBuilder(join(agent, 'agent', 'openclaw-agent.sqlite'))
      .session({ id: 'filed', key: 'agent:main:a', rows: [], entry })
      .session({ id: 'kept', key: 'agent:main:b', rows: [] })
      .coldArchives(name, archive)
      .connection.close()
    const before = treeOf(join(agent, 'sessions'))
    const { value } = await json('cold-storage', 'search', '/MODE', '--archives', '--store', root)
    expect(value.archives.map(({ session }: { session: string }) => session).sort()).toEqual([
      'filed',
      'kept',
    ])
    expect(value.archives[0].snippet).toContain('/mode')
    expect(treeOf(join(agent, 'sessions'))).toEqual(before)
  })
})

describe('plimsoll cold-storage purge (I3)', () => {
  test('says first what it would remove, then removes that and nothing else', async () => {
    const { put, cold, json } = world()
    put('old', 'x', { until: Date.now() - 1 })
    put('new', 'y')
    const before = treeOf(cold)
    const dry = await json('cold-storage', 'purge')
    expect(dry.value).toMatchObject({ dryRun: true, removed: 0, keep: 1, expired: [{ id: 'old' }] })
    expect(treeOf(cold)).toEqual(before)
    const done = await json('cold-storage', 'purge', '--apply')
    expect(done.value).toMatchObject({ dryRun: false, removed: 1, keep: 1 })
    expect(readdirSync(join(cold, 's1'))).toEqual(['new.jsonl'])
  })
})

describe('plimsoll recover --chunk-id (R5, I6)', () => {
  const CONTENT = 'Grüße 🐚\r\n\u001b[31mred\u001b[0m\u0000 no line end'

  test('X20: at a terminal credentials are covered, until they are revealed', async () => {
    const { home, put } = world()
    put('abc123', `the key is ${SECRET}, keep it`)
    const at = (...more: string[]) =>
      runCli(['recover', '--chunk-id', 'abc123', ...more], {
        env: { HOME: home, PLIMSOLL_HOME: join(home, 'state') },
        cwd: home,
        isTerminal: true,
      })
    const covered = await at()
    expect(covered.stdout).toMatch(/^the key is •+, keep it\n$/)
    expect(covered.stderr).toContain('--reveal')
    expect((await at('--json')).stdout).not.toContain(SECRET)
    expect((await at('--reveal')).stdout).toBe(`the key is ${SECRET}, keep it\n`)
    expect((await at('--to', 'out.txt')).code).toBe(0)
    expect(readFileSync(join(home, 'out.txt'), 'utf8')).toContain(SECRET)
  })

  test('to standard output and into a file: equal to the byte, and logged (I7)', async () => {
    const { home, put, run, json, log } = world()
    put('abc123', CONTENT)
    expect(await run('recover', '--chunk-id', 'abc123')).toEqual({ code: 0, stdout: CONTENT, stderr: '' })
    expect((await json('recover', '--chunk-id', 'abc123')).value.content).toBe(CONTENT)
    expect((await run('recover', '--chunk-id', 'abc123', '--to', 'out.txt')).code).toBe(0)
    expect(readFileSync(join(home, 'out.txt'), 'utf8')).toBe(CONTENT)
    expect((await run('recover', '--chunk-id', 'abc123', '--to', 'out.txt')).code).toBe(3)
    const lines = readFileSync(log(), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { chunk_id: 'abc123', session_id: 's1', destination: 'stdout' },
      { destination: 'stdout' },
      { destination: 'file' },
    ])
  })

  test('into its transcript, and back out of it by undo', async () => {
    const { put, store, file, run, json } = world()
    put('abc123', CONTENT, { place: { entryIds: ['gone'], afterEntryId: 'e1' } })
    const before = readFileSync(file, 'utf8')
    const to = ['--to', 'transcript', '--store', store]
    const { code, value } = await json('recover', '--chunk-id', 'abc123', ...to)
    expect(code).toBe(0)
    expect(value).toMatchObject({ place: 'neighbourhood', verified: true, transcript: file })
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const note = JSON.parse(lines[2] ?? '')
    expect(note).toMatchObject({ id: value.entry, parentId: 'e1', message: { role: 'user' } })
    expect(contentOfNote(note.message.content[0].text)).toBe(CONTENT)
    expect(await run('recover', '--chunk-id', 'abc123', ...to)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('already'),
    })
    expect((await run('undo', value.receipt)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('I7: an undo, and an undo of that, are shown in the log and in the life of the chunk', async () => {
    const { put, store, run, json, log } = world()
    put('abc123', CONTENT, { place: { entryIds: ['gone'], afterEntryId: 'e1' } })
    const stateNow = async () => (await json('drops', '--chunk-id', 'abc123')).value.lives[0].state
    const done = await json('recover', '--chunk-id', 'abc123', '--to', 'transcript', '--store', store)
    expect(await stateNow()).toBe('in-context')
    const undone = await json('undo', done.value.receipt)
    expect(await stateNow()).toBe('cold')
    expect((await run('undo', undone.value.receipt)).code).toBe(0)
    expect(await stateNow()).toBe('in-context')
    const lines = readFileSync(log(), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'chunk_recovered', destination: 'transcript' },
      { event: 'recovery_undone', chunk_id: 'abc123', session_id: 's1', destination: 'transcript' },
      { event: 'chunk_recovered', chunk_id: 'abc123', destination: 'transcript' },
    ])
  })

  test('unknown, expired, of several sessions, and without a transcript', async () => {
    const { put, store, run, log } = world()
    put('old', 'x', { until: Date.now() - 1 })
    put('twin', 'of s1')
    put('twin', 'of s2', { sessionId: 's2' })
    expect((await run('recover', '--chunk-id', 'nobody')).code).toBe(2)
    expect(await run('recover', '--chunk-id', 'old')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('plimsoll cold-storage extend old --days N'),
    })
    expect(await run('recover', '--chunk-id', 'twin')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--session'),
    })
    const to = ['--session', 's2', '--to', 'transcript', '--store', store]
    expect((await run('recover', '--chunk-id', 'twin', ...to)).code).toBe(2)
    expect(existsSync(log())).toBe(false)
    expect((await run('recover', '--chunk-id', 'twin', '--session', 's2')).stdout).toBe('of s2')
  })

  test('I6: of a chunk that one session dropped twice, the newest is meant', async () => {
    const { cold, put, run } = world()
    put('again', 'as it was', { at: Date.now() - 2 * DAY })
    const older = readFileSync(join(cold, 's1', 'again.jsonl'), 'utf8')
    put('again', 'as it is', { at: Date.now() - DAY })
    appendFileSync(join(cold, 's1', 'again.jsonl'), older)
    expect(await run('recover', '--chunk-id', 'again')).toMatchObject({ code: 0, stdout: 'as it is' })
    expect((await run('cold-storage', 'extend', 'again', '--days', '90')).code).toBe(0)
  })
})

test('I1 I6 Q1 folders that the file of an agent names are looked into, and its switches hold', async () => {
  const { home, put, run, json, log } = world()
  put('here', 'the berth plan')
  const agent = join(home, '.clawdbot', 'agents', 'main', 'sessions')
  mkdirSync(agent, { recursive: true })
  const transcript = new TranscriptBuilder()
  transcript.user('first')
  writeFileSync(join(agent, 's9.jsonl'), `${transcript.lines.join('\n')}\n`)
  const config =
    'COLD_STORAGE_PATH: ~/own-cold/\nLOG_PATH: ~/own-logs/\nLOG_RECOVERY: false\nRELEVANCE_CUTOFF: 0.25\n'
  writeFileSync(join(home, '.clawdbot', 'context-config.yaml'), config)
  // They lie outside of the agent's own folder, so that the operator has to allow them.
  expect((await json('cold-storage', 'list')).value.roots).toEqual([join(home, '.clawdbot', 'cold-storage')])
  mkdirSync(join(home, '.config', 'plimsoll'), { recursive: true })
  writeFileSync(
    join(home, '.config', 'plimsoll', 'plimsoll.yaml'),
    'stores:\n  - { path: ~/.clawdbot, allow: { folders: [~/own-cold, ~/own-logs] } }\n',
  )
  const own = fileColdStore(nodeWriteFiles, join(home, 'own-cold'), () => 'x')
  const at = Date.now() - DAY
  const record = { sessionId: 's9', at, tokens: 9, reason: null, score: null, prompt: null, place: null }
  await own.put([{ ...record, chunkId: 'there', content: 'the tide table', until: at + 30 * DAY }])
  await own.put([{ ...record, chunkId: 'past', content: 'the old table', until: at }])
  const { value } = await json('cold-storage', 'list')
  expect(value.roots).toEqual([join(home, 'own-cold'), join(home, '.clawdbot', 'cold-storage')])
  expect(value.chunks.map(({ id }: { id: string }) => id)).toEqual(['there', 'here'])
  expect((await json('cold-storage', 'search', 'tide')).value.chunks).toMatchObject([{ id: 'there' }])
  for (const [words, id] of [
    ['tide table', 'there'],
    ['berth plan', 'here'],
  ] as const)
    expect((await json('memory', 'search', words)).value.recalled).toMatchObject([
      { origin: 'cold', source: `cold-storage/${id}` },
    ])
  expect((await run('recover', '--chunk-id', 'there')).stdout).toBe('the tide table')
  const into = ['--to', 'transcript', '--session', 's9']
  const { value: back } = await json('recover', '--chunk-id', 'there', ...into)
  expect((await run('undo', back.receipt)).code).toBe(0)
  expect([existsSync(log()), existsSync(join(home, 'own-logs', 'recovery.jsonl'))]).toEqual([false, false])
  expect((await run('recover', '--chunk-id', 'here')).stdout).toBe('the berth plan')
  const { value: backToo } = await json('recover', '--chunk-id', 'here', ...into)
  expect((await run('undo', backToo.receipt)).code).toBe(0)
  expect(readFileSync(log(), 'utf8')).toContain('"recovery_undone"')
  expect((await json('drops', '--chunk-id', 'there')).value.lives).toMatchObject([{ state: 'cold' }])
  expect((await json('cold-storage', 'extend', 'there', '--days', '90')).value).toMatchObject({
    changed: true,
  })
  expect((await json('cold-storage', 'purge', '--apply')).value).toMatchObject({ removed: 1, keep: 2 })
  const { value: left } = await json('reset')
  expect(left.error.places.map(({ root }: { root: string }) => root)).toContain(join(home, 'own-cold'))
  const { value: tried } = await json('logs', '--what-if', '0.2')
  expect(tried.before.setting.cutoff).toBe(0.25)
})
