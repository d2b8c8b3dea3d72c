import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TuneOutcome } from '../../../core/replay/experiment-result'
import { seededTranscript } from '../../../testing/builders/seeded-transcript'
import { endAsTuning } from '../../../testing/end-as-tuning'
import { writeFiles } from '../../../testing/store-folder'
import { LOOP_SETTINGS, loopingSession, loopingStore } from '../../../testing/stores/looping-store'

const world = loopingStore()
const { run, settings, idOf } = world
const store = () => ['--store', join(world.folder, 'openclaw')]

/** Keeps an experiment as if a tuning had ended so. Answers its id. */
async function keepTuning(verdict: TuneOutcome['picks'][number]['verdict']): Promise<string> {
  const kept = await run(
    'replay',
    ...store(),
    '--policy',
    'everything',
    '--save',
    'Tuning of today',
    '--json',
  )
  const { experiment } = JSON.parse(kept.stdout)
  await endAsTuning(join(world.folder, 'state', 'plimsoll.db'), experiment, verdict)
  return experiment
}

describe('a tuning’s pick as a remedy', () => {
  it('is named beside a finding that it may cure, tried, applied, watched with what was foreseen, and undone', async () => {
    const experiment = await keepTuning('gain')
    const id = await idOf('compaction-frees-nothing')
    const plain = await run('findings', 'apply', id, '--dry-run', ...store())
    expect(plain.stdout).toContain('keepRecentTokens: 12000')
    expect(plain.stdout).toMatch(
      /The tuning “Tuning of today” of \S+ was over these sessions\..*--pick safe, balanced/,
    )

    const dry = await run('findings', 'apply', id, '--pick', 'safe', '--dry-run', '--json', ...store())
    expect(settings()).toBe(LOOP_SETTINGS)
    const shown = JSON.parse(dry.stdout)
    expect(shown.key).toContain('agents.defaults.compaction.keepRecentTokens')
    expect(shown.tuned).toMatchObject({ experiment, sessions: 1, grown: 0 })
    expect(shown.foreseen).toMatchObject({ sessions: 1, calls: 7, failed: 0 })
    expect(shown.watchedBy).toBe('prompt tokens per call')

    const done = JSON.parse(
      (await run('findings', 'apply', id, '--pick', 'safe', '--json', ...store())).stdout,
    )
    expect(settings()).toContain('keepRecentTokens: 8000')
    expect(settings()).toContain('// mine')
    const { remedies } = JSON.parse((await run('findings', 'verify', '--json', ...store())).stdout)
    expect(remedies[0]).toMatchObject({
      kind: 'tuned',
      measure: 'sent',
      foreseen: { sessions: 1, calls: 7 },
    })
    expect(remedies[0].sentence).toContain('Foreseen by replay of 1 session')
    expect((await run('audit', '--json')).stdout).toContain(done.receipt)
    expect((await run('undo', done.receipt)).code).toBe(0)
    expect(settings()).toBe(LOOP_SETTINGS)
  })

  it('is applied by its own name, and says when sessions have grown since', async () => {
    const experiment = await keepTuning('gain')
    writeFiles(world.folder, { 'openclaw/agents/main/sessions/loop.jsonl': loopingSession(8) })
    const { code, stdout } = await run(
      'findings',
      'apply',
      `tuned.${experiment}.balanced`,
      '--dry-run',
      ...store(),
    )
    expect(code).toBe(0)
    expect(stdout).toContain('keepRecentTokens: 8000')
    expect(stdout).toContain('1 of 1 session of this store have grown')
    expect(stdout).toContain('assuming the agent had done the same')
    expect((await run('findings', 'apply', 'tuned.nothing.safe', ...store())).code).toBe(2)
  })

  it('is not written where the values that the file has keys for cost more by replay, unless that is wanted', async () => {
    const transcripts = Array.from({ length: 8 }, (_, i) => [
      `openclaw/agents/main/sessions/s${i}.jsonl`,
      seededTranscript(i),
    ])
    const models = `models: { providers: { anthropic: { models: [{ id: 'claude-sonnet-4-5', contextWindow: 33000 }] } } },`
    const text = LOOP_SETTINGS.replace('// mine', models)
    writeFiles(world.folder, { 'openclaw/openclaw.json': text, ...Object.fromEntries(transcripts) })
    const id = `tuned.${await keepTuning('gain')}.balanced`
    const refused = await run('findings', 'apply', id, ...store())
    expect([refused.code, settings()]).toEqual([1, text])
    expect(refused.stdout).toMatch(/Nothing was written\. Replayed .* costs more .*“--no-replay”/)
    expect((await run('findings', 'apply', id, '--no-replay', ...store())).code).toBe(0)
    expect(settings()).toBe(text.replace('24000', '8000'))
  })

  it('is not offered where the tuner found no significant gain', async () => {
    await keepTuning('no significant gain')
    const id = await idOf('compaction-frees-nothing')
    const plain = await run('findings', 'apply', id, '--dry-run', ...store())
    expect(plain.stdout).toContain('offers nothing: no significant gain')
    const { code, stdout } = await run('findings', 'apply', id, '--pick', 'safe', ...store())
    expect(code).toBe(1)
    expect(stdout).toContain('no significant gain')
    expect(settings()).toBe(LOOP_SETTINGS)
  })
})

describe('a remedy for agents that embed the library', () => {
  it('changes our own file, which they go by, and undo takes it away again', async () => {
    const config = join(world.folder, 'home/.config/plimsoll/plimsoll.yaml')
    const own = `# mine\nstores:\n  - path: ${join(world.folder, 'openclaw')}\n    runtime: library\n`
    writeFiles(world.folder, { 'home/.config/plimsoll/plimsoll.yaml': own })
    const id = await idOf('compaction-frees-nothing')
    const dry = await run('findings', 'apply', id, '--dry-run', ...store())
    expect(dry.code).toBe(0)
    expect(readFileSync(config, 'utf8')).toBe(own)
    const done = JSON.parse((await run('findings', 'apply', id, '--json', ...store())).stdout)
    expect(done).toMatchObject({ file: config, key: 'policy.compaction.keepRecentTokens', changed: true })
    expect(readFileSync(config, 'utf8')).toContain('keepRecentTokens:')
    expect(settings()).toBe(LOOP_SETTINGS)
    expect((await run('undo', done.receipt)).code).toBe(0)
    expect(readFileSync(config, 'utf8')).toBe(own)

    await keepTuning('gain')
    const tuned = JSON.parse(
      (await run('findings', 'apply', id, '--pick', 'safe', '--json', ...store())).stdout,
    )
    expect(tuned).toMatchObject({ file: config, changed: true })
    expect((await run('undo', tuned.receipt)).code).toBe(0)
    expect(readFileSync(config, 'utf8')).toBe(own)
  })
})
