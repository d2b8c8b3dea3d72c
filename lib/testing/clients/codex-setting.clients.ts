import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli'
import { type FakeResponses, startFakeResponses } from './fake-responses'
import { installClient } from './install'

/** The release that our settings for Codex were examined in. */
const CODEX = { name: '@openai/codex', version: '0.169.0' }
/** Above the line that is set, and far below that of the model's window. Tokens. */
const PROMPT = 40_000
const LINE = 24_000
const TURN_MS = 120_000

let model: FakeResponses
let home: string
let codex: string
let turns = 0

beforeAll(async () => {
  codex = join(installClient(CODEX.name, CODEX.version), 'bin/codex.js')
  model = await startFakeResponses(PROMPT)
  home = mkdtempSync(join(tmpdir(), 'plimsoll-clients-'))
  mkdirSync(join(home, '.codex'))
  mkdirSync(join(home, 'work'))
  writeFileSync(config(), settings())
})

afterAll(async () => {
  await model.close()
  rmSync(home, { recursive: true, force: true })
})

const config = () => join(home, '.codex/config.toml')

const settings = () => `# the harbour's own
model = "gpt-5.5"
model_provider = "fake"
approval_policy = "never"
model_auto_compact_token_limit = ${LINE} # early

[analytics]
enabled = false

[model_providers.fake]
name = "Fake"
base_url = "${model.url}"
env_key = "FAKE_KEY"
wire_api = "responses"
`

/** A turn of the real client. Answers how often it asked the model: twice where it compacts first. */
async function turn(): Promise<number> {
  const before = model.answers()
  const resume = turns++ > 0 ? ['resume', '--last'] : []
  const closed = 'http://127.0.0.1:9'
  const running = promisify(execFile)(
    process.execPath,
    [codex, 'exec', ...resume, '--skip-git-repo-check', '--json', `Turn ${turns}.`],
    {
      cwd: join(home, 'work'),
      // Nothing but the model on loopback can be reached.
      env: {
        ...{ NODE_ENV: 'test' as const, PATH: process.env.PATH, HOME: home, FAKE_KEY: 'x' },
        ...{ HTTPS_PROXY: closed, HTTP_PROXY: closed, NO_PROXY: '127.0.0.1' },
      },
      timeout: TURN_MS,
    },
  )
  // It reads what is on standard input first.
  running.child.stdin?.end()
  await running
  return model.answers() - before
}

async function plimsoll(...argv: string[]) {
  const env = { HOME: home, PLIMSOLL_HOME: join(home, 'state') }
  const { code, stdout, stderr } = await runCli([...argv, '--json'], { env })
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${code} ${stderr}${stdout}`)
  return JSON.parse(stdout)
}

describe('a setting that is applied for a finding', () => {
  it('changes where the real Codex compacts, until it is taken back to the byte', async () => {
    const store = ['--store', join(home, '.codex/sessions')]
    const early: number[] = []
    for (let i = 0; i < 5; i++) early.push(await turn())
    expect(early).toEqual([1, 2, 2, 2, 2])

    const { fit } = await plimsoll('policy', 'show', ...store)
    expect(fit.stores[0]).toMatchObject({ recorded: 4, compared: 4, explained: 4 })
    const { findings } = await plimsoll('findings', ...store)
    const chain = findings.find(({ kind }: { kind: string }) => kind === 'compaction-chain')
    const dry = await plimsoll('findings', 'apply', chain.id, '--dry-run', ...store)
    expect(readFileSync(config(), 'utf8')).toBe(settings())
    expect(dry).toMatchObject({ key: 'model_auto_compact_token_limit', from: LINE, changed: false })
    expect(dry.sessions[0]).toMatchObject({ lineNow: LINE, nextNow: true, nextThen: false })

    const done = await plimsoll('findings', 'apply', chain.id, ...store)
    expect(readFileSync(config(), 'utf8')).toBe(
      settings().replace(`= ${LINE} # early`, `= ${done.to} # early`),
    )
    expect([await turn(), await turn()]).toEqual([1, 1])

    await plimsoll('undo', done.receipt)
    expect(readFileSync(config(), 'utf8')).toBe(settings())
    expect(await turn()).toBe(2)
  })
})
