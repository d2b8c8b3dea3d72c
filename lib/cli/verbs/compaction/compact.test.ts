import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { auditSummary } from '../../../core/summary/audit'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder } from '../../../testing/store-folder'
import { demoStoreCopies } from '../../../testing/stores/demo-store'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
const running = new AbortController().signal
const copy = demoStoreCopies(folder)
let store = ''
beforeEach(() => {
  store = copy()
})

async function run(...argv: string[]) {
  const done = await runCli([...argv, '--store', store, '--json'], { env, stop: running })
  return { ...done, value: JSON.parse(done.stdout) }
}

function hashes(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) found[path] = createHash('sha256').update(readFileSync(path)).digest('hex')
  }
  return found
}

async function anySession(): Promise<{ key: string; file: string }> {
  const { value } = await run('sessions')
  const all = value.sessions as { key: string; file: string; contextTokens: { value: number } }[]
  return all.find(({ contextTokens }) => contextTokens.value > 100_000) as (typeof all)[number]
}

describe('plimsoll compact --dry-run', () => {
  it('D9: says what becomes of every chunk, conserves tokens, and writes nothing anywhere', async () => {
    const { key } = await anySession()
    const before = { ...hashes(store), ...hashes(folder) }
    const { code, value } = await run('compact', key, '--dry-run', '--policy', 'openclaw')
    expect(code).toBe(0)
    const sum = value.chunks.reduce((total: number, { tokens }: { tokens: number }) => total + tokens, 0)
    expect(Math.abs(sum - value.tokensBefore)).toBeLessThanOrEqual(1)
    expect(value.tokensAfter).toBeLessThan(value.tokensBefore)
    expect(value).toMatchObject({ summary: { source: 'digest' }, cost: { calls: 0, usd: 0 } })
    expect(new Set(value.chunks.map(({ action }: { action: string }) => action))).toEqual(
      new Set(['keep', 'summarise']),
    )
    expect({ ...hashes(store), ...hashes(folder) }).toEqual(before)
  })

  it('A16: lists the regions of the window, the room for the answer among them, and they fit into it', async () => {
    const { key } = await anySession()
    for (const preset of ['openclaw', 'vs7', 'proactive']) {
      const { value } = await run('compact', key, '--dry-run', '--policy', preset)
      const { systemPrompt, bootstrap, history, response, reserve } = value.regions
      for (const part of [systemPrompt, bootstrap, history, response, reserve])
        expect(part).toBeGreaterThanOrEqual(0)
      expect(response).toBeGreaterThanOrEqual(4_096)
      expect(systemPrompt + bootstrap + history + response + reserve).toBe(value.window)
      const argv = ['compact', key, '--dry-run', '--policy', preset, '--store', store]
      const { stdout } = await runCli(argv, { env, stop: running })
      expect(stdout).toMatch(
        /regions of the window: system prompt [\d\u202f]+, bootstrap files [\d\u202f]+, history [\d\u202f]+, response [\d\u202f]+, reserve [\d\u202f]+/,
      )
    }
  })

  it('shows the digest on demand, and it passes the audit', async () => {
    const { key } = await anySession()
    const { value } = await run(
      'compact',
      key,
      '--policy',
      'openclaw',
      '--show-summary',
      '--focus',
      'the harbour',
    )
    expect(value.text).toContain('- In focus: the harbour')
    expect(auditSummary(value.text, [], 'off')).toEqual([])
  })

  it('D17: rules of the workspace are behind the summary, in the dry run and in the record', async () => {
    const { key, file } = await anySession()
    const workspace = join(store, 'workspace')
    mkdirSync(workspace)
    const rules = '## Red Lines\n- Berth 9 stays empty.'
    writeFileSync(join(workspace, 'AGENTS.md'), `# Agents\n\n${rules}\n`)
    const [header = '', ...rest] = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [JSON.stringify({ ...JSON.parse(header), cwd: workspace }), ...rest].join('\n'))
    const shown = await run('compact', key, '--policy', 'openclaw', '--show-summary')
    expect(shown.value.text).toContain(rules)
    expect((await run('compact', key, '--now', '--policy', 'openclaw')).code).toBe(0)
    const record = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '')
    expect(record.summary).toContain(`<workspace-critical-rules>\n${rules}`)
  })

  it('a call far back, and a call that is none', async () => {
    const { key } = await anySession()
    const early = await run('compact', key, '--policy', 'openclaw', '--call', '3')
    expect(early.value).toMatchObject({ call: 3, nothing: expect.stringContaining('Nothing to compact') })
    expect((await run('compact', key, '--call', '99999')).code).toBe(2)
    expect((await run('compact', key, '--call', '3', '--now')).code).toBe(2)
  })
})

