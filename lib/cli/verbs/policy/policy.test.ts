import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder } from '../../../testing/store-folder'

let folder: string

beforeEach(() => {
  folder = temporaryFolder()
})

const run = (...argv: string[]) =>
  runCli(argv, {
    cwd: folder,
    env: {
      HOME: folder,
      PLIMSOLL_HOME: join(folder, 'state'),
      PLIMSOLL_STORES: folder,
      ...(existsSync(join(folder, 'plimsoll.yaml'))
        ? { PLIMSOLL_CONFIG: join(folder, 'plimsoll.yaml') }
        : {}),
    },
  })

const json = async (...argv: string[]) => {
  const { code: exit, stdout } = await run(...argv, '--json')
  return { exit, ...JSON.parse(stdout) }
}

describe('plimsoll policy', () => {
  it('A2 A5 shows regions, load lines, origins and the history budget', async () => {
    const used = ['--used', 'system=8500,bootstrap=3200']
    const shown = await json('policy', 'show', '--policy', 'vs7', '--window', '200000', ...used)
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

  it('X9 says for every value what it is counted in', async () => {
    const { stdout } = await run('policy', 'show', '--policy', 'vs7')
    const rows = stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
    expect(rows.find(([setting]) => setting === 'SETTING')).toEqual(['SETTING', 'VALUE', 'UNIT', 'FROM'])
    expect(rows.find(([setting]) => setting === 'pruning.keepRecentMs')?.[2]).toBe('ms')
    expect(rows.find(([setting]) => setting === 'relevance.scorer')?.[2]).toBe('choice')
    expect(rows.find(([setting]) => setting === 'lines.flush.at')?.[2]).toBe('share')
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

describe('what is really in force', () => {
  /** A state folder of OpenClaw with one session. */
  function openClaw(files: Record<string, string>): string {
    const root = join(folder, '.openclaw')
    const sessions = join(root, 'agents', 'main', 'sessions')
    mkdirSync(sessions, { recursive: true })
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('ok', { usage: { input: 90_000, output: 5 } })
    writeFileSync(join(sessions, 's.jsonl'), t.text())
    for (const [name, text] of Object.entries(files)) {
      const path = join(root, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    return root
  }
  const at = (root: string) => ['--store', root]

  it('A3 policy show says what status says, the files of the store included', async () => {
    const root = openClaw({ 'context-config.yaml': 'COMPACTION_TRIGGER_PCT: 0.33\n' })
    const shown = await json('policy', 'show', ...at(root))
    const status = await json('status', ...at(root))
    const lines = (all: { name: string; tokens: number }[]) => all.map(({ name, tokens }) => [name, tokens])
    expect(lines(shown.loadLines)).toEqual(lines(status.loadLines))
    expect(lines(shown.loadLines)).toContainEqual(['compact', 66_000])
    expect(shown).toMatchObject({
      ...{ exit: 0, draft: null, session: { store: root } },
      runtimePolicy: { kind: 'openclaw', files: [join(root, 'context-config.yaml')] },
    })
    expect([shown.reserve, shown.workingSpace]).toEqual([status.reserve, status.workingSpace])
    const text = await run('policy', 'show', ...at(root))
    expect(text.stdout).toMatch(/^What OpenClaw .* does with the session/)
  })

  it('X9 policy show --json counts how many recorded compactions the runtime policy explains', async () => {
    const builder = new TranscriptBuilder({ id: 'fitted' })
    const compacted = (thousands: number) => {
      const kept = builder.user('Where are we?')
      const tokens = thousands * 1000
      builder.assistant('At sea.', { model: 'claude-sonnet-4-5', usage: { input: tokens, output: 20 } })
      builder.entry('compaction', { summary: 'So far.', firstKeptEntryId: kept, tokensBefore: tokens + 20 })
    }
    compacted(185)
    compacted(60)
    const settings = '{ "meta": { "lastTouchedVersion": "2026.2.26" } }'
    const root = join(folder, 'fit')
    mkdirSync(join(root, 'agents/main/sessions'), { recursive: true })
    writeFileSync(join(root, 'openclaw.json'), settings)
    writeFileSync(join(root, 'agents/main/sessions/fitted.jsonl'), builder.text())
    const { fit, runtimePolicy } = await json('policy', 'show', 'fitted', '--store', root)
    expect(runtimePolicy).toMatchObject({ kind: 'openclaw', version: '2026.2.26', rules: '2026.2' })
    expect(fit.session).toMatchObject({ recorded: 2, compared: 2, explained: 1, share: 0.5 })
    expect(fit.session.others).toMatchObject([
      { reason: 'below-line', tokens: 60_020, line: 7, verdict: 'unexplained', runtimeLine: 180_000 },
    ])
    expect(fit.stores).toMatchObject([{ store: root, recorded: 2, explained: 1, unreadSessions: 0 }])
  })

  it('A3 V5 policy check judges the files of the stores, and settings that are none', async () => {
    const root = openClaw({
      'openclaw.json': '{ agents: { defaults: { compaction: { keepRecentTokens: "many" } } } }',
    })
    writeFileSync(join(folder, 'plimsoll.yaml'), 'storez: [x]\n')
    const checked = await json('policy', 'check', ...at(root))
    expect(checked).toMatchObject({
      exit: 1,
      ok: false,
      problems: [
        { severity: 'warning', line: 1, key: 'storez', message: expect.stringMatching(/^is not a setting/) },
        { severity: 'error', line: 1, key: 'agents.defaults.compaction.keepRecentTokens' },
      ],
    })
    // What the check says no to, a verb that needs it cannot read.
    for (const verb of [['status'], ['compact'], ['policy', 'show']])
      expect([verb, (await run(...verb, ...at(root))).code]).toEqual([verb, 4])
  })

  it('A3 values that contradict each other across two files are found', async () => {
    const root = openClaw({ 'context-config.yaml': 'RELEVANCE_CUTOFF: 0.8\n' })
    writeFileSync(join(folder, 'plimsoll.yaml'), 'policy: { relevance: { keep: 0.75 } }\n')
    const checked = await json('policy', 'check', ...at(root))
    expect(checked.problems).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        message: expect.stringContaining('must be above the cut-off 0.8'),
      }),
    )
    expect(checked.exit).toBe(1)
  })

  it('V5 a file that cannot be read is 4, wherever it is named', async () => {
    writeFileSync(join(folder, 'bad.yaml'), 'policy:\n  budget:\n    historyRatio: 2\n')
    expect((await run('policy', 'show', '--policy', 'bad.yaml')).code).toBe(4)
    mkdirSync(join(folder, 'folder.yaml'))
    expect((await run('policy', 'check', 'folder.yaml')).code).toBe(4)
  })

  it.each([
    [
      'config.yaml',
      'agents: { defaults: { contextManagement: { budget: { historyRatio: 0.41 } } } }\n',
      'budget.historyRatio',
      0.41,
    ],
    ['goclaw.json', '{ "session": { "compaction": { "reserveTokens": 30000 } } }', 'reserve.tokens', 30_000],
    [
      '../.goclaw/goclaw.json',
      '{ "session": { "compaction": { "reserveTokens": 31000 } } }',
      'reserve.tokens',
      31_000,
    ],
  ])('V6 %s counts for the sessions of the store', async (name, text, path, value) => {
    const root = openClaw({
      'openclaw.json': '{ agents: { defaults: { compaction: { reserveTokens: 25000 } } } }',
      [name]: text,
    })
    const shown = await json('policy', 'show', ...at(root))
    const [group = '', key = ''] = path.split('.')
    expect(shown.policy[group][key]).toBe(value)
    expect(shown.origin[path]).toEqual({ level: 'store', label: join(root, name) })
  })

  it('A3 a value for a runtime goes into its own file, under its own key, and that is said', async () => {
    const root = openClaw({
      'openclaw.json': '{ agents: { defaults: { compaction: { reserveTokens: 25000 } } } }',
    })
    const file = join(root, 'openclaw.json')
    const argv = ['policy', 'apply', 'reserve.tokens=30000', '--file', file, ...at(root)]
    const dry = await run(...argv, '--dry-run')
    expect(dry.stdout).toContain('agents.defaults.compaction.reserveTokens: 25000 → 30000')
    expect(readFileSync(file, 'utf8')).toContain('25000')
    expect(await json(...argv)).toMatchObject({
      ...{ exit: 0, kind: 'saved' },
      changes: [{ key: 'agents.defaults.compaction.reserveTokens', from: 25_000, to: 30_000 }],
    })
    expect(readFileSync(file, 'utf8')).toContain('reserveTokens: 30000')
  })
})
