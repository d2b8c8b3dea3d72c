import { closeSync, mkdirSync, openSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ClaudeCodeBuilder } from '../../../testing/builders/foreign-lines'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder } from '../../../testing/store-folder'

/** A session of Claude Code with a torn last line and a call that nothing answers, written so many seconds ago. */
function home(secondsAgo: number) {
  const folder = temporaryFolder()
  const projects = join(folder, '.claude', 'projects', '-w')
  mkdirSync(projects, { recursive: true })
  const lines = new ClaudeCodeBuilder()
  lines.user('Look')
  lines.answer('m1', { type: 'tool_use', id: 't1', name: 'Read', input: {} }, { input: 500 })
  lines.user('Never mind')
  const file = join(projects, 's1.jsonl')
  writeFileSync(file, `${lines.text()}{"parentUuid":"u3","isSidec`)
  const at = Date.now() / 1000 - secondsAgo
  utimesSync(file, at, at)
  const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state') }
  const run = (...argv: string[]) => runCli(argv, { env, cwd: folder })
  return { file, run, before: readFileSync(file) }
}

describe('a transcript of Claude Code is repaired through the writer', () => {
  it('the check names each finding; the repair has a receipt, and undo brings every byte back', async () => {
    const { file, run, before } = home(600)
    const check = await run('repair', 's1', '--check', '--json')
    expect([
      check.code,
      JSON.parse(check.stdout).findings.map((one: { class: string }) => one.class),
    ]).toEqual([1, ['missing-result', 'torn-tail']])
    const text = await run('repair', file, '--check')
    expect([text.code, text.stdout]).toMatchObject([1, expect.stringContaining('Tool call without a result')])
    expect(readFileSync(file).equals(before)).toBe(true)

    const applied = await run('repair', 's1', '--apply', '--json')
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    const { receipt, verified, findings } = JSON.parse(applied.stdout)
    expect([verified, findings]).toEqual([true, 2])
    expect((await run('repair', 's1', '--check')).code).toBe(0)
    expect(JSON.parse((await run('repair', 's1', '--apply', '--json')).stdout).receipt).toBeNull()

    // Written a moment ago, but by ourselves.
    expect(await run('undo', receipt)).toMatchObject({ code: 0 })
    expect(readFileSync(file).equals(before)).toBe(true)
    expect((await run('repair', 's1', '--apply', '--json')).code).toBe(0)
  })

  it('is refused for two minutes after somebody else wrote to it', async () => {
    const { file, run, before } = home(30)
    const refused = await run('repair', 's1', '--apply')
    expect([refused.code, refused.stderr]).toMatchObject([
      3,
      expect.stringContaining('left alone for two minutes'),
    ])
    expect(readFileSync(file).equals(before)).toBe(true)
    const at = Date.now() / 1000 - 121
    utimesSync(file, at, at)
    expect((await run('repair', 's1', '--apply')).code).toBe(0)
  })

  it.skipIf(process.platform !== 'linux')(
    'is refused while another process has it open to write',
    async () => {
      const { file, run } = home(600)
      const { spawn } = await import('node:child_process')
      const holder = spawn('sh', ['-c', 'exec 3>>"$1"; echo open; sleep 60', 'sh', file])
      try {
        await new Promise((done) => holder.stdout.once('data', done))
        expect(await run('repair', 's1', '--apply')).toMatchObject({ code: 3 })
      } finally {
        holder.kill()
      }
      closeSync(openSync(file, 'r'))
    },
  )

  it('compaction of it stays refused, with the reason', async () => {
    const { run } = home(600)
    const refused = await run('compact', 's1', '--now')
    expect([refused.code, refused.stderr]).toMatchObject([
      3,
      expect.stringContaining('it does not compact it'),
    ])
  })
})
