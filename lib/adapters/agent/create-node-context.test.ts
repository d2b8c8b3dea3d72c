import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { REQUIRED_HEADINGS } from '../../core/summary/audit'
import { inForm } from '../../testing/builders/conversations'
import { temporaryFolder } from '../../testing/store-folder'
import { createNodeContext } from './create-node-context'

const MODEL = 'claude-sonnet-5'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

const long = inForm(
  'anthropic',
  Array.from({ length: 60 }, (_, at) => [
    { kind: 'ask' as const, text: `Where does ship ${at} lie?`, image: false },
    { kind: 'answer' as const, text: 'berth crane ledger '.repeat(130), thinks: false, calls: [], aside: '' },
  ]).flat(),
)
const messages = [...long, { role: 'user', content: 'Which berth is free?' }]

test('V2: without folders no file is written, and what is dropped is found in memory', async () => {
  const folder = temporaryFolder()
  const before = process.cwd()
  process.chdir(folder)
  try {
    const context = createNodeContext({ model: MODEL, window: 32_000 })
    const { done } = await context.fit(messages)
    expect(done.dropped.length).toBeGreaterThan(0)
    expect((await context.search('ship 3')).length).toBeGreaterThan(0)
    await context.sessionEnd()
    context.close()
    expect(readdirSync(folder)).toEqual([])
  } finally {
    process.chdir(before)
  }
})

test('V2: folders hold what is dropped, noted and remembered, and a workspace is in front of each request', async () => {
  const folder = temporaryFolder()
  const [cold, logs, memory, workspace, tasks] = ['cold', 'logs', 'memory', 'workspace', 'tasks'].map(
    (name) => join(folder, name),
  ) as [string, string, string, string, string]
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'AGENTS.md'), 'Moor at berth 9.')
  const options = {
    model: MODEL,
    window: 32_000,
    session: 'agent:harbour:main',
    cold,
    logs,
    memory,
    workspace,
    tasks,
  }
  const context = createNodeContext(options)
  await context.tasks?.add({ id: 'moor', title: 'Moor the Aurora' })
  await context.tasks?.start('moor')
  const { done, system } = await context.fit(messages)
  expect(system).toContain('Moor at berth 9.')
  expect(system).toContain('Moor the Aurora')
  expect(done.warnings).toEqual([])
  expect(readdirSync(logs)).toEqual(['compaction.jsonl'])
  for (const place of [cold, memory, tasks]) expect(existsSync(place)).toBe(true)
  context.close()
  // The next process finds what this one has dropped.
  const next = createNodeContext(options)
  const [found] = await next.search('ship 3')
  expect((await next.recover(found?.id ?? '')).kind).toBe('recovered')
  next.close()
})

test('V2: a model that is named for summaries and cannot be asked costs a warning', async () => {
  const context = createNodeContext({ model: MODEL, window: 32_000, summary: 'nowhere/none' })
  const { done } = await context.fit(messages)
  expect(done.summary).toMatchObject({ by: 'digest' })
  expect(done.warnings.join()).toContain('does not know where nowhere answers')
})

test('U2: where the policy lets it be, the model that answers writes the summary that the named one cannot', async () => {
  const asked: string[] = []
  const answer = REQUIRED_HEADINGS.map((heading) => `${heading}\n- Ship 3 lies at berth 3.`).join('\n')
  vi.stubEnv('ANTHROPIC_API_KEY', 'key')
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    asked.push(`${url} ${JSON.parse(body).model}`)
    return Response.json({ content: [{ type: 'text', text: answer }], usage: {} })
  })
  const written = async (more: Partial<Parameters<typeof createNodeContext>[0]>, fallbackToMain: boolean) => {
    asked.length = 0
    const policy = { summary: { fallbackToMain }, compaction: { qualityRetries: 0 } }
    const { done } = await createNodeContext({ model: MODEL, window: 32_000, policy, ...more }).fit(messages)
    return [done.summary?.by, ...new Set(asked)]
  }
  const url = `https://api.anthropic.com/v1/messages ${MODEL}`
  expect(await written({ summary: 'nowhere/none' }, true)).toEqual([`anthropic/${MODEL}`, url])
  expect(await written({ provider: 'anthropic' }, true)).toEqual([`anthropic/${MODEL}`, url])
  expect(await written({ model: `anthropic/${MODEL}` }, true)).toEqual([`anthropic/${MODEL}`, url])
  expect(await written({ model: 'harbour-7b' }, true)).toEqual(['digest'])
  expect(await written({ summary: 'nowhere/none' }, false)).toEqual(['digest'])
})

