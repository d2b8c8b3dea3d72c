import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { writeDemoFiles } from '../../adapters/files/demo-files'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
let store = ''

beforeAll(async () => {
  const roots = await writeDemoFiles({ home: folder, now: Date.parse('2026-11-21T12:00:00Z') })
  store = roots.find((root) => root.kind === 'openclaw')?.path ?? ''
})

const run = (...argv: string[]) => runCli([...argv, '--store', store], { env, cwd: folder })

type Scores = {
  readonly scorer: string
  readonly similarityBy: string
  readonly chunks: readonly {
    readonly chunkId: string
    readonly score: number
    readonly scale: string
    readonly action: string
    readonly reason: string
    readonly parts: readonly { readonly name: string; readonly value: number }[]
  }[]
}

const reported = async (...argv: string[]): Promise<Scores> =>
  JSON.parse((await run('score', ...argv, '--json')).stdout)

test('H11: parts that sum to the score, for either scorer, and what the policy would do with each chunk', async () => {
  for (const scorer of ['seed', 'logistic']) {
    const { chunks, ...head } = await reported(
      '--prompt',
      'Which berth is free?',
      '--scorer',
      scorer,
      '--policy',
      'memfas',
    )
    expect(head).toMatchObject({ scorer, similarityBy: 'bm25+hash' })
    expect(chunks.length).toBeGreaterThan(5)
    for (const { score, scale, parts } of chunks) {
      const sum = parts.reduce((total, { value }) => total + value, 0)
      expect(scale === 'sum' ? sum : 1 / (1 + Math.exp(-sum))).toBeCloseTo(score, 9)
    }
    // H6: the last five stay.
    expect(chunks.slice(-5).map(({ action }) => action)).toEqual(Array(5).fill('keep'))
    expect(new Set(chunks.map(({ action }) => action)).size).toBeGreaterThan(1)
  }
})

test('another prompt gives other scores; one chunk by its id; the table says the sum and the reason', async () => {
  const berth = await reported('--prompt', 'Which berth is free?')
  const other = await reported('--prompt', 'How do I bake bread?')
  expect(berth.chunks.map(({ score }) => score)).not.toEqual(other.chunks.map(({ score }) => score))
  const id = berth.chunks[2]?.chunkId ?? ''
  const one = await run('score', '--prompt', 'Which berth is free?', '--chunk-id', id)
  expect(one.stdout).toContain('Against: Which berth is free?')
  expect(one.stdout).toMatch(/similarity [\d.]+.* \+ recency [\d.]+ \+ importance 0 = [\d.]+/)
  expect(one.stdout).toMatch(/would be dropped/)
  expect((await run('score', '--chunk-id', 'nobody')).code).toBe(2)
  expect((await run('score', '--call', '99999')).code).toBe(2)
})

test('H2 A4: status, score, prune and compact warn of values that contradict each other, once, with file and line', async () => {
  const file = join(folder, 'odd.yaml')
  writeFileSync(file, 'policy:\n  relevance:\n    cutoff: 0.8\n  budget:\n    historyRatio: 0.9\n')
  const key = JSON.parse((await run('sessions', '--json')).stdout).sessions[0].key
  for (const verb of [
    ['status', key],
    ['score', key, '--prompt', 'berth'],
    ['prune', key],
    ['compact', key, '--dry-run'],
  ]) {
    const said = (await run(...verb, '--policy', 'odd.yaml')).stderr.trim().split('\n')
    const warned = said.filter((line) => line.startsWith('warning: '))
    expect(warned).toEqual([
      expect.stringMatching(/odd\.yaml:5 policy\.budget\.historyRatio: the ratios add up to/),
      expect.stringMatching(/odd\.yaml:3 policy\.relevance\.cutoff: the keep threshold .* above the cut-off/),
    ])
    writeFileSync(
      join(folder, 'narrow.yaml'),
      'overrides:\n  - session: "*"\n    policy: { relevance: { cutoff: 0.8 } }\n',
    )
    expect((await run(...verb, '--policy', 'narrow.yaml')).stderr).toMatch(
      /narrow\.yaml:3 overrides\[0\]\.policy\.relevance\.cutoff: the keep threshold/,
    )
    expect((await run(...verb, '--policy', 'memfas')).stderr).not.toContain('warning: ')
  }
})
