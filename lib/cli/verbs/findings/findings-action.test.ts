import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder, writeFiles } from '../../../testing/store-folder'

/** A transcript with a line that is cut off. */
function damaged(): string {
  const builder = new TranscriptBuilder({ id: 'damaged' })
  builder.user('Count the berths.')
  builder.raw('{"type":"message","id":"torn","parentId":"e1","mess')
  builder.assistant('Nine.', { usage: { input: 5_000, output: 10 } })
  return builder.text()
}

/** Calls that are refused as too long, with no compaction between them. */
function tooLong(): string {
  const builder = new TranscriptBuilder({ id: 'long' })
  for (let i = 0; i < 12; i++) {
    builder.user(`Look at berth ${i}. ${'The tide comes in. '.repeat(300)}`)
    builder.assistant('It is free. '.repeat(200), { usage: { input: 20_000 + i * 2_000, output: 600 } })
  }
  for (let i = 0; i < 3; i++) {
    builder.user('Go on.')
    builder.assistant('', {
      stop: 'error',
      fields: { errorMessage: 'prompt is too long: 210000 tokens > 200000 maximum' },
    })
  }
  return builder.text()
}

let folder: string
let env: Record<string, string>
const FILE = 'pi/.pi/agent/sessions/--w--/2026-11-01T08-00-00-000Z'
const store = () => join(folder, 'pi/.pi/agent/sessions')
const run = (...argv: string[]) =>
  runCli([...argv, '--store', store()], { env, stop: new AbortController().signal })
const text = (id: string) => readFileSync(join(folder, `${FILE}_${id}.jsonl`), 'utf8')
const everything = () => readdirSync(folder, { recursive: true }).map(String).sort()

beforeEach(() => {
  folder = temporaryFolder()
  env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
  writeFiles(folder, { [`${FILE}_damaged.jsonl`]: damaged(), [`${FILE}_long.jsonl`]: tooLong() })
  // What was just written may be at work.
  const before = new Date(Date.now() - 86_400_000)
  for (const id of ['damaged', 'long']) utimesSync(join(folder, `${FILE}_${id}.jsonl`), before, before)
})

async function idOf(kind: string): Promise<string> {
  const { findings } = JSON.parse((await run('findings', '--json')).stdout)
  return findings.find((finding: { kind: string }) => finding.kind === kind).id
}

describe('plimsoll findings apply, where one of our own actions helps', () => {
  it('repairs: shown first without a byte written, then done, and undone to the byte', async () => {
    const id = await idOf('damaged-transcript')
    const before = everything()
    const shown = JSON.parse((await run('findings', 'apply', id, '--dry-run', '--json')).stdout)
    expect(shown).toMatchObject({
      finding: id,
      kind: 'action',
      action: 'repair',
      dryRun: true,
      changed: false,
    })
    expect(shown.result).not.toBeNull()
    expect(everything()).toEqual(before)
    const { code, stdout } = await run('findings', 'apply', id, '--json')
    expect(code).toBe(0)
    const done = JSON.parse(stdout)
    expect(done).toMatchObject({ action: 'repair', changed: true })
    expect(text('damaged')).not.toContain('"torn"')
    const { receipt } = done.result
    expect((await runCli(['undo', receipt.id ?? receipt], { env })).code).toBe(0)
    expect(text('damaged')).toBe(damaged())
  })

  it('compacts a session that cannot go on, and says so in words', async () => {
    const id = await idOf('overflow-uncompacted')
    const shown = await run('findings', 'apply', id, '--dry-run')
    expect(shown.code).toBe(0)
    expect(shown.stdout).toContain('Preview of: plimsoll compact long --now')
    expect(shown.stdout).toContain(
      `Another way: plimsoll findings apply ${id} --key compaction.reserveTokens`,
    )
    expect(text('long')).toBe(tooLong())
    const done = await run('findings', 'apply', id)
    expect([done.code, done.stderr]).toEqual([0, expect.any(String)])
    expect(text('long')).toContain('"type":"compaction"')
  })

  it('maintains a store that only grows: shown first without a byte written, then done, and undone', async () => {
    const sessions = join(folder, 'claw/agents/main/sessions')
    const DAY = 86_400_000
    const lost = Array.from({ length: 25 }, (_, i) => `agents/main/sessions/lost${i}.jsonl`)
    writeFiles(join(folder, 'claw'), {
      'openclaw.json': JSON.stringify({ gateway: { port: 1 }, session: { maintenance: { mode: 'warn' } } }),
      'agents/main/sessions/sessions.json': JSON.stringify({
        'agent:main:main': { sessionId: 'main', updatedAt: Date.now() },
      }),
      'agents/main/sessions/main.jsonl': `{"type":"session","version":3,"id":"main"}\n`,
      ...Object.fromEntries(
        lost.map((name, i) => [name, `{"type":"session","version":3,"id":"lost${i}"}\n`]),
      ),
    })
    const old = new Date(Date.now() - 50 * DAY)
    const age = () => {
      for (const name of lost) utimesSync(join(folder, 'claw', name), old, old)
    }
    age()
    const claw = (...argv: string[]) =>
      runCli([...argv, '--store', join(folder, 'claw')], { env, stop: new AbortController().signal })
    const { findings } = JSON.parse((await claw('findings', '--json')).stdout)
    const found = findings.find(({ kind }: { kind: string }) => kind === 'only-grows')
    expect(found).toMatchObject({ times: 25, sentence: expect.stringContaining('only warns of it') })
    const before = everything()
    const shown = JSON.parse((await claw('findings', 'apply', found.id, '--dry-run', '--json')).stdout)
    expect(shown).toMatchObject({ kind: 'action', action: 'maintain', dryRun: true, changed: false })
    expect(shown.result.stores[0].steps).toHaveLength(25)
    expect(everything()).toEqual(before)
    const { code, stdout } = await claw('findings', 'apply', found.id, '--json')
    expect(code).toBe(0)
    const done = JSON.parse(stdout)
    expect(done).toMatchObject({ action: 'maintain', changed: true })
    expect(readdirSync(sessions).filter((name) => name.startsWith('lost'))).toEqual([])
    const after = JSON.parse((await claw('findings', '--json')).stdout)
    expect(after.findings.filter(({ kind }: { kind: string }) => kind === 'only-grows')).toEqual([])
    expect((await runCli(['undo', done.result.stores[0].receipt], { env })).code).toBe(0)
    expect(readdirSync(sessions).filter((name) => name.startsWith('lost'))).toHaveLength(25)
    age()
    // Without an index that can be read it is not known what is in use: nothing is done, and the exit code says so.
    writeFiles(sessions, { 'sessions.json': '[]' })
    const refused = await claw('findings', 'apply', found.id, '--json')
    expect(refused.code).toBe(3)
    expect(readdirSync(sessions).filter((name) => name.startsWith('lost'))).toHaveLength(25)
  })

  it('ends with 2 where there is no such finding', async () => {
    expect((await run('findings', 'apply', 'only-grows.0000', '--json')).code).toBe(2)
  })
})
