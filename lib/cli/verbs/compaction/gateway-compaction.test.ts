import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentDatabaseBuilder } from '../../../testing/builders/agent-database'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder } from '../../../testing/store-folder'
import { GATEWAY_KEY, GATEWAY_RECORD, gatewayDatabase } from '../../../testing/stores/gateway-session'

const LIBSQL = createRequire(import.meta.url).resolve('libsql')
const SAID = { ok: true, key: GATEWAY_KEY, compacted: true, result: { tokensBefore: 9000, tokensAfter: 900 } }

let folder = ''
let database: AgentDatabaseBuilder
beforeEach(() => {
  folder = temporaryFolder()
  database = gatewayDatabase(join(folder, 'store/agents/main/agent/openclaw-agent.sqlite'))
})
afterEach(() => {
  database.close()
})

/** A command in the place of OpenClaw's: it notes how it was called, adds a record, and answers. */
function fakeGateway(behaviour: { record?: object; answer?: unknown; after?: string }): string {
  const { record, answer = SAID, after = '' } = behaviour
  const file = join(folder, 'openclaw.cjs')
  writeFileSync(
    file,
    `const { writeFileSync } = require('node:fs')
    writeFileSync(${JSON.stringify(join(folder, 'called.json'))}, JSON.stringify(process.argv.slice(2)))
    const record = ${JSON.stringify(record ?? null)}
    if (record !== null) {
      const Database = require(${JSON.stringify(LIBSQL)})
      const database = new Database(${JSON.stringify(join(folder, 'store/agents/main/agent/openclaw-agent.sqlite'))})
      database.prepare("INSERT INTO transcript_events VALUES ('s1', 25, ?, 1, NULL, ?, NULL)").run(JSON.stringify(record), 200)
      database.close()
    }
    ${after}
    console.log(${JSON.stringify(typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2))})`,
  )
  return file
}

async function compact(command: readonly string[] | null, ...argv: string[]) {
  const settings = join(folder, 'plimsoll.json')
  const gateway = command === null ? {} : { gateway: { command, timeoutSeconds: 1 } }
  writeFileSync(settings, JSON.stringify(gateway))
  const env = {
    HOME: folder,
    PLIMSOLL_HOME: join(folder, 'state'),
    PLIMSOLL_CONFIG: settings,
    PLIMSOLL_STORES: join(folder, 'store'),
    OPENCLAW_GATEWAY_TOKEN: 'kept-out-of-sight',
  }
  const stop = new AbortController().signal
  return runCli(['compact', GATEWAY_KEY, '--now', '--json', ...argv], { env, stop })
}

const by = (behaviour: Parameters<typeof fakeGateway>[0]) => [process.execPath, fakeGateway(behaviour)]

describe('a session in a database of OpenClaw', () => {
  it('is compacted by the gateway, and what the database then holds is what is reported', async () => {
    const done = await compact(by({ record: GATEWAY_RECORD }))
    expect(done.code, done.stderr).toBe(0)
    const value = JSON.parse(done.stdout)
    expect(value).toMatchObject({
      by: 'gateway',
      record: 'gate0001',
      firstKeptEntryId: 'e21',
      verified: true,
    })
    expect(value.tokensAfter.value).toBeLessThan(value.tokensBefore.value)
    const called: string[] = JSON.parse(readFileSync(join(folder, 'called.json'), 'utf8'))
    expect(called.slice(0, 4)).toEqual(['gateway', 'call', 'sessions.compact', '--params'])
    expect(JSON.parse(called[4] ?? '')).toEqual({ key: GATEWAY_KEY, agentId: 'main' })
    expect(called.join()).not.toContain('kept-out-of-sight')
  })

  it.each([
    { ok: true, key: GATEWAY_KEY, compacted: false, reason: 'no transcript' },
    { ok: false, key: GATEWAY_KEY, compacted: false, reason: 'Already compacted' },
    { ok: false, key: GATEWAY_KEY, compacted: false, reason: 'Nothing to compact (session too small)' },
  ])('"nothing to compact" is an answer: $reason', async (answer) => {
    const done = await compact(by({ answer }))
    expect(done.code).toBe(0)
    expect(JSON.parse(done.stdout)).toMatchObject({ reason: answer.reason })
  })

  it.each([
    ['says so and did nothing', {}, 'no new record'],
    [
      'names an entry that is not there',
      { record: { ...GATEWAY_RECORD, firstKeptEntryId: 'gone' } },
      'gone, is not there',
    ],
    [
      'added its record beside the branch',
      { record: { ...GATEWAY_RECORD, parentId: 'e2', id: 'gate0002', firstKeptEntryId: 'e24' } },
      'is not there',
    ],
  ])('a gateway that %s is not believed', async (_, behaviour, message) => {
    const done = await compact(by(behaviour))
    expect(done.code).toBe(5)
    expect(done.stderr + done.stdout).toContain(message)
  })

  it('a record that keeps nothing word for word is understood', async () => {
    const { firstKeptEntryId: _, ...record } = GATEWAY_RECORD
    const done = await compact(by({ record }))
    expect(JSON.parse(done.stdout)).toMatchObject({ verified: true, firstKeptEntryId: null })
  })

  it.each([
    ['answers with no JSON', { answer: 'Gateway not running' }, 'something else than JSON'],
    ['says no', { answer: { ok: false, error: 'busy' } }, 'did not compact'],
    ['has no model', { answer: { ok: false, compacted: false, reason: 'No API key found' } }, 'No API key'],
    ['fails', { after: 'console.error("no token"); process.exit(7)' }, 'ended with 7: no token'],
    ['hangs', { after: 'setInterval(() => undefined, 1000); return' }, 'did not end within 6 s'],
  ])('a command that %s is a refusal that says so', async (_, behaviour, message) => {
    const done = await compact(by(behaviour))
    expect(done.code).toBe(3)
    expect(done.stderr + done.stdout).toContain(message)
  })

  it('without a command, or with one that is not there, it is said what to set', async () => {
    const none = await compact(null)
    expect(none.code).toBe(3)
    expect(none.stderr + none.stdout).toContain('gateway: { command: openclaw }')
    const wrong = await compact([join(folder, 'no-such-program')])
    expect(wrong.code).toBe(3)
    expect(wrong.stderr + wrong.stdout).toContain('gateway.command')
  })
})
