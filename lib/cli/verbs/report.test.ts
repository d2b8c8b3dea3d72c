import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ClaudeCodeBuilder, CodexBuilder } from '../../testing/builders/foreign-lines'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { sharedFolder, temporaryFolder, writeFiles } from '../../testing/store-folder'

const HOSTILE = '<script src=http://x>|`\u001b[2J'
const BERTHS = '/srv/harbour/berths.yaml'

/** A compaction that loses a path which is needed again, and a pause after which the cache had gone. */
function openClaw(): string {
  const builder = new TranscriptBuilder({ id: 'oc' })
  builder.user(`Look at ${BERTHS}.`)
  const usage = { input: 100, output: 10, cacheRead: 149_900, cost: 1 }
  builder.assistant('', { calls: ['t1'], usage })
  builder.result('t1', 'Berth 4 is free. '.repeat(50))
  const kept = builder.assistant('Done.', { usage })
  builder.compaction('The harbour was looked at.', kept)
  builder.user('And again.')
  builder.assistant(`In ${BERTHS} it is berth 4.`, {
    usage: { input: 20_000, output: 10, cacheWrite: 1, cost: 0.5 },
  })
  builder.user('More.')
  const later = { timestamp: '2026-11-01T09:30:00.000Z' }
  builder.assistant('Yes.', { usage: { input: 30_000, output: 10, cost: 0.5 }, over: later })
  return builder.text()
}

function pi(): string {
  const builder = new TranscriptBuilder({ id: 'pi' })
  builder.user('Go.')
  builder.assistant('One.', { usage: { input: 100_000, output: 1000 } })
  builder.user('Next.')
  builder.assistant('Two.', { usage: { input: 100_000 }, model: 'no-such-model' })
  return builder.text()
}

function claudeCode(): string {
  const builder = new ClaudeCodeBuilder()
  builder.user('List the berths.')
  builder.answer('m1', { type: 'tool_use', id: 'r1', name: HOSTILE, input: {} }, { read: 900, write: 100 })
  builder.result('r1', 'berth '.repeat(4000))
  builder.answer('m2', { type: 'text', text: 'Two.' }, { input: 5, read: 1000, write: 300, output: 7 })
  return builder.text()
}

function codex(): string {
  const builder = new CodexBuilder()
  builder.user('Go.')
  builder.says('Gone.')
  builder.count(5000, 3000, 40)
  return builder.text()
}

const folder = sharedFolder()
const stores = [
  join(folder, 'openclaw'),
  join(folder, '.pi/agent/sessions'),
  join(folder, '.claude/projects'),
  join(folder, '.codex/sessions'),
]
writeFiles(folder, {
  'openclaw/agents/main/sessions/oc.jsonl': openClaw(),
  'openclaw/agents/main/sessions/oc.jsonl.bak.1': openClaw(),
  '.pi/agent/sessions/--w--/2026-11-01T08-00-00-000Z_pi.jsonl': pi(),
  '.claude/projects/-w/s1.jsonl': claudeCode(),
  '.codex/sessions/2026/11/01/rollout-2026-11-01T08-00-00-c1.jsonl': codex(),
})
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
const all = stores.flatMap((store) => ['--store', store])

const run = (...argv: string[]) => runCli(argv, { env })

