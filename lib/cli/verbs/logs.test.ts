import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { fileContextLog } from '../../adapters/logs/file-context-log'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { logDrops } from '../../agent/relevance-pass'
import { LOG_KINDS } from '../../core/logs/log-kinds'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'
import { writeDemoSessions } from '../../testing/stores/demo-sessions'

const folder = sharedFolder()
const home = join(folder, 'home')
const env = { HOME: home, PLIMSOLL_HOME: join(folder, 'state') }
const context = join(home, '.clawdbot', 'logs', 'context')
let store = ''

beforeAll(async () => {
  const roots = await writeDemoSessions({ home: folder, now: Date.parse('2026-11-21T12:00:00Z') })
  store = roots.find((root) => root.kind === 'openclaw')?.path ?? ''
})
beforeEach(() => {
  rmSync(home, { recursive: true, force: true })
  mkdirSync(context, { recursive: true })
})

const running = new AbortController().signal
const runIn = (more: Record<string, string>, ...argv: string[]) =>
  runCli([...argv, '--store', store], { env: { ...env, ...more }, stop: running, cwd: folder })
const run = (...argv: string[]) => runIn({}, ...argv)
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)

const drop = (id: string, session: string, score: number, at = '2026-02-02T22:55:00Z') =>
  `${JSON.stringify({ timestamp: at, event: 'chunk_dropped', chunk_id: id, session_id: session, reason: 'low_relevance', relevance_score: score, threshold_used: 0.3, cold_storage_path: '~/x' })}\n`

function fill(): void {
  const drops = join(context, 'drops.jsonl')
  writeFileSync(drops, drop('a', 'one', 0.1) + drop('b', 'other', 0.2, '2026-02-02T22:54:00Z'))
  appendFileSync(drops, `{broken\n${drop('c', 'one', 0.29, '2026-02-02T22:56:00Z')}{"chunk_id":"torn`)
  writeFileSync(join(context, 'curation.jsonl'), '{"query":"journal","token_savings":25000}\n')
}

describe('X14 plimsoll logs', () => {
  it('lists all lines in the order of their times, counts broken ones and names the first', async () => {
    fill()
    const { stdout, stderr, code } = await run('logs', '--kind', 'drops')
    expect(code).toBe(0)
    expect(stdout.match(/chunkId=\w/g)).toEqual(['chunkId=b', 'chunkId=a', 'chunkId=c'])
    expect(stderr).toContain('1 line could not be read and was passed over; the first:')
    expect(stderr).toContain('drops.jsonl:3: it is not JSON')
    const all = await json('logs')
    expect(all.lines).toEqual({ compaction: 0, curation: 1, drops: 3, recovery: 0, health: 0 })
    expect(all.broken).toMatchObject({ count: 1, first: [{ line: 3 }] })
    expect(all.folders).toContain(context)
    expect(all.records.at(-1)).toMatchObject({ chunkId: 'c', at: '2026-02-02T22:56:00.000Z', tokens: null })
  })

  it('adds up: reasons, savings, scores', async () => {
    fill()
    const summary = await json('logs', '--stats')
    expect(summary.drops.reasons).toEqual([{ name: 'low_relevance', count: 3 }])
    expect(summary.curations.savings).toMatchObject({ count: 1, sum: 25_000 })
    const { stdout } = await run('logs', '--stats')
    expect(stdout).toMatch(/tokens saved by curation +1 +0 +25.000/)
    expect(stdout).toContain('2026-02-02 22:54:00 UTC to 2026-02-02 22:56:00 UTC\n')
    expect((await run('logs', '--histogram')).stdout).toMatch(/0\.10 +0\.15 +1 +#{40}/)
  })

  it('I7 counts recoveries that were taken back apart', async () => {
    const line = { chunk_id: 'a', trigger: 'manual', destination: 'context' }
    const lines = [line, { ...line, event: 'recovery_undone' }].map((one) => `${JSON.stringify(one)}\n`)
    writeFileSync(join(context, 'recovery.jsonl'), lines.join(''))
    const { stdout } = await run('logs', '--stats')
    expect(stdout).toContain('Recoveries by trigger: manual 1\nRecoveries taken back: 1\n')
  })

  it('finds logs where other roots and the configuration have them', async () => {
    const elsewhere = join(folder, 'elsewhere')
    const moltbot = join(home, '.moltbot', 'logs', 'context')
    for (const place of [elsewhere, moltbot]) mkdirSync(place, { recursive: true })
    writeFileSync(join(elsewhere, 'drops.jsonl'), drop('configured', 's', 0.1))
    writeFileSync(join(moltbot, 'drops.jsonl'), drop('moltbot', 's', 0.1))
    writeFileSync(join(folder, 'own.yaml'), `policy:\n  logs:\n    path: ${elsewhere}\n`)
    const found = await runCli(['drops', '--json'], {
      env: { ...env, PLIMSOLL_CONFIG: join(folder, 'own.yaml') },
      stop: running,
      cwd: folder,
    })
    expect(
      JSON.parse(found.stdout)
        .drops.map((each: { chunkId: string }) => each.chunkId)
        .sort(),
    ).toEqual(['configured', 'moltbot'])
    const only = await json('drops', '--path', moltbot)
    expect([only.count, only.folders]).toEqual([1, [moltbot]])
  })

  it('says where it looked when nothing is logged', async () => {
    expect((await run('logs')).stdout).toContain(`Nothing is logged. Looked in:\n  ${context}`)
  })

  it('Q10 X20 shows no credential and no escape of a log', async () => {
    const secret = ['sk-', 'ant-', 'api03-', 'Zx81Qw72Er63Ty54Ui45Op36'].join('')
    writeFileSync(join(context, 'curation.jsonl'), `${JSON.stringify({ query: `\u001b[2J ${secret}` })}\n`)
    for (const more of [[], ['--json']]) {
      const { stdout } = await run('logs', ...more)
      expect(stdout).toContain('•••')
      expect(stdout).not.toContain(secret)
      expect(stdout).not.toContain('\u001b')
    }
  })
})

describe('R2 plimsoll drops', () => {
  it('--session: only that session, also by the beginning of its id', async () => {
    fill()
    for (const session of ['one', 'on']) {
      const { drops, count } = await json('drops', '--session', session)
      expect([count, drops.map((each: { chunkId: string }) => each.chunkId)]).toEqual([2, ['a', 'c']])
    }
    expect((await run('drops', '--session', 'o')).code).toBe(2)
    const none = await run('drops', '--session', 'x')
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('No drop of session x is logged.')])
  })

  it('lists the newest ones, and says how many there are before', async () => {
    fill()
    const { stdout } = await run('drops', '--limit', '1')
    expect(stdout).toMatch(/c +one +low_relevance +0\.290 +0\.30 +\? +~\/x/)
    expect(stdout).toContain('2 earlier ones are not shown.\nBy reason: low_relevance 3\n')
  })
})