describe('plimsoll compact --now', () => {
  it('R3: the session may be left out when it is the only one, and never means one of several', async () => {
    const several = await run('compact', '--now')
    expect(several).toMatchObject({ code: 2, value: { error: { code: 'usage' } } })
    expect(several.value.error.candidates.length).toBeGreaterThan(1)
    const { file } = await anySession()
    store = mkdtempSync(join(folder, 'store-'))
    expect((await run('compact', '--now')).code).toBe(4)
    const copy = join(store, basename(file))
    writeFileSync(copy, readFileSync(file))
    const shown = await run('compact', '--policy', 'openclaw')
    expect(shown).toMatchObject({ code: 0, value: { file: copy } })
    expect((await run('compact', '--now', '--policy', 'openclaw')).code).toBe(0)
    expect(readFileSync(copy, 'utf8').trimEnd().split('\n').at(-1)).toContain('"type":"compaction"')
  })

  it('D10, D11, D26: writes the record, the index counts it, the context is the planned one; undo is byte-identical', async () => {
    const { key, file } = await anySession()
    const before = hashes(store)
    const plan = (await run('compact', key, '--policy', 'openclaw')).value
    const { code, value } = await run('compact', key, '--now', '--policy', 'openclaw')
    expect(code).toBe(0)
    expect(value).toMatchObject({
      verified: true,
      firstKeptEntryId: plan.firstKeptEntryId,
      summary: { source: 'digest' },
    })
    const record = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '')
    expect(record).toMatchObject({
      type: 'compaction',
      id: value.record,
      timestamp: expect.stringMatching(/Z$/),
      summary: expect.stringContaining('## Decisions'),
      firstKeptEntryId: plan.firstKeptEntryId,
      tokensBefore: plan.recordTokensBefore,
    })
    const after = (await run('context', key, '--call', 'next')).value
    const kept = plan.chunks
      .filter(({ action }: { action: string }) => action === 'keep')
      .flatMap(({ entryIds }: { entryIds: string[] }) => entryIds)
    expect(after.entries.map(({ id }: { id: string }) => id)).toEqual([value.record, ...kept])
    const counted = (await run('status', key)).value.compactions.count
    expect(counted).toBeGreaterThan(0)
    expect((await run('compact', key, '--now', '--policy', 'openclaw')).value).toMatchObject({
      reason: 'just-compacted',
    })
    const undone = await runCli(['undo', value.receipt, '--json'], { env })
    expect(undone.code).toBe(0)
    expect(hashes(store)).toEqual(before)
    expect((await run('status', key)).value.compactions.count).toBe(counted - 1)
  })

  it('D26: a session that is named by its file is counted in its index; a file without a store is compacted as well', async () => {
    const { key, file } = await anySession()
    const counted = (await run('status', key)).value.compactions.count
    const plan = (await run('compact', key, '--policy', 'openclaw')).value
    expect((await run('compact', file, '--now', '--policy', 'openclaw')).code).toBe(0)
    const index = JSON.parse(readFileSync(join(dirname(file), 'sessions.json'), 'utf8'))
    expect(index[key].compactionCount).toBeGreaterThan(0)
    expect(index[key]).toMatchObject({ totalTokens: Math.round(plan.tokensAfter), totalTokensFresh: false })
    expect((await run('status', key)).value.compactions.count).toBe(counted + 1)
    const alone = join(mkdtempSync(join(folder, 'alone-')), 'copy.jsonl')
    cpSync((await anySession()).file, alone)
    const lines = readFileSync(alone, 'utf8').trimEnd().split('\n')
    writeFileSync(alone, `${lines.slice(0, -1).join('\n')}\n`)
    const argv = ['compact', alone, '--now', '--policy', 'openclaw', '--json']
    const done = await runCli(argv, { env, stop: running })
    expect(done.stderr + done.stdout).toContain('"verified": true')
  })

  it('is refused while somebody else holds the lock, and undo once the session has gone on', async () => {
    const { key, file } = await anySession()
    const done = await run('compact', key, '--now', '--policy', 'openclaw')
    const last = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '')
    const message = { role: 'user', content: [{ type: 'text', text: 'And on.' }] }
    appendFileSync(
      file,
      `${JSON.stringify({ type: 'message', id: 'ab12cd34', parentId: last.id, timestamp: new Date().toISOString(), message })}\n`,
    )
    const undone = await runCli(['undo', done.value.receipt, '--json'], { env })
    expect(undone.code).toBe(3)
    // Process 1 is not ours, and alive.
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: 1, createdAt: new Date().toISOString() }))
    const before = readFileSync(file)
    // As long as OpenClaw would wait.
    const hasty = { ...env, OPENCLAW_SESSION_WRITE_LOCK_ACQUIRE_TIMEOUT_MS: '200' }
    const refused = await runCli(
      ['compact', key, '--now', '--policy', 'openclaw', '--store', store, '--json'],
      { env: hasty, stop: running },
    )
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain('Waiting up to 0.2 s for process 1')
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('T5: hooks run before and after, and a failing one harms nothing', async () => {
    const { key } = await anySession()
    const out = join(store, 'hook.out')
    const config = join(store, 'plimsoll.yaml')
    writeFileSync(
      config,
      `hooks: { beforeCompaction: ["cat >> ${out}"], afterCompaction: ["cat >> ${out}", "exit 4"] }\n`,
    )
    const done = await runCli(['compact', key, '--now', '--policy', 'openclaw', '--store', store, '--json'], {
      env: { ...env, PLIMSOLL_CONFIG: config },
      stop: running,
    })
    expect(done.code).toBe(0)
    const events = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ event }) => event)).toEqual(['before_compaction', 'after_compaction'])
    expect(events[1].receipt).toBe(JSON.parse(done.stdout).receipt)
    expect(JSON.parse(done.stdout).notes.join()).toContain('ended with 4')
  })
})
