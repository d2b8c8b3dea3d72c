import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../core/memory/checkpoint'
import type { StepCheckpoint } from '../../core/memory/step-checkpoint'
import {
  AGENT_START,
  type AgentMemory,
  KEPT_CHECKPOINTS,
  transientMemory,
} from '../../engine/knowledge/agent-memory'
import { temporaryFolder } from '../../testing/store-folder'
import { agentMemoryFolder } from './agent-memory-folder'

const SESSION = 'agent:harbour:telegram:group:-100/42'
const checkpoint = (id: string): Checkpoint => ({
  id,
  session: SESSION,
  at: 1,
  uptoEntryId: 'k',
  uptoSeq: 3,
  covered: 100,
  tokens: 10,
  body: { summary: 'S', topics: [], decisions: ['d'], questions: [] },
})

let folder = ''
beforeEach(() => {
  folder = temporaryFolder()
})

const kinds: readonly [string, () => AgentMemory][] = [
  ['in the process', transientMemory],
  ['in a folder', () => agentMemoryFolder(join(folder, 'memory'))],
]

describe.each(kinds)('E6, E9: what is remembered of a conversation, %s', (_, open) => {
  test('comes back as it was, for its own session alone', async () => {
    const memory = open()
    expect(await memory.load(SESSION)).toBeNull()
    const rolling = { text: 'S', tokens: 3, covered: 4, key: 'k' }
    const state = { ...AGENT_START, turns: 3, rolling }
    await memory.save(SESSION, state)
    expect(await memory.load(SESSION)).toEqual(state)
    expect(await memory.load('another')).toBeNull()
  })

  test('keeps the newest checkpoints, also those written at once, beside the state', async () => {
    const memory = open()
    await Promise.all([
      memory.save(SESSION, AGENT_START),
      ...Array.from({ length: KEPT_CHECKPOINTS + 3 }, (_, i) => memory.addCheckpoint(checkpoint(String(i)))),
    ])
    const kept = await memory.checkpoints(SESSION)
    expect(kept.map(({ id }) => id)).toEqual(['3', '4', '5', '6', '7'])
    expect(kept[0]).toEqual(checkpoint('3'))
    expect(await memory.load(SESSION)).toEqual(AGENT_START)
  })
})

test('E12: steps of a plan outlive the process, the newest five; a file without them is read', async () => {
  const memory = agentMemoryFolder(folder)
  await memory.save(SESSION, AGENT_START)
  const file = join(folder, readdirSync(folder)[0] ?? '')
  const { steps, ...before } = JSON.parse(readFileSync(file, 'utf8')) as { steps: unknown }
  expect(steps).toEqual([])
  writeFileSync(file, JSON.stringify(before))
  const note = (at: number): StepCheckpoint => ({
    session: SESSION,
    at,
    plan: { goal: null, steps: [{ title: 'Paint the marks', state: 'active' }] },
    closed: false,
  })
  await Promise.all([1, 2, 3, 4, 5, 6, 7].map((at) => memory.addStepCheckpoint(note(at))))
  const kept = await agentMemoryFolder(folder).stepCheckpoints(SESSION)
  expect(kept).toEqual([3, 4, 5, 6, 7].map(note))
  expect(await agentMemoryFolder(folder).load(SESSION)).toEqual(AGENT_START)
})

test('E12: killed while it writes, the notes before are whole', async () => {
  const memory = agentMemoryFolder(folder)
  const plan = { goal: null, steps: [{ title: 'Paint the marks', state: 'open' as const }] }
  await memory.addStepCheckpoint({ session: SESSION, at: 1, plan, closed: false })
  // What a process leaves that ends between writing its part and putting it in place.
  const file = readdirSync(folder)[0] ?? ''
  writeFileSync(join(folder, `${file}.4711.tmp`), '{"session":"agent:har')
  const next = agentMemoryFolder(folder)
  expect(await next.stepCheckpoints(SESSION)).toHaveLength(1)
  await next.addStepCheckpoint({ session: SESSION, at: 2, plan, closed: false })
  expect(await next.stepCheckpoints(SESSION)).toHaveLength(2)
})

test('a folder outlives its process, is for its owner alone, and leaves nothing half written', async () => {
  await agentMemoryFolder(folder).addCheckpoint(checkpoint('a'))
  expect(await agentMemoryFolder(folder).checkpoints(SESSION)).toHaveLength(1)
  const [name = '', ...more] = readdirSync(folder)
  expect(more).toEqual([])
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
})

test.each(['{"session":', '[]', '{"session":"s","state":{},"checkpoints":[]}'])(
  'a file that holds %s is an error that names it, and stays as it is',
  async (text) => {
    await agentMemoryFolder(folder).save(SESSION, AGENT_START)
    const file = join(folder, readdirSync(folder)[0] ?? '')
    writeFileSync(file, text)
    await expect(agentMemoryFolder(folder).load(SESSION)).rejects.toThrow(file)
    await expect(agentMemoryFolder(folder).save(SESSION, AGENT_START)).rejects.toThrow('move it away')
    expect(statSync(file).size).toBe(text.length)
  },
)