describe('Q4 Q6 plimsoll drops --chunk-id', () => {
  it('joins drop log, cold storage and recovery log', async () => {
    const at = Date.parse('2026-02-02T22:55:00Z')
    const cold = fileColdStore(nodeWriteFiles, join(home, '.clawdbot', 'cold-storage'), () => String(at))
    const record = { chunkId: 'c1', sessionId: 's1', tokens: 70, reason: 'low_relevance', score: 0.2, at }
    const stored = await cold.put([
      { ...record, content: 'the berth plan', prompt: null, place: null, until: Date.now() + 1e9 },
    ])
    const log = (when: number) =>
      fileContextLog({ folder: context, kinds: LOG_KINDS, clock: { now: () => when } })
    expect(await logDrops(log(at + 1), stored, 0.3)).toBeNull()
    await log(at + 2).add('drops', { chunkId: 'c2', sessionId: 's1' })

    const line = JSON.parse(readFileSync(join(context, 'drops.jsonl'), 'utf8').split('\n')[0] ?? '')
    expect(line).toMatchObject({ threshold_used: 0.3, relevance_score: 0.2 })
    expect(existsSync(line.cold_storage_path)).toBe(true)
    const whats = async () => {
      const { lives } = await json('drops', '--chunk-id', 'c1')
      return lives.map((life: { state: string; events: { what: string }[] }) => [
        life.state,
        ...life.events.map(({ what }) => what),
      ])
    }
    expect(await whats()).toEqual([['cold', 'stored', 'dropped']])
    await log(at + 3).add('recovery', { chunkId: 'c1', destination: 'context', trigger: 'manual' })
    expect(await whats()).toEqual([['in-context', 'stored', 'dropped', 'recovered']])
    const { stdout } = await run('drops', '--chunk-id', 'c1')
    expect(stdout).toMatch(/Chunk c1 of 70 tokens of session s1: in its context, kept until [\d:\- ]+ UTC\n/)
    const unknown = await run('drops', '--chunk-id', 'nobody')
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('know a chunk "nobody"')])
    expect((await run('drops', '--chunk-id', 'c1', '--session', 'other')).code).toBe(2)
  })
})

