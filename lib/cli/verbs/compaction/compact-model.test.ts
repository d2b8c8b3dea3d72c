import { readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loopbackServices } from '../../../testing/loopback'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder } from '../../../testing/store-folder'
import { demoStoreCopies } from '../../../testing/stores/demo-store'

const folder = sharedFolder()
const running = new AbortController().signal
const store = demoStoreCopies(folder)
const open = loopbackServices()

async function run(argv: readonly string[], variables: Record<string, string> = {}) {
  const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state'), ...variables }
  const done = await runCli([...argv, '--store', store(), '--json'], { env, cwd: folder, stop: running })
  return { ...done, value: JSON.parse(done.stdout) }
}

async function largeSession(): Promise<{ key: string; file: string }> {
  const { value } = await run(['sessions'])
  const all = value.sessions as { key: string; file: string; contextTokens: { value: number } }[]
  return all.find(({ contextTokens }) => contextTokens.value > 100_000) as (typeof all)[number]
}

type Asked = { readonly path: string; readonly model: string }

/** A server on loopback that answers as Ollama does, and nowhere but at /api/chat. */
async function ollama(answer: (response: ServerResponse) => void): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const url = await open(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const path = request.url ?? ''
    asked.push({ path, model: JSON.parse(text).model })
    if (path === '/api/chat') answer(response)
    else response.writeHead(404).end('404 page not found')
  })
  return { url, asked }
}

const SUMMARY = '## Goal\nThe harbour log is kept.'
const answering = (response: ServerResponse) =>
  void response.end(JSON.stringify({ message: { role: 'assistant', content: SUMMARY } }))

/** Seed 1's own settings, in a separate file beside the store. */
function goclaw(ollamaSettings: object): string {
  const file = join(folder, 'goclaw.json')
  // The summary is taken as it comes: what it must hold is another test.
  const defaults = { compaction: { mode: 'default' } }
  writeFileSync(
    file,
    JSON.stringify({ agents: { defaults }, session: { compaction: { ollama: ollamaSettings } } }),
  )
  return file
}

describe('U1: the summariser that GoClaw names', () => {
  test('is asked at Ollama’s own address, by the model’s own name, and its words are in the record', async () => {
    const { url, asked } = await ollama(answering)
    const file = goclaw({ url, model: 'qwen2.5:7b' })
    const { key, file: transcript } = await largeSession()
    const { code, value } = await run(['compact', key, '--now', '--policy', file])
    expect(value).toMatchObject({
      summary: { source: 'model', model: 'ollama/qwen2.5:7b', modelFailed: false },
    })
    expect(code).toBe(0)
    expect(new Set(asked.map(({ path, model }) => `${path} ${model}`))).toEqual(
      new Set(['/api/chat qwen2.5:7b']),
    )
    expect(readFileSync(transcript, 'utf8').trimEnd().split('\n').at(-1)).toContain(
      'The harbour log is kept.',
    )
  })

  test('fails: a digest has its place, which standard error, JSON and exit code 1 say', async () => {
    const { url } = await ollama(
      (response) => void response.writeHead(404).end('{"error":"model not found"}'),
    )
    const file = goclaw({ url, model: 'qwen2.5:7b' })
    const { key } = await largeSession()
    const { code, value, stderr } = await run(['compact', key, '--now', '--policy', file])
    expect(code).toBe(1)
    expect(value).toMatchObject({ verified: true, summary: { source: 'digest', modelFailed: true } })
    expect(stderr).toContain('model not found')
    expect(stderr).toContain('a digest has its place')
  })

  test('without a model no request goes to its address, and that is said', async () => {
    const { url, asked } = await ollama(answering)
    const file = goclaw({ url })
    const { key } = await largeSession()
    const { code, value, stderr } = await run(['compact', key, '--now', '--policy', file])
    expect([code, value.summary.source, asked]).toEqual([0, 'digest', []])
    expect(stderr).toContain(`no model is named for ${url}`)
  })
})

test('B7: the price of a plan is that of the operator’s settings, and is said to be', async () => {
  const { key } = await largeSession()
  const { value: session } = await run(['status', key])
  const settings = join(folder, 'prices.yaml')
  writeFileSync(settings, `prices: { "${session.session.model}": { input: 1000, output: 0 } }\n`)
  const dry = ['compact', key, '--dry-run', '--policy', 'default', '--session-model']
  const listed = await run(dry, { ANTHROPIC_API_KEY: 'not-a-key' })
  const own = await run(dry, { ANTHROPIC_API_KEY: 'not-a-key', PLIMSOLL_CONFIG: settings })
  expect(listed.value.cost.source).toBe('list')
  expect(own.value.cost.source).toBe('settings')
  expect(own.value.cost.usd).toBeCloseTo(own.value.cost.inputTokens / 1000, 9)
  writeFileSync(settings, 'stores: []\nprices: { m: { input: cheap, output: 0 } }\n')
  const wrong = await run(['status', key], { PLIMSOLL_CONFIG: settings })
  expect(wrong.code).toBe(4)
  expect(wrong.stdout).toContain('prices.m.input must be a number of US dollars per million tokens')
})

test('U2: where no model is named, the dry run names the session’s own, and what it costs, where the operator lets it be asked', async () => {
  const { key } = await largeSession()
  const { value: session } = await run(['status', key])
  const { provider, model } = session.session
  expect(provider).toBe('anthropic')
  const plain = ['compact', key, '--dry-run', '--policy', 'default']
  const dry = [...plain, '--session-model']
  const asked = await run(dry, { ANTHROPIC_API_KEY: 'not-a-key' })
  expect(asked.value).toMatchObject({
    summary: { source: 'model', model: `${provider}/${model}` },
    cost: { calls: expect.any(Number), usd: expect.any(Number) },
  })
  expect((await run(dry)).value).toMatchObject({ summary: { source: 'digest', model: null } })
  const on = join(folder, 'on.yaml')
  writeFileSync(on, 'policy: { summary: { fallbackToMain: true } }\n')
  const named = await run(['compact', key, '--policy', on], { ANTHROPIC_API_KEY: 'not-a-key' })
  expect(named.value).toMatchObject({ summary: { source: 'model', model: `${provider}/${model}` } })
  const quiet = await run(plain, { ANTHROPIC_API_KEY: 'not-a-key' })
  expect(quiet.value).toMatchObject({ summary: { source: 'digest', model: null } })
})
