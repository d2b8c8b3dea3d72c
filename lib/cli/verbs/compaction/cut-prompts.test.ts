import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder } from '../../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }

/** A transcript of a model whose host cuts prompts to 4,096 tokens, and its file. */
function cutSession(name: string): { file: string; builder: TranscriptBuilder; write: () => void } {
  const builder = new TranscriptBuilder()
  for (let i = 0; i < 40; i++) {
    builder.user(`Read note ${i}. ${'cargo berth tide quay crane '.repeat(60)}`)
    builder.assistant('Read.', {
      usage: { input: Math.min(4096, 900 + 420 * (i + 1)), output: 20 },
      model: 'llama3.2:3b',
    })
  }
  const file = join(folder, `${name}.jsonl`)
  return { file, builder, write: () => writeFileSync(file, builder.text()) }
}

async function json(...argv: string[]) {
  return JSON.parse((await runCli([...argv, '--json'], { env })).stdout)
}

it('B5 context says what the provider saw of a call, and which entries it may have lost', async () => {
  const { file, write } = cutSession('context')
  write()
  const call = await json('context', file, '--call', 'last')
  expect(call).toMatchObject({ seen: 'cut', seenTokens: 4096, window: 4096, windowSource: 'cut' })
  expect(call.total).toMatchObject({ basis: 'estimated' })
  expect(call.total.value).toBeGreaterThan(15_000)
  const unknown = call.entries.map((entry: { seen?: string }) => entry.seen === 'unknown')
  expect(unknown[0]).toBe(true)
  expect(unknown.at(-1)).toBe(false)
  expect(unknown.indexOf(false)).toBe(unknown.lastIndexOf(true) + 1)
  expect(await json('context', file, '--call', '3')).toMatchObject({ seen: 'all' })
  expect(await json('context', file, '--call', 'next')).toMatchObject({ seen: 'cut', seenTokens: 4096 })
  const { stdout } = await runCli(['context', file, '--call', 'last'], { env })
  expect(stdout).toMatch(
    /The provider cut this prompt to 4.096; some 1\d(\.\d)?k tokens at its beginning were not seen/,
  )
  expect(stdout).toContain('num_ctx')
})

it('B5 status takes the proved window, and says that the next call will not fit', async () => {
  const { file, write } = cutSession('status')
  write()
  const found = await json('status', file)
  expect(found.window).toMatchObject({ tokens: 4096, source: 'cut', believed: { source: 'default' } })
  expect(found.next).toMatchObject({ basis: 'estimated', state: 'will-not-fit' })
  expect(found.fill.pctOfWindow).toBeGreaterThan(300)
  expect((await runCli(['status', file], { env })).stdout).toContain('num_ctx')
})

it('B5 lines are in the window that the runtime believes in, and both windows are named', async () => {
  const home = join(folder, 'home', '.openclaw')
  const sessions = join(home, 'agents', 'main', 'sessions')
  mkdirSync(sessions, { recursive: true })
  const models = [{ id: 'llama3.2:3b', contextWindow: 65_536 }]
  writeFileSync(
    join(home, 'openclaw.json'),
    JSON.stringify({ models: { providers: { ollama: { models } } } }),
  )
  const { builder } = cutSession('believed')
  const file = join(sessions, 'believed.jsonl')
  writeFileSync(file, builder.text())
  const found = await json('status', file)
  const believed = { tokens: 65_536, source: 'catalogue' }
  expect(found.window).toEqual({ tokens: 4096, source: 'cut', believed })
  expect(found.loadLines[0]).toMatchObject({ tokens: 41_536, passed: false, pct: 63.4 })
  const words =
    /compacts at 41.536 of the 65.536 that OpenClaw 2026\.\S+ believes in; the provider cuts at 4.096/
  expect((await runCli(['status', file], { env })).stdout).toMatch(words)
  const shown = await json('policy', 'show', file)
  expect(shown).toMatchObject({ window: 4096, believed })
  expect(shown.loadLines[0].tokens).toBe(41_536)
  expect((await runCli(['policy', 'show', file], { env })).stdout).toMatch(words)
  expect(await json('health', file)).toMatchObject({ window: 4096, nextCompaction: 41_536 })
})

it('B5 a compaction between cut prompts is said to have freed nothing for that reason', async () => {
  const { file, builder, write } = cutSession('compaction')
  const kept = builder.user('go on')
  builder.compaction('They read notes.', kept)
  for (let i = 0; i < 3; i++) {
    builder.user(`Read this. ${'cargo berth tide quay crane '.repeat(900)}`)
    builder.assistant('Read.', { usage: { input: 4096, output: 20 }, model: 'llama3.2:3b' })
  }
  write()
  const { compactions } = await json('compactions', file)
  expect(compactions).toHaveLength(1)
  expect(compactions[0].oddities).toEqual(['cut-prompts'])
  expect(compactions[0]).toMatchObject({ beforeBasis: 'estimated', afterBasis: 'estimated' })
})
