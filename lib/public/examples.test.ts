import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { sharedFolder } from '../testing/store-folder'
import { LADDER_EXAMPLE } from '../view/help/ladder-example'
import { MEMORY_EXAMPLE } from '../view/memory/memory-example'

/** The example that the README shows. */
const README_EXAMPLE =
  /```ts\n(import .* from 'plimsoll'\n.*?)```/s.exec(
    readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8'),
  )?.[1] ?? ''

const before = process.cwd()
const folder = sharedFolder()
beforeAll(() => {
  process.chdir(folder)
  writeFileSync(
    'plimsoll.yaml',
    'policy:\n  lines:\n    compact: { at: 0.00001 }\n  compaction: { keepRecentTokens: 200 }\n  logs: { path: logs }\n',
  )
  mkdirSync('workspace/memory', { recursive: true })
  writeFileSync('workspace/AGENTS.md', 'Moor at berth 9.')
  writeFileSync('workspace/memory/crane.md', 'The crane controller logs to /var/log/crane.log.')
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => {
  process.chdir(before)
})

/** Runs an example unchanged, on the sources in the place of the package. Answers what it printed. */
async function printedBy(name: string, example: string): Promise<unknown[][]> {
  const sources = { 'plimsoll/knowledge': './knowledge.ts', plimsoll: './index.ts' }
  let code = example
  for (const [from, to] of Object.entries(sources))
    code = code.replaceAll(`from '${from}'`, `from '${fileURLToPath(new URL(to, import.meta.url))}'`)
  writeFileSync(`${name}.ts`, code)
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(/* @vite-ignore */ pathToFileURL(join(folder, `${name}.ts`)).href)
  return print.mock.calls
}

test('V2: the README’s few lines run unchanged, in a folder without anything', async () => {
  const [[sent, steps, after, warnings] = []] = await printedBy('five', README_EXAMPLE)
  expect(sent).toEqual([{ role: 'user', content: 'Which berth is free?' }])
  expect([steps, warnings]).toEqual([[], []])
  expect(after).toMatchObject({ basis: 'estimated' })
  expect(README_EXAMPLE.trim().split('\n').length).toBeLessThan(10)
})

test('V1 V2 B2 T1 Q1: the agent that the help shows, with blocks of tools as APIs have them, runs unchanged', async () => {
  const [[system, sent] = [], [steps, tokens, counted, warnings, turns] = []] = await printedBy(
    'agent',
    LADDER_EXAMPLE,
  )
  expect(system).toContain('Moor at berth 9.')
  expect(sent).toContain('<prior-conversation-summary>')
  expect(sent).toContain('"tool_use_id":"call_49"')
  expect(sent).toContain('Which berth is free?')
  expect(steps).toEqual(['compact'])
  expect(tokens).toMatchObject({ basis: 'estimated' })
  expect(counted).toBeGreaterThan(100)
  expect([warnings, turns]).toEqual([[], 1])
  expect(readdirSync('logs')).toEqual(['compaction.jsonl'])
})

test('K1 G6: the agent with a memory that the help shows runs unchanged', async () => {
  const [[system, problems] = [], [learned] = []] = await printedBy('remember', MEMORY_EXAMPLE)
  expect(system).toContain('## Current Task')
  expect(system).toContain('<context source="memory/crane.md"')
  expect(problems).toEqual([])
  expect(learned).toMatchObject([{ content: 'The crane logs to /var/log/crane.log.' }])
})
