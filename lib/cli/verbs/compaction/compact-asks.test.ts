import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { loopbackServices } from '../../../testing/loopback'
import { runCli, settledIn } from '../../../testing/run-cli'
import { soundSummary } from '../../../testing/scripted-summarizer'
import { temporaryFolder } from '../../../testing/store-folder'

const running = new AbortController().signal
let folder = ''
let file = ''
let env: Record<string, string> = {}
/** What the model was asked, request by request. */
let asked: string[] = []
let answer = ''
const open = loopbackServices()
/** A model that gives the answer. */
const model: RequestListener = (request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    asked.push(body)
    response.end(JSON.stringify({ choices: [{ message: { content: answer } }] }))
  })
}

beforeEach(async () => {
  asked = []
  folder = temporaryFolder()
  mkdirSync(join(folder, 'store'))
  file = join(folder, 'store', 's1.jsonl')
  const url = `${await open(model)}/v1`
  const policy = {
    compaction: { keepRecentTokens: 400, retries: 1, mode: 'default' },
    summary: { model: 'server/m', url, rolling: { enabled: false } },
  }
  writeFileSync(join(folder, 'plimsoll.json'), JSON.stringify({ policy }))
  env = settledIn(folder)
})

async function compact(...argv: string[]) {
  const run = await runCli(['compact', file, '--now', '--json', ...argv], { env, stop: running })
  expect(run.stderr + run.stdout).not.toContain('"error"')
  return { ...run, value: JSON.parse(run.stdout) }
}

describe('what a model is asked when a stored session is compacted', () => {
  test('D18: the summary before is in every request, so that its facts outlive three compactions', async () => {
    const builder = new TranscriptBuilder()
    for (let round = 0; round < 3; round++) {
      const before = round === 0 ? 0 : builder.lines.length
      for (let i = 0; i < 6; i++) {
        builder.user(`Round ${round}, part ${i}. ${'word '.repeat(150)}`)
        builder.assistant(`Part ${i} of round ${round} is done. ${'yes '.repeat(150)}`)
      }
      answer = soundSummary(`pilot code BRAVO-${round} was agreed`)
      asked = []
      appendLinked(builder.lines.slice(before))
      const { code, value } = await compact()
      expect([code, value.summary?.source]).toEqual([0, 'model'])
      if (round > 0) expect(asked[0]).toContain(`pilot code BRAVO-${round - 1} was agreed`)
    }
  })

  test('D27: the focus reaches the model at a tenth of the window, and the log says that a person asked', async () => {
    const builder = new TranscriptBuilder()
    for (let i = 0; i < 8; i++) {
      builder.user(`Part ${i}. ${'word '.repeat(150)}`)
      builder.assistant(`Done ${i}. ${'yes '.repeat(150)}`)
    }
    writeFileSync(file, builder.text())
    answer = soundSummary('the harbour')
    const { code } = await compact('--focus', 'berth nine alone')
    expect(code).toBe(0)
    expect(asked[0]).toContain('berth nine alone')
    const logs = await runCli(['logs', '--kind', 'compaction', '--json'], { env })
    expect(JSON.parse(logs.stdout)).toMatchObject({ records: [{ trigger: 'manual' }] })
  })
})

/** Appends lines, the first of them behind the last one in the file. */
function appendLinked(lines: readonly string[]): void {
  let before: string | null = null
  try {
    before = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '').id
  } catch {
    writeFileSync(file, `${lines.join('\n')}\n`)
    return
  }
  const [first = '', ...rest] = lines
  const linked = JSON.stringify({ ...JSON.parse(first), parentId: before })
  appendFileSync(file, `${[linked, ...rest].join('\n')}\n`)
}
