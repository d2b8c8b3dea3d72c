import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'

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
    expect(text('long')).toBe(tooLong())
    const done = await run('findings', 'apply', id)
    expect([done.code, done.stderr]).toEqual([0, expect.any(String)])
    expect(text('long')).toContain('"type":"compaction"')
  })
})
