import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { coldLine } from '../../core/cold/record'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder } from '../../testing/store-folder'

const DAY = 86_400_000

/** Logs of 24 drops of a session, two of which came back. */
function world() {
  const home = temporaryFolder()
  const context = join(home, '.clawdbot', 'logs', 'context')
  const store = join(home, 'sessions')
  for (const folder of [context, store]) mkdirSync(folder, { recursive: true })
  const t = new TranscriptBuilder()
  t.user('first')
  t.assistant('one')
  writeFileSync(join(store, '2026-11-01T08-00-00-000Z_s1.jsonl'), `${t.lines.join('\n')}\n`)
  const timestamp = new Date(Date.now() - DAY).toISOString()
  const drops = Array.from({ length: 24 }, (_, i) => ({
    ...{ timestamp, chunk_id: `c${i}`, session_id: 's1', reason: 'low_relevance', tokens: 100 },
    ...{ relevance_score: i / 100 + 0.05, threshold_used: 0.3 },
  }))
  const lines = (all: readonly object[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('')
  writeFileSync(join(context, 'drops.jsonl'), lines(drops))
  const back = ['c22', 'c23'].map((chunk_id) => ({ chunk_id, session_id: 's1', trigger: 'manual' }))
  writeFileSync(join(context, 'recovery.jsonl'), lines(back))
  const run = (...argv: string[]) =>
    runCli([...argv, '--store', store], {
      env: { HOME: home, PLIMSOLL_HOME: join(home, 'state') },
      cwd: home,
    })
  return { home, run }
}

test('W4 W5 --what-if prints what another cut-off would change, and which key to change', async () => {
  const { run } = world()
  const { stdout, code } = await run(
    'logs',
    '--path',
    join('.clawdbot', 'logs', 'context'),
    '--what-if',
    '0.25',
    '--against',
    '0.3',
  )
  expect(code).toBe(0)
  expect(stdout).toMatch(/dropped +24 +2.400 +2 +21 +2.100 +0 +-3/)
  expect(stdout).toMatch(/summarised +0 +0 +0 +3 +300 +2 +3/)
  expect(stdout).toContain(
    'Change relevance.cutoff from 0.3 to 0.27 in plimsoll.yaml, or RELEVANCE_CUTOFF in context-config.yaml.',
  )
})

test('W4 --what-if judges the newest drops of a log of any size, and says how many there are', async () => {
  const { home, run } = world()
  const folder = join(home, 'large')
  mkdirSync(folder)
  const line = (i: number) =>
    `{"timestamp":${i},"chunk_id":"c${i}","relevance_score":${i < 2 ? 0.1 : 0.28}}\n`
  writeFileSync(join(folder, 'drops.jsonl'), Array.from({ length: 100_002 }, (_, i) => line(i)).join(''))
  const { stdout, stderr } = await run('logs', '--path', 'large', '--what-if', '0.25')
  expect(stdout).toMatch(/dropped +100.000 +0 +0 +0 +0 +0 +-100.000\n/)
  expect(stderr).toMatch(/Of 100.002 logged drops the newest 100.000 are judged/)
})

test('Q10 --what-if --json shows no credential of a log', async () => {
  const { home, run } = world()
  const reason = ['sk-', 'ant-', 'api03-', 'Zx81Qw72Er63Ty54Ui45Op36'].join('')
  mkdirSync(join(home, 'own'))
  const drop = JSON.stringify({ chunk_id: 'c', relevance_score: 0.28, reason })
  writeFileSync(join(home, 'own', 'drops.jsonl'), `${drop}\n`)
  const { stdout } = await run('logs', '--path', 'own', '--what-if', '0.25', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ drops: 1, earlier: 0, changed: [{ drop: { chunkId: 'c' } }] })
  expect(stdout).not.toContain('Zx81Qw72')
})

test('W4 W6 --trial goes through the transcripts and prints both aims', async () => {
  const { run } = world()
  const argv = ['logs', '--path', join('.clawdbot', 'logs', 'context'), '--what-if', '0.25', '--trial']
  const { stdout } = await run(...argv)
  expect(stdout).toContain('fewer tokens (aim 20')
  expect(stdout).toContain('later needs met (aim 95')
  expect(stdout).toContain('No pass was ever due')
  const { trial, after } = JSON.parse((await run(...argv, '--json')).stdout)
  expect(trial.aims).toEqual({ fewerTokens: 0.2, retention: 0.95 })
  expect(trial.after.figures).toMatchObject({ fewerTokens: 0 })
  expect(after.setting).toEqual({ cutoff: 0.25, keep: 0.7 })
})

test('I3 cold-storage extend keeps a chunk longer, and says when nothing changed', async () => {
  const { home } = world()
  const folder = join(home, '.clawdbot', 'cold-storage', 's1')
  mkdirSync(folder, { recursive: true })
  const at = Date.now() - 40 * DAY
  const base = { at, tokens: 9, reason: null, score: null, prompt: null, place: null, until: at + 30 * DAY }
  writeFileSync(
    join(folder, 'c1.jsonl'),
    `${coldLine({ ...base, chunkId: 'c1', sessionId: 's1', content: 'text' })}\n`,
  )
  const run = async (...argv: string[]) =>
    runCli(argv, { env: { HOME: home, PLIMSOLL_HOME: join(home, 'state') }, cwd: home })
  expect((await run('recover', '--chunk-id', 'c1')).code).toBe(3)
  const extended = JSON.parse((await run('cold-storage', 'extend', 'c1', '--days', '10', '--json')).stdout)
  expect(extended).toMatchObject({ id: 'c1', changed: true })
  const { stdout } = await run('cold-storage', 'extend', 'c1', '--days', '1')
  expect(stdout).toMatch(/c1 is kept until [\d:\- ]+ UTC\. Nothing changed/)
  expect(await run('recover', '--chunk-id', 'c1')).toMatchObject({ code: 0, stdout: 'text' })
  expect((await run('cold-storage', 'extend', 'x', '--days', '1')).code).toBe(2)
  expect((await run('cold-storage', 'extend', 'c1')).code).toBe(2)
})