async function json(...argv: string[]) {
  const { code, stdout, stderr } = await run(...argv, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('plimsoll report', () => {
  it('sums up the sessions of four runtimes, a copy counted once', async () => {
    const value = await json('report', '--since', '2026-11-01', ...all)
    expect(value).toMatchObject({
      from: '2026-11-01',
      sessions: 4,
      calls: 9,
      usage: { input: 252_205, output: 1088, cacheRead: 304_700, cacheWrite: 401 },
    })
    expect(value.runtimes.map((one: { runtime: string; calls: number }) => [one.runtime, one.calls])).toEqual(
      expect.arrayContaining([
        ['openclaw', 4],
        ['pi', 2],
        ['claude-code', 2],
        ['codex', 1],
      ]),
    )
    expect(value.problems).toEqual([])
  })

  it('says of money what was recorded, what it is by list prices, and what is unknown', async () => {
    const recorded = await json('report', '--since', 'all', '--store', String(stores[0]))
    expect(recorded.money).toMatchObject({ recordedUsd: 3, listUsd: null, unpricedCalls: 0 })
    const { money } = await json('report', '--since', 'all', '--store', String(stores[1]))
    // Sonnet 4.5: $3 and $15 per million tokens.
    expect(money).toMatchObject({ recordedUsd: null, listCalls: 1, unpricedCalls: 1 })
    expect(money.listUsd).toBeCloseTo(0.315, 6)
    const { stdout } = await run('report', '--since', 'all', '--store', String(stores[1]))
    expect(stdout).toContain('at list prices')
    expect(stdout).toContain('Unknown: what 1 request without a price cost')
  })

  it('leads with what is wrong or dear, by cause, with a command that lists it', async () => {
    const { findings, findingsMuted } = await json('report', '--since', 'all', ...all)
    expect(findingsMuted).toBe(0)
    const calm = await json('report', '--since', '2026-11-02', ...all)
    expect(calm.findings).toEqual([])
    const [worst] = findings
    expect(worst).toMatchObject({ sessions: 1, cost: { usd: { basis: expect.any(String) } } })
    const [, ...argv] = String(worst.command).split(' ')
    const listed = JSON.parse((await run(...argv, '--json')).stdout)
    expect(listed.findings.map(({ sentence }: { sentence: string }) => sentence)).toContain(worst.sentence)
    const { stdout } = await run('report', '--since', 'all', ...all)
    expect(stdout.indexOf('What is wrong or dear')).toBeGreaterThan(0)
    expect(stdout.indexOf('What is wrong or dear')).toBeLessThan(stdout.indexOf('Tokens and money'))
    expect(stdout).toContain(worst.sentence)
    const quiet = await run('report', '--since', '2026-11-02', ...all)
    expect(quiet.stdout).toContain('What is wrong or dear\n  Nothing was found.')
    await run('findings', 'mute', worst.id, '--reason', 'Known.', ...all)
    const left = await json('report', '--since', 'all', ...all)
    expect(left.findingsMuted).toBe(1)
    await run('findings', 'unmute', worst.id, ...all)
  })

  it('says how full windows were, what compactions freed, and what came back', async () => {
    const { fills, compactions, returns } = await json(
      'report',
      '--since',
      'all',
      '--store',
      String(stores[0]),
    )
    expect(fills).toMatchObject({ calls: 4, median: 0.45, largest: 0.75, sessionsOverLine: 0 })
    expect(compactions).toMatchObject({ compactions: 1, freed: 129_999, freedUnknown: 0, nextCalls: 1 })
    expect(compactions.nextMoney).toMatchObject({ recordedUsd: 0.5, unpricedCalls: 0 })
    expect(returns).toMatchObject({ examined: 1, left: 0, cameBack: 1 })
  })

  it('counts sessions over the line at which their runtime acts', async () => {
    const store = temporaryFolder()
    const builder = new TranscriptBuilder({ id: 'full' })
    builder.user('Go.')
    builder.assistant('Gone.', { usage: { input: 190_000 } })
    writeFiles(store, { '.pi/agent/sessions/--w--/2026-11-01T08-00-00-000Z_full.jsonl': builder.text() })
    const { fills } = await json('report', '--since', 'all', '--store', join(store, '.pi/agent/sessions'))
    expect(fills).toMatchObject({ callsOverLine: 1, sessionsOverLine: 1 })
  })

  it('counts only what lies in the period', async () => {
    const value = await json('report', '--since', '2026-11-02', ...all)
    expect(value).toMatchObject({ sessions: 0, calls: 0, habits: [], fills: { median: null, largest: null } })
    const { stdout } = await run('report', '--since', '2026-11-02', ...all)
    expect(stdout).toContain('Unknown: of no call are both the prompt and the window known.')
  })

  it('names what costs again and again, with a command that shows it', async () => {
    const { habits } = await json('report', '--since', 'all', ...all)
    expect(habits).toHaveLength(3)
    const cold = habits.find(({ kind }: { kind: string }) => kind === 'cold-cache')
    // The pause: nothing of the 20,001 tokens before it was read from the cache.
    expect(cold).toMatchObject({ times: 1, tokens: 20_001, session: 'oc', worstCall: 4 })
    // $3 for fresh input against $0.30 for the cache, per million tokens.
    expect(cold.usd).toBeCloseTo((20_001 * 2.7) / 1e6, 6)
    for (const { command } of habits) {
      const [, ...argv] = String(command).split(' ')
      expect((await run(...argv)).code).toBe(0)
    }
  })

  it('is harmless with hostile texts in a terminal, as Markdown and as HTML', async () => {
    const file = join(temporaryFolder(), 'report.html')
    const store = ['--store', String(stores[2])]
    const { stdout: text } = await run('report', '--since', 'all', ...store)
    expect(text).toContain('the most from <script')
    expect(text).not.toContain('\u001b')
    const { stdout: markdown } = await run('report', '--since', 'all', '--markdown', ...store)
    expect(markdown).toContain('the most from \\<script src=http://x\\>\\|\\`')
    expect(markdown).not.toContain('\u001b')
    const { code, stdout } = await run('report', '--since', 'all', '--html', file, ...store)
    expect([code, stdout]).toEqual([0, ''])
    const html = readFileSync(file, 'utf8')
    expect(html).toContain('&lt;script src=http://x&gt;')
    expect(html.match(/<(script|link|img|iframe|base|a)\b/gi)).toBeNull()
    expect(html.match(/\b(src|href|on\w+)=["']|url\(|@import/gi)).toBeNull()
    expect(html).not.toContain('\u001b')
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  })

  it('writes over an earlier report, and over nothing else', async () => {
    const folder = temporaryFolder()
    const [store = ''] = stores
    const report = join(folder, 'report.html')
    const other = join(folder, 'other.html')
    writeFileSync(other, '<!doctype html>\n')
    const write = (file: string) => run('report', '--since', 'all', '--html', file, '--store', store)
    expect((await write(report)).code).toBe(0)
    expect((await write(report)).code).toBe(0)
    const refused = await write(other)
    expect(refused.code).toBe(3)
    expect(readFileSync(other, 'utf8')).toBe('<!doctype html>\n')
    expect((await write(join(store, 'report.html'))).code).toBe(3)
    expect((await write(join(folder, 'absent', 'report.html'))).code).toBe(3)
    expect(readdirSync(folder).sort()).toEqual(['other.html', 'report.html'])
    expect(readdirSync(store)).toEqual(['agents'])
  })

  it.each(['7', '0d', '2026-02-30', 'yesterday', '99999w'])('refuses the period %s', async (since) => {
    expect((await run('report', '--since', since, ...all)).code).toBe(2)
  })

  it('goes on past a transcript that cannot be read, and names it', async () => {
    const [store, outside] = [temporaryFolder(), temporaryFolder()]
    writeFiles(store, { 'agents/main/sessions/oc.jsonl': openClaw() })
    writeFiles(outside, { 'away.jsonl': openClaw() })
    symlinkSync(join(outside, 'away.jsonl'), join(store, 'agents/main/sessions/away.jsonl'))
    const { sessions, problems } = await json('report', '--since', 'all', '--store', store)
    expect(sessions).toBe(1)
    expect(problems).toMatchObject([{ problem: expect.stringContaining('leads out of the store') }])
    const { stdout } = await run('report', '--since', 'all', '--store', store)
    expect(stdout).toContain('1 transcript could not be read and is in no figure.')
  })
})

describe('plimsoll sessions', () => {
  it('carries the usage of each session', async () => {
    const { sessions } = await json('sessions', ...all)
    const usages = sessions.map(({ id, usage }: { id: string; usage: unknown }) => [id, usage])
    expect(Object.fromEntries(usages)).toMatchObject({
      oc: { input: 50_200, output: 40, cacheRead: 299_800, cacheWrite: 1 },
      s1: { input: 5, output: 8, cacheRead: 1900, cacheWrite: 400 },
    })
  })
})
