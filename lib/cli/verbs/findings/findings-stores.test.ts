import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ClaudeCodeBuilder } from '../../../testing/builders/foreign-lines'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder, writeFiles } from '../../../testing/store-folder'

let folder: string
const DAY = 86_400_000
const OLD = '.claude/projects/-w/old.jsonl'
const LOCKED = 'openclaw/agents/main/sessions/locked.jsonl'
const stores = () => [
  ...['--store', join(folder, '.claude/projects')],
  ...['--store', join(folder, 'openclaw')],
]
const run = (...argv: string[]) =>
  runCli([...argv, ...stores()], {
    env: { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') },
  })

function talk(): string {
  const builder = new ClaudeCodeBuilder()
  builder.user('List the berths.')
  builder.answer('m1', { type: 'text', text: 'Two.' }, { input: 5, read: 1000, write: 300, output: 7 })
  return builder.text()
}

beforeEach(() => {
  folder = temporaryFolder()
  const builder = new TranscriptBuilder({ id: 'locked' })
  builder.user('Go.')
  builder.assistant('Gone.', { usage: { input: 100, output: 10 } })
  writeFiles(folder, { [OLD]: talk(), '.claude/projects/-w/new.jsonl': talk(), [LOCKED]: builder.text() })
  const before = new Date(Date.now() - 29 * DAY)
  utimesSync(join(folder, OLD), before, before)
  writeFileSync(
    join(folder, `${LOCKED}.lock`),
    JSON.stringify({ pid: 2 ** 30, createdAt: new Date(Date.now() - 2 * DAY).toISOString() }),
  )
})

async function ofStores(...argv: string[]) {
  const { findings } = JSON.parse((await run('findings', '--json', ...argv)).stdout)
  const kinds = ['deleted-soon', 'stale-lock']
  return kinds.flatMap((wanted) => findings.filter(({ kind }: { kind: string }) => kind === wanted))
}

describe('plimsoll findings, of stores', () => {
  it('lists locks that were left behind and transcripts that are deleted soon, in the list, the report and by session', async () => {
    expect(await ofStores()).toMatchObject([
      { kind: 'deleted-soon', severity: 'medium', session: 'old', times: 1 },
      { kind: 'stale-lock', severity: 'medium', session: 'locked' },
    ])
    const { findings } = JSON.parse((await run('report', '--json')).stdout)
    expect(findings.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['deleted-soon', 'stale-lock']),
    )
    expect(await ofStores('locked')).toMatchObject([{ kind: 'stale-lock' }])
    expect(existsSync(join(folder, `${LOCKED}.lock`))).toBe(true)
  })

  it('X17 what is deleted soon is kept by a setting of the runtime, or by the archive; both are taken back to the byte', async () => {
    const [{ id }] = await ofStores('--since', '7d')
    const settings = join(folder, '.claude/settings.json')
    const text = '{\n  "model": "opus", \n  "cleanupPeriodDays": 30\n}\n'
    writeFileSync(settings, text)
    const preview = JSON.parse((await run('findings', 'apply', id, '--dry-run', '--json')).stdout)
    expect(preview).toMatchObject({
      ...{ file: settings, key: 'cleanupPeriodDays', from: 30, to: 365, changed: false, watchedBy: null },
      ...{ choices: ['archive.enabled'], sessions: [], foreseen: null },
    })
    expect(readFileSync(settings, 'utf8')).toBe(text)
    const done = JSON.parse((await run('findings', 'apply', id, '--json')).stdout)
    expect(readFileSync(settings, 'utf8')).toBe(text.replace('30', '365'))
    expect(await ofStores()).toMatchObject([{ kind: 'stale-lock' }])
    const undo = async (receipt: string) =>
      (
        await runCli(['undo', receipt], {
          env: { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') },
        })
      ).code
    expect(await undo(done.receipt)).toBe(0)
    expect(readFileSync(settings, 'utf8')).toBe(text)

    const shown = await run('findings', 'apply', id, '--dry-run')
    expect(shown.stdout).toContain(`Another way: plimsoll findings apply ${id} --key archive.enabled`)
    const archive = JSON.parse(
      (await run('findings', 'apply', id, '--key', 'archive.enabled', '--json')).stdout,
    )
    expect(archive).toMatchObject({ key: 'archive.enabled', from: null, to: true, changed: true })
    const own = join(folder, 'home/.config/plimsoll/plimsoll.yaml')
    expect(archive.file).toBe(own)
    expect(readFileSync(own, 'utf8')).toBe('archive:\n  enabled: true\n')
    // Copies are kept now, so nothing is lost.
    expect(await ofStores()).toMatchObject([{ kind: 'stale-lock' }])
    expect(await undo(archive.receipt)).toBe(0)
    expect(existsSync(own)).toBe(false)
    const other = await run('findings', 'apply', id, '--key', 'mode')
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('Settings that would: cleanup')])
  })

  it('are in a check of health of all sessions, which says no with them, and not in one of a single session', async () => {
    const all = await run('health', '--all', '--findings', 'medium', '--json', '--no-log')
    const { storeFindings } = JSON.parse(all.stdout)
    expect(all.code).toBe(1)
    expect(storeFindings.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      'deleted-soon',
      'stale-lock',
    ])
    expect((await run('health', '--all', '--findings', 'medium', '--no-log')).stdout).toContain(
      'Of the stores:\n  MEDIUM',
    )
    for (const { id } of storeFindings) await run('findings', 'mute', id, '--reason', 'Known.')
    const muted = await run('health', '--all', '--findings', 'medium', '--json', '--no-log')
    expect([muted.code, JSON.parse(muted.stdout).storeFindings]).toEqual([0, []])
    expect(JSON.parse((await run('health', '--all', '--json', '--no-log')).stdout).storeFindings).toBeNull()
    expect((await run('health', 'locked', '--findings', 'medium', '--no-log')).code).toBe(0)
  })

  it('says where expired chunks of cold storage pile up', async () => {
    const kept = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`kept/cold/busy/c${i}.jsonl`, `{"chunkId":"c${i}"}\n`]),
    )
    writeFiles(folder, kept)
    const before = new Date(Date.now() - 40 * DAY)
    for (const file of Object.keys(kept).slice(0, 55)) utimesSync(join(folder, file), before, before)
    const cold = async () =>
      JSON.parse(
        (await run('findings', '--json', '--config', join(folder, 'plimsoll.yaml'))).stdout,
      ).findings.filter(({ kind }: { kind: string }) => kind === 'only-grows')
    writeFiles(folder, {
      'plimsoll.yaml': `policy:\n  coldStorage: { path: ${join(folder, 'kept/cold')}, days: 30 }\n`,
    })
    expect(await cold()).toMatchObject([{ times: 55, severity: 'low', session: 'locked' }])
    writeFiles(folder, {
      'plimsoll.yaml': `policy:\n  coldStorage: { path: ${join(folder, 'kept/cold')}, days: 60 }\n`,
    })
    expect(await cold()).toEqual([])
  })

  it('says what to do about one, and mutes it', async () => {
    const [due] = await ofStores()
    const { code, stdout } = await run('findings', 'apply', due.id, '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toContain('+{ "cleanupPeriodDays": 365 }')
    expect(stdout).toContain('Nothing was written.')
    expect((await run('findings', 'mute', due.id, '--reason', 'Known.')).code).toBe(0)
    expect(await ofStores()).toMatchObject([{ kind: 'stale-lock' }])
  })
})
