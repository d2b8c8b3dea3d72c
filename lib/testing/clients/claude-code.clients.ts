import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { readSavedOutput } from '../../adapters/sources/claude-code/saved-output'
import { savedOutputName } from '../../core/sources/claude-code/saved-output'
import { runCli } from '../run-cli'
import { type FakeMessages, type MessagesRequest, startFakeMessages, textOf } from './fake-messages'
import { installClient } from './install'

/** The release whose transcripts are repaired by what it does with them. */
const CLAUDE = { name: `@anthropic-ai/claude-code-${process.platform}-${process.arch}`, version: '2.1.330' }
const TURN_MS = 120_000

let model: FakeMessages
let home: string
let claude: string

beforeAll(async () => {
  claude = join(installClient(CLAUDE.name, CLAUDE.version), 'claude')
  model = await startFakeMessages(20_000)
  home = mkdtempSync(join(tmpdir(), 'plimsoll-clients-'))
  mkdirSync(join(home, 'work'))
})

afterAll(async () => {
  await model.close()
  rmSync(home, { recursive: true, force: true })
})

/** A turn of the real client; answers the last request that it made for it. */
async function turn(prompt: string, ...options: string[]): Promise<MessagesRequest> {
  const closed = 'http://127.0.0.1:9'
  const running = promisify(execFile)(
    claude,
    ['-p', prompt, ...options, '--output-format', 'json', '--permission-mode', 'bypassPermissions'],
    {
      cwd: join(home, 'work'),
      // Nothing but the model on loopback can be reached.
      env: {
        ...{ NODE_ENV: 'test' as const, PATH: process.env.PATH, HOME: home, IS_SANDBOX: '1' },
        ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-fake' },
        ...{ DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1' },
        ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
        ...{ HTTPS_PROXY: closed, HTTP_PROXY: closed, NO_PROXY: '127.0.0.1' },
      },
      timeout: TURN_MS,
    },
  )
  running.child.stdin?.end()
  await running
  const last = model.requests.findLast(({ messages }) =>
    messages.some((message) => message.role === 'user' && textOf(message).includes(prompt)),
  )
  if (last === undefined) throw new Error(`${prompt} was not asked`)
  return last
}

function transcript(): string {
  const projects = join(home, '.claude', 'projects')
  const folder = join(projects, readdirSync(projects)[0] ?? '')
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '')
}

/** As if nobody had written to it for a while. */
function rested(file: string): void {
  const at = Date.now() / 1000 - 600
  utimesSync(file, at, at)
}

async function plimsoll(...argv: string[]) {
  const env = { HOME: home, PLIMSOLL_HOME: join(home, 'state') }
  const { code, stdout, stderr } = await runCli([...argv, '--json'], { env })
  return { code, stderr, value: stdout === '' ? null : JSON.parse(stdout) }
}

const saidTo = ({ messages }: MessagesRequest) => messages.map(textOf).join('\n')

const blocksOf = ({ messages }: MessagesRequest, kind: string) =>
  messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === kind),
  )

const resultsOf = (request: MessagesRequest) => blocksOf(request, 'tool_result')

const callsOf = (request: MessagesRequest) => blocksOf(request, 'tool_use')

describe('a transcript that a crash damaged', () => {
  it('is resumed by the real Claude Code with all that a repair could save, and undone to the byte', async () => {
    await turn('First about the barrel.')
    await turn('RUN: echo barrel-seven', '--continue')
    const whole = await turn('Third about the mast.', '--continue')
    expect(resultsOf(whole)).toHaveLength(1)

    // A line in the middle and the last one are torn: what follows the first hangs on nothing.
    const file = transcript()
    const lines = readFileSync(file, 'utf8').split('\n')
    const at = lines.findIndex((line) => line.includes('"tool_use"') && line.includes('"type":"assistant"'))
    lines[at] = (lines[at] ?? '').slice(0, 80)
    writeFileSync(file, `${lines.join('\n')}{"parentUuid":"x","isSidech`)
    const damaged = readFileSync(file)
    rested(file)

    expect((await plimsoll('repair', file, '--check')).code).toBe(1)
    const repaired = await plimsoll('repair', file, '--apply')
    expect(repaired).toMatchObject({ code: 0, value: { verified: true } })
    const after = readFileSync(file)
    const saved = await turn('Fourth, after the repair.', '--continue')
    for (const text of ['First about', 'Answer 1.', 'RUN: echo', 'Third about', 'Answer 4.', 'Fourth, after'])
      expect(saidTo(saved)).toContain(text)
    // The result of the call that was torn went with it: no provider takes one without its call.
    expect(resultsOf(saved)).toEqual([])
    expect(callsOf(saved)).toEqual([])

    writeFileSync(file, after)
    rested(file)
    expect((await plimsoll('undo', repaired.value.receipt)).code).toBe(0)
    expect(readFileSync(file).equals(damaged)).toBe(true)
  })
})

test('an output that the real client did not send is read whole from beside its transcript', async () => {
  await turn('RUN: seq 1 20000', '--continue')
  const results = readFileSync(transcript(), 'utf8')
    .split('\n')
    .filter((line) => line.includes('<persisted-output>'))
  const content = JSON.parse(results[0] ?? '{}').message.content[0].content
  const name = savedOutputName(content)
  const place = { path: transcript() }
  const whole = readSavedOutput({ root: realpathSync(join(home, '.claude', 'projects')) }, place, name ?? '')
  expect(whole.trimEnd().split('\n')).toEqual(Array.from({ length: 20_000 }, (_, i) => String(i + 1)))
})
