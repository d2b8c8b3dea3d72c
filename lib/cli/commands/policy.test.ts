import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-policy-cli-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...argv: string[]) =>
  runCli(argv, {
    cwd: folder,
    env: { HOME: folder, PLIMSOLL_HOME: join(folder, 'state'), PLIMSOLL_STORES: folder },
  })

const json = async (...argv: string[]) => {
  const { code: exit, stdout } = await run(...argv, '--json')
  return { exit, ...JSON.parse(stdout) }
}

describe('plimsoll policy', () => {
  it('A2 A5 shows regions, load lines, origins and the history budget', async () => {
    const shown = await json(
      'policy',
      'show',
      '--policy',
      'vs7',
      '--window',
      '200000',
      '--used',
      'system=8500,bootstrap=3200',
    )
    expect(shown).toMatchObject({
      exit: 0,
      window: 200_000,
      regions: {
        systemPrompt: 30_000,
        bootstrap: 20_000,
        history: 90_000,
        response: 40_000,
        reserve: 20_000,
      },
      historyBudget: { formula: 148_300, clamped: 148_300 },
      loadLines: [{ name: 'hard', tokens: 180_000, pct: 90 }],
    })
    expect(shown.origin['budget.enabled']).toEqual({ level: 'preset', label: 'preset vs7' })
  })

  it('V5 checks files: exit 1 with file, line and key', async () => {
    writeFileSync(join(folder, 'bad.yaml'), 'policy:\n  budget:\n    historyRatio: 2\n')
    const checked = await json('policy', 'check', 'bad.yaml')
    expect(checked).toMatchObject({
      exit: 1,
      ok: false,
      problems: [{ line: 3, key: 'policy.budget.historyRatio' }],
    })
    expect((await run('policy', 'check', 'nobody.yaml')).code).toBe(4)
  })

  it('H2 H5 A4 checks what values of a file are to each other', async () => {
    writeFileSync(join(folder, 'own.yaml'), 'policy:\n  relevance:\n    cutoff: 0.8\n')
    writeFileSync(join(folder, 'old.yaml'), 'MEMFAS_WEIGHT: 0.6\nRELEVANCE_CUTOFF: 0.75\n')
    writeFileSync(join(folder, 'ratios.yaml'), 'policy:\n  budget:\n    historyRatio: 0.9\n')
    writeFileSync(join(folder, 'literal.yaml'), 'policy:\n  relevance:\n    recency: literal\n')
    const keep = (line: number) => ({
      severity: 'error',
      line,
      message: expect.stringContaining('above the cut-off'),
    })
    expect(await json('policy', 'check', 'own.yaml')).toMatchObject({ exit: 1, problems: [keep(3)] })
    expect(await json('policy', 'check', 'old.yaml')).toMatchObject({ exit: 1, problems: [keep(2)] })
    expect(await json('policy', 'check', 'ratios.yaml')).toMatchObject({
      exit: 1,
      problems: [{ line: 3, key: 'policy.budget.historyRatio' }],
    })
    expect(await json('policy', 'check', 'literal.yaml')).toMatchObject({
      exit: 0,
      problems: [{ severity: 'warning', message: expect.stringContaining('rewards age') }],
    })
  })

  it('compares policies, and says when there is no difference', async () => {
    const { exit, changes } = await json('policy', 'diff', 'default', 'memfas')
    expect(exit).toBe(1)
    expect(changes.map((change: { path: string }) => change.path)).toContain('lines.slide.enabled')
    expect(await json('policy', 'diff', 'default', 'default')).toMatchObject({ exit: 0, changes: [] })
  })

  it('X8 applies values to our own file, keeps the version before, and a dry run writes nothing', async () => {
    const file = join(folder, 'plimsoll.yaml')
    writeFileSync(file, '# mine\nstores: []\n')
    const before = readdirSync(folder)
    expect((await run('policy', 'apply', 'lines.compact.at=0.6', '--dry-run')).code).toBe(0)
    expect(readdirSync(folder)).toEqual(before)
    const applied = await json('policy', 'apply', 'lines.compact.at=0.6', '--policy', 'goclaw')
    expect(applied).toMatchObject({ exit: 0, kind: 'saved' })
    expect(readFileSync(file, 'utf8')).toMatch(/^# mine\nstores: \[\]\npolicy:/)
    expect(readFileSync(applied.backup, 'utf8')).toBe('# mine\nstores: []\n')
    const shown = await json('policy', 'show')
    expect(shown.policy.lines.compact.at).toBe(0.6)
    expect(shown.origin['lines.compact.at'].label).toBe(file)
    expect(await json('policy', 'apply', 'lines.compact.at=0.6')).toMatchObject({
      exit: 0,
      kind: 'unchanged',
    })
  })

  it('holds a call against the lines of a named policy', async () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('ok', { usage: { input: 120_000, output: 5 } })
    writeFileSync(join(folder, 's.jsonl'), t.text())
    const shown = await json('context', join(folder, 's.jsonl'), '--policy', 'memfas')
    expect(shown.loadLines).toEqual([
      { name: 'curate', tokens: 80_000, pct: 40, passed: true },
      { name: 'compact', tokens: 100_000, pct: 50, passed: true },
      { name: 'hard', tokens: 170_000, pct: 85, passed: false },
    ])
    expect((await run('context', join(folder, 's.jsonl'), '--policy', 'memfas')).stdout).toMatch(/LOAD LINE/)
  })

  it('refuses bad values and unknown names as wrong use', async () => {
    expect((await run('policy', 'apply', 'lines.compact.at=7')).code).toBe(2)
    expect((await run('policy', 'apply', 'nothing.at.all=1')).code).toBe(2)
    expect((await run('policy', 'show', '--policy', 'nobody')).code).toBe(2)
    expect((await run('policy', 'sing')).code).toBe(2)
    expect((await run('policy', 'show', '--used', 'system=x')).code).toBe(2)
  })
})