test('V2: options that cannot be used are refused on Node as elsewhere', () => {
  const create = (options: unknown) => createNodeContext(options as Parameters<typeof createNodeContext>[0])
  expect(() => create(undefined)).toThrow(/createContext was given undefined/)
  expect(() => create({ model: MODEL, cold: '' })).toThrow(/`cold` is an empty text/)
  expect(() => create({ model: MODEL, cold: 7 })).toThrow(/`cold` is 7/)
  expect(() => create({ model: MODEL, summary: ' ' })).toThrow(/`summary` is an empty text/)
  expect(() => create({ model: MODEL, colt: './x' })).toThrow(/Did you mean `cold`\?/)
})

test('V2 M18 M23: a folder for sessions has all that was said, once, whatever left the context, and what was counted', async () => {
  const sessions = join(temporaryFolder(), 'sessions')
  const options = {
    model: MODEL,
    provider: 'anthropic',
    window: 32_000,
    session: 'agent:harbour:main',
    sessions,
  }
  const index = () => JSON.parse(readFileSync(join(sessions, 'sessions.json'), 'utf8'))['agent:harbour:main']
  const lines = () =>
    readFileSync(index().sessionFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const said = () => lines().flatMap(({ message }) => (message === undefined ? [] : [message]))
  const context = createNodeContext(options)
  const list = [...messages]
  expect((await context.fit(list)).done.dropped.length).toBeGreaterThan(0)
  expect(said()).toEqual(list)
  context.report({ input_tokens: 9_000, output_tokens: 30 })
  list.push(
    { role: 'assistant', content: [{ type: 'text', text: 'Berth 4.' }] },
    { role: 'user', content: 'Thanks.' },
  )
  expect((await context.fit(list)).done).toMatchObject({ steps: [], warnings: [] })
  expect(said()).toEqual(list)
  expect(index()).toMatchObject({
    model: MODEL,
    inputTokens: 9_000,
    outputTokens: 30,
    totalTokensFresh: true,
  })
  expect(lines().filter(({ type }) => type === 'compaction')).toHaveLength(1)
  list.push({ role: 'assistant', content: [{ type: 'text', text: 'Fair wind.' }] })
  await context.sessionEnd(list)
  expect(said()).toEqual(list)
  context.close()
  // A process that goes on brings the whole list, and nothing is written twice.
  const next = createNodeContext(options)
  list.push({ role: 'user', content: 'And the Borealis?' })
  await next.fit(list)
  expect(said()).toEqual(list)
  next.close()
})

test('Q1 V2: a switch of the logs that is off leaves no file of its kind, and the others are written', async () => {
  const logs = join(temporaryFolder(), 'logs')
  const options = { model: MODEL, window: 32_000, logs }
  const on = createNodeContext(options)
  expect((await on.fit(messages)).done.steps).toContain('compact')
  expect(readdirSync(logs)).toContain('compaction.jsonl')
  on.close()
  rmSync(logs, { recursive: true })
  const off = createNodeContext({ ...options, policy: { logs: { compaction: false } } })
  expect((await off.fit(messages)).done.steps).toContain('compact')
  const [found] = await off.search('ship 3')
  await off.recover(found?.id ?? '')
  expect(readdirSync(logs)).toEqual(['recovery.jsonl'])
  off.close()
})
