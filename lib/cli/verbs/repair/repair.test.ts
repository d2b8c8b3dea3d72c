import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { type CliRun, runCli } from '../../../testing/run-cli'
import { temporaryFolder } from '../../../testing/store-folder'

let folder: string
let file: string

beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder, 'sessions'))
  file = join(folder, 'sessions', 's.jsonl')
  writeFileSync(file, damaged())
})

function damaged(): string {
  const session = new TranscriptBuilder()
  session.user('list')
  session.assistant('', { calls: ['a'] })
  session.user('well?')
  session.assistant('here')
  return `${session.lines.toSpliced(3, 0, '{"type":"mess').join('\n')}\n`
}

function plimsoll(...argv: string[]): Promise<CliRun> {
  const env = {
    HOME: folder,
    PLIMSOLL_HOME: join(folder, 'state'),
    PLIMSOLL_STORES: join(folder, 'sessions'),
  }
  return runCli(argv, { env, cwd: folder })
}

describe('X12 plimsoll repair', () => {
  it('--check lists findings by class with risk, exits 1, and writes nothing', async () => {
    const before = readFileSync(file)
    const { code, stdout } = await plimsoll('repair', file, '--check', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      file,
      ok: false,
      findings: [
        { class: 'missing-result', line: 3, entryId: 'e2', risk: 'medium' },
        { class: 'unparseable-line', line: 4, entryId: null, risk: 'high' },
      ],
      changes: 3,
    })
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('--apply repairs with a receipt, a second time finds nothing, and undo brings every byte back', async () => {
    const before = readFileSync(file)
    const applied = JSON.parse((await plimsoll('repair', file, '--apply', '--json')).stdout)
    expect(applied).toMatchObject({ file, verified: true, receipt: expect.any(String) })
    expect(readFileSync(applied.backup).equals(before)).toBe(true)
    expect(await plimsoll('repair', file, '--check', '--json')).toMatchObject({ code: 0 })
    const again = await plimsoll('repair', file, '--apply', '--json')
    expect(again.code).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ receipt: null, nothing: expect.any(String) })
    expect((await plimsoll('undo', applied.receipt)).code).toBe(0)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('--diff shows what is there and what will be, credentials covered', async () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789'
    writeFileSync(file, damaged().replace('"mess', `"mess ${secret}`))
    const { stdout } = await plimsoll('repair', file, '--diff')
    expect(stdout).toContain('@ line 4: drop')
    expect(stdout).toContain('+ {"type":"message","id":"repair-')
    expect(stdout).not.toContain(secret)
  })

  it('M11 refuses a file without a header with the reason, exit code 3', async () => {
    writeFileSync(file, '{"type":"message","id":"a"}\n')
    const { code, stdout } = await plimsoll('repair', file, '--apply', '--json')
    expect(code).toBe(3)
    expect(JSON.parse(stdout).error.message).toContain('does not begin with a session header')
    expect(readFileSync(file, 'utf8')).toBe('{"type":"message","id":"a"}\n')
  })

  it('says of a folder, and of links in a circle, what they are', async () => {
    const other = join(folder, 'sessions', 'f.jsonl')
    mkdirSync(other)
    const circle = join(folder, 'sessions', 'c.jsonl')
    symlinkSync(circle, circle)
    for (const option of ['--check', '--apply'])
      for (const [path, words] of [
        [other, 'is a folder, not a regular file'],
        [circle, 'leads round in a circle'],
      ] as const) {
        const { code, stderr } = await plimsoll('repair', path, option)
        expect(code).toBe(3)
        expect(stderr).toContain(words)
      }
  })

  it('refuses a named pipe, and --check with --apply', async () => {
    const pipe = join(folder, 'sessions', 'p.jsonl')
    execFileSync('mkfifo', [pipe])
    expect((await plimsoll('repair', pipe, '--apply')).code).toBe(3)
    expect((await plimsoll('repair', pipe, '--check')).code).toBe(3)
    expect((await plimsoll('repair', file, '--check', '--apply')).code).toBe(2)
  })
})