describe('Q2 R3 plimsoll compact --now', () => {
  async function compactable(): Promise<string> {
    const { sessions } = await json('sessions')
    for (const { key } of sessions) {
      const plan = await run('compact', key, '--policy', 'openclaw', '--json')
      if (plan.code === 0 && JSON.parse(plan.stdout).firstKeptEntryId !== null) return key
    }
    throw new Error('no session of the demo can be compacted')
  }

  it('Q1 writes one line, unless the policy says not to', async () => {
    const key = await compactable()
    writeFileSync(join(folder, 'silent.yaml'), 'policy:\n  logs:\n    compaction: false\n')
    const silent = { PLIMSOLL_CONFIG: join(folder, 'silent.yaml') }
    expect((await runIn(silent, 'compact', key, '--now', '--digest')).code).toBe(0)
    expect(existsSync(join(context, 'compaction.jsonl'))).toBe(false)

    const other = await compactable()
    const done = await json('compact', other, '--now', '--policy', 'openclaw', '--digest')
    const lines = readFileSync(join(context, 'compaction.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        event: 'compaction_triggered',
        trigger: 'manual',
        tokens_before: done.tokensBefore.value,
        tokens_after: done.tokensAfter.value,
        config_used: expect.stringMatching(/^COMPACTION_TRIGGER_PCT=0\.\d\d$/),
        receipt: done.receipt,
      }),
    ])
    expect((await json('logs', '--kind', 'compaction')).records).toMatchObject([
      { rest: { receipt: done.receipt } },
    ])
  })

  it('Q8 tells what it found and what it left in two lines with the id of its receipt, where that is asked for', async () => {
    const key = await compactable()
    const debug = { PLIMSOLL_DEBUG: '1' }
    const reported = await runIn(debug, 'compact', key, '--now', '--policy', 'openclaw', '--digest', '--json')
    const { receipt, tokensBefore, tokensAfter } = JSON.parse(reported.stdout)
    const pair = reported.stderr.split('\n').filter((line) => line.startsWith('compaction '))
    const less = tokensAfter.value - tokensBefore.value
    expect(pair).toEqual([
      expect.stringMatching(`^compaction ${receipt} pre: messages=\\d+ tokens=${tokensBefore.value}$`),
      expect.stringMatching(
        `^compaction ${receipt} post: messages=\\d+ \\(-\\d+\\) tokens=${tokensAfter.value} \\(${less}\\)$`,
      ),
    ])
    expect((await run('compact', key, '--now', '--digest')).stderr).not.toContain('compaction ')
  })
})

describe('R7 plimsoll health', () => {
  const lines = () =>
    readFileSync(join(context, 'context-health.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  it('Q5 T6 notes a line each time, with the next compaction at half of the window', async () => {
    for (let i = 0; i < 2; i++) expect((await run('health', '--policy', 'memfas')).code).toBe(0)
    const [first, second, ...more] = lines()
    expect(more).toEqual([])
    expect(second.session_id).toBe(first.session_id)
    expect(first.next_compaction_estimate).toBe(first.limit / 2)
    expect(first.pct_used).toBeCloseTo(first.current_tokens / first.limit, 3)
  })

  it('ends with 1 and a message above the share, with 0 at or below it', async () => {
    const { pctUsed } = await json('health', '--no-log')
    expect(existsSync(join(context, 'context-health.jsonl'))).toBe(false)
    const above = await run('health', '--no-log', '--notify-if-pct', String(pctUsed / 2))
    expect([above.code, above.stdout]).toEqual([1, expect.stringMatching(/The context of .* above \d/)])
    const at = await run('health', '--no-log', '--notify-if-pct', String(pctUsed))
    expect([at.code, at.stdout]).toEqual([0, expect.stringContaining('not above')])
  })

  it.each(['50', '-1', 'half', '>'])('refuses a share of %s', async (share) => {
    expect((await run('health', '--notify-if-pct', share)).code).toBe(2)
  })

  it('T6: tells a command and a webhook once each, and again the one of them that failed', async () => {
    const posted: unknown[] = []
    let status = 500
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (piece: Buffer) => {
        body += piece.toString()
      })
      request.on('end', () => {
        posted.push(JSON.parse(body))
        response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const reported = join(folder, 'reported.jsonl')
      const settings = join(folder, 'health.yaml')
      const webhook = `http://127.0.0.1:${port}/hook/s3cret`
      writeFileSync(settings, `health:\n  command: "cat >> '${reported}'"\n  webhook: ${webhook}\n`)
      const check = () =>
        runIn({ PLIMSOLL_CONFIG: settings }, 'health', '--notify-if-pct', '0.0001', '--json')
      const failed = await check()
      expect([failed.code, JSON.parse(failed.stdout).notified]).toEqual([1, true])
      expect(failed.stderr).toContain(`The notification to 127.0.0.1:${port} was answered with 500.`)
      expect(failed.stderr).not.toContain('s3cret')
      const again = JSON.parse((await check()).stdout)
      expect(again).toMatchObject({ above: true, notified: false })
      status = 200
      expect(JSON.parse((await check()).stdout).notified).toBe(true)
      expect(JSON.parse((await check()).stdout)).toMatchObject({ above: true, notified: false })
      expect(posted).toHaveLength(3)
      expect(posted[2]).toMatchObject({ event: 'context_health', notifyIfPct: 0.0001 })
      expect(readFileSync(reported, 'utf8').trimEnd().split('\n')).toHaveLength(1)
      expect(lines().map((line) => line.notified_above)).toEqual([0.0001, 0.0001, 0.0001, 0.0001])
      expect(lines().map((line) => line.notified_by)).toEqual([
        ['command'],
        ['command'],
        ['command', 'webhook'],
        ['command', 'webhook'],
      ])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
