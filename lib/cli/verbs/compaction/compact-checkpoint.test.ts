import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { agentMemoryFolder } from '../../../adapters/memory/agent-memory-folder'
import type { ContentMessage } from '../../../core/history/thinking'
import { DEFAULT_POLICY } from '../../../core/policy/default-policy'
import type { Policy } from '../../../core/policy/policy'
import { SummaryChain } from '../../../engine/summary/summary-chain'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { liveAgent } from '../../../testing/live-conversation'
import { loopbackServices } from '../../../testing/loopback'
import { runCli, settledIn } from '../../../testing/run-cli'
import { scriptedSummarizer, standingClock } from '../../../testing/scripted-summarizer'
import { temporaryFolder } from '../../../testing/store-folder'

const TURNS = 40
const BODY = {
  summary: 'The quay is half marked.',
  topics: ['quay'],
  decisions: ['white paint'],
  questions: ['berth 9?'],
}
const { summary } = DEFAULT_POLICY
/** Notes small conversations as well. */
const soon: Policy = {
  ...DEFAULT_POLICY,
  summary: { ...summary, checkpoint: { ...summary.checkpoint, minTokens: 1_000, everyTurns: 1 } },
}
const running = new AbortController().signal
let folder = ''
let file = ''
let env: Record<string, string> = {}
/** What the model of the policy was asked. */
let asked = 0
const open = loopbackServices()

beforeEach(async () => {
  asked = 0
  folder = temporaryFolder()
  mkdirSync(join(folder, 'store'))
  file = join(folder, 'store', 's1.jsonl')
  const url = await open((_request, response) => {
    asked += 1
    response.end('{}')
  })
  const settings = {
    agentMemory: ['memory'],
    policy: {
      compaction: { keepRecentTokens: 2_000, retries: 1 },
      summary: { model: 'ollama/m', url, rolling: { enabled: false } },
    },
  }
  writeFileSync(join(folder, 'plimsoll.json'), JSON.stringify(settings))
  env = settledIn(folder)
})

/** Writes the transcript, all turns, and what its agent noted when so many of them were done. */
async function session(checkpointAfter: number, saying = 'part'): Promise<void> {
  const builder = new TranscriptBuilder()
  for (let i = 0; i < TURNS; i++) {
    builder.user(`Please do ${saying} ${i}.`)
    builder.assistant('', { calls: [`c${i}`] })
    builder.result(`c${i}`, `result ${i} ${'data '.repeat(200)}`)
    builder.assistant(`We decided to keep ${saying} ${i} in src/${saying}${i}.ts.`)
  }
  const messages = builder.lines.flatMap((line): ContentMessage[] => {
    const { message } = JSON.parse(line) as { message?: ContentMessage & { toolCallId?: string } }
    if (message === undefined) return []
    const calls = Array.isArray(message.content)
      ? message.content.filter((block): block is { type: string; id: string } => block.type === 'toolCall')
      : []
    return [
      {
        ...message,
        ...(calls.length === 0 ? {} : { calls }),
        ...(message.toolCallId === undefined ? {} : { resultFor: message.toolCallId }),
      },
    ]
  })
  if (saying === 'part') writeFileSync(file, builder.text())
  if (checkpointAfter === 0) return
  const { context } = liveAgent(messages.slice(0, checkpointAfter * 4), soon, {
    session: 's1',
    memory: agentMemoryFolder(join(folder, 'memory')),
    chain: new SummaryChain([scriptedSummarizer('a/m', [JSON.stringify(BODY)])], standingClock()),
  })
  expect((await context.afterResponse()).checkpoint?.body).toEqual(BODY)
}

async function compact(...argv: string[]) {
  const done = await runCli(['compact', 's1', ...argv, '--store', join(folder, 'store'), '--json'], {
    env,
    cwd: folder,
    stop: running,
  })
  return { ...done, value: JSON.parse(done.stdout) }
}

describe('E11: a stored session whose agent keeps a checkpoint of it', () => {
  test('the checkpoint is the summary, in the dry run and in the run, and no model is asked', async () => {
    await session(30)
    const dry = await compact('--show-summary')
    expect(dry.value).toMatchObject({ summary: { source: 'checkpoint' }, cost: { calls: 0, usd: 0 } })
    const rules = new Set(dry.value.chunks.map(({ rule }: { rule: string }) => rule))
    expect(rules.has('checkpoint')).toBe(true)
    expect(dry.value.text).toContain('The quay is half marked.')

    const { value } = await compact('--now')
    expect(value).toMatchObject({
      verified: true,
      firstKeptEntryId: dry.value.firstKeptEntryId,
      summary: { source: 'checkpoint', model: null, calls: 0, inputTokens: 0 },
    })
    expect(asked).toBe(0)
    const record = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '')
    expect(record.summary).toBe(dry.value.text)
    expect(record.summary).toContain('## Decisions\n- white paint')
    // What came after the checkpoint and does not stay is in it as well; what the checkpoint covers is not in it twice.
    expect(record.summary).toContain('src/part31.ts')
    expect(record.summary).not.toContain('src/part12.ts')
  })

  test.each([
    ['covers less than half', () => session(10)],
    ['is about another conversation', () => session(0).then(() => session(30, 'leg'))],
  ])('a checkpoint that %s is not used', async (_what, prepare) => {
    await prepare()
    const { value } = await compact()
    expect(value.summary.source).toBe('model')
    expect(value.cost.calls).toBeGreaterThan(0)
  })

  test('whoever names a focus, or asks for a digest, gets a summary made for it', async () => {
    await session(30)
    expect((await compact('--focus', 'berth 9')).value.summary.source).toBe('model')
    expect((await compact('--digest')).value.summary.source).toBe('digest')
    const { value } = await compact('--digest', '--now')
    expect(value.summary).toMatchObject({ source: 'digest' })
    expect(asked).toBe(0)
  })

  test('a memory that cannot be read is said, and a model is asked as if there were none', async () => {
    await session(0)
    const memory = agentMemoryFolder(join(folder, 'memory'))
    await memory.addStepCheckpoint({ session: 's1', at: 1, plan: { goal: null, steps: [] }, closed: true })
    const name = readdirSync(join(folder, 'memory'))[0] ?? ''
    writeFileSync(join(folder, 'memory', name), '{')
    const { value, stderr } = await compact()
    expect(value.summary.source).toBe('model')
    expect(stderr).toContain(name)
  })
})
