import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededTranscript } from '../../../testing/builders/seeded-transcript'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder, writeFiles } from '../../../testing/store-folder'

/** A window that sessions nearly fill, with compactions that do not pay, and nothing that is pruned. */
const SETTINGS = `{
  // mine
  meta: { lastTouchedVersion: '2026.7.1' },
  models: { providers: { anthropic: { models: [{ id: 'claude-sonnet-4-5', contextWindow: 60000 }] } } },
  agents: { defaults: { compaction: { mode: 'default', keepRecentTokens: 24000 } } }, /* end */
}
`
/** Of six workspaces, ten each: four are learned on, and two are as many sessions as a test takes at least. */
const SESSIONS = 60

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
const store = ['--store', join(folder, 'openclaw')]
const json = async (...argv: string[]) =>
  JSON.parse((await runCli([...argv, '--json', ...store], { env })).stdout)
const settings = () => readFileSync(join(folder, 'openclaw/openclaw.json'), 'utf8')
const files = () => readdirSync(join(folder, 'openclaw'), { recursive: true }).map(String).sort()

it('what the tuner itself finds to be a gain is shown, set in OpenClaw’s file, watched, and taken back to the byte', async () => {
  const transcripts = Array.from({ length: SESSIONS }, (_, i) => [
    `openclaw/agents/main/sessions/s${i}.jsonl`,
    seededTranscript(i, 3),
  ])
  writeFiles(folder, { 'openclaw/openclaw.json': SETTINGS, ...Object.fromEntries(transcripts) })
  const { tune, experiment } = await json('tune', '--save', 'Tuning of the harbour')
  expect(tune.split).toEqual({ train: 40, test: 20, by: 'owner' })
  const found = tune.picks.find(({ pick }: { pick: string }) => pick === 'safe')
  expect(found).toMatchObject({ verdict: 'gain', overLimit: false })
  expect(found.gain.low).toBeGreaterThan(0.1)

  const before = files()
  const id = `tuned.${experiment}.safe`
  const shown = await json('findings', 'apply', id, '--dry-run', '--no-replay')
  expect(shown).toMatchObject({ changed: false, tuned: { experiment, sessions: SESSIONS, grown: 0 } })
  expect(shown.tuned.without).toContain('lines.compact.at')
  expect([settings(), files()]).toEqual([SETTINGS, before])

  const done = await json('findings', 'apply', id)
  // What OpenClaw's own keys can say of the pick saves as well, and the rest is named.
  expect(done.foreseen).toMatchObject({ failed: 0, sessions: 20 })
  expect(done.foreseen.gain.low).toBeGreaterThan(0)
  const { keepRecentTokens } = found.policy.compaction
  expect(settings()).toContain(`keepRecentTokens: ${keepRecentTokens}`)
  expect(settings()).toMatch(/contextPruning: \{ "softTrimRatio": 0\.\d+.*\/\* end \*\//s)
  expect(settings()).toMatch(/^\{\n {2}\/\/ mine\n/)
  const { remedies } = await json('findings', 'verify')
  expect(remedies).toMatchObject([
    { finding: id, kind: 'tuned', measure: 'sent', undoneAt: null, foreseen: { sessions: 20 } },
  ])
  expect((await runCli(['undo', done.receipt], { env })).code).toBe(0)
  expect([settings(), files()]).toEqual([SETTINGS, before])
}, 600_000)
