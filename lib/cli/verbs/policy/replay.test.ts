import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { forgetfulSession } from '../../../testing/builders/forgetful-session'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder, storeFixture, treeOf, writeFiles } from '../../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
const store = ['--store', join(folder, 'pi')]
const run = (...argv: string[]) => runCli(argv, { env, cwd: folder })

beforeAll(() => {
  writeFiles(folder, {
    'pi/2026-11-01T08-00-00-000Z_version-1.jsonl': storeFixture('pi-version-1.jsonl'),
    'mine.yaml': 'preset: vs7\n',
  })
})

describe('plimsoll replay', () => {
  it('says what each policy would have saved and lost, what that rests on, and what it assumes', async () => {
    const before = treeOf(join(folder, 'pi'))
    const { code, stdout, stderr } = await run('replay', ...store, '--policy', 'keep-calls-10')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('assuming the agent had done the same')
    expect(stdout).toMatch(
      /^1 session, \d+ calls, \d+ needs; the largest session has 100\u202f% of the weight/,
    )
    expect(stdout).toMatch(/POLICY +SAVING +LONG-RANGE RECALL/)
    expect(stdout).toMatch(/^keep-calls-10 +≈/m)
    expect(stdout).toMatch(/CALIBRATION/)
    expect(treeOf(join(folder, 'pi'))).toEqual(before)
  })

  it('gives the same document, with its hash, however many threads there are', async () => {
    const documents = await Promise.all(
      ['1', '2'].map((threads) => run('replay', ...store, '--json', '--threads', threads)),
    )
    const [one, two] = documents.map(({ stdout }) => JSON.parse(stdout))
    expect(one).toEqual(two)
    expect(one.hash).toMatch(/^[0-9a-z]{8,12}$/)
    expect(one.policies.map(({ name }: { name: string }) => name)).toContain('in-force')
  })

  it('takes a preset by its name and a file by its path', async () => {
    const { stdout } = await run('replay', ...store, '--json', '--policy', 'vs7', '--policy', 'mine.yaml')
    const [preset, mine] = JSON.parse(stdout).policies
    expect(preset.name).toBe('preset-vs7')
    expect(mine).toMatchObject({ name: 'mine.yaml', role: 'policy' })
  })

  it('exits with 1 when a limit is missed, and says by how much', async () => {
    const kept = await run('replay', ...store, '--policy', 'vs7', '--max-regret', '1')
    expect(kept.code).toBe(0)
    const missed = await run('replay', ...store, '--policy', 'vs7', '--min-saving', '0.99')
    expect(missed.code).toBe(1)
    expect(missed.stdout).toMatch(/MISSED: --min-saving 0\.99 by preset-vs7: /)
  })

  it('exits with 2 for a policy or a session that is not there, and names what there is', async () => {
    const policy = await run('replay', ...store, '--policy', 'nothing-like-it')
    expect(policy.code).toBe(2)
    expect(policy.stderr).toContain('keep-calls-10')
    const session = await run('replay', ...store, '--sessions', 'nobody')
    expect(session).toMatchObject({ code: 2, stdout: '' })
    const none = await run('replay', ...store, '--agent', 'nobody')
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('No session')
  })

  it('writes nothing unless it is to be kept; then it is an experiment of the Lab', async () => {
    const state = join(folder, 'state', 'plimsoll.db')
    await run('replay', ...store, '--policy', 'vs7')
    expect(existsSync(state)).toBe(false)
    const { code, stdout } = await run('replay', ...store, '--policy', 'vs7', '--json', '--save', 'Harbour')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).experiment).toMatch(/^[0-9a-z]+-[0-9a-f]{8}$/)
    expect(readFileSync(state).length).toBeGreaterThan(0)
  })
})

describe('plimsoll tune', () => {
  it('says whether there is a gain, on what it was tested, and the values of three picks', async () => {
    writeFiles(folder, Object.fromEntries([1, 2, 3, 4].map((n) => [`four/s${n}.jsonl`, forgetfulSession(n)])))
    const four = ['--store', join(folder, 'four')]
    const { code, stdout } = await run('tune', ...four, '--json')
    expect(code).toBe(0)
    const { tune, policies, hash } = JSON.parse(stdout)
    expect(tune.picks.map(({ pick }: { pick: string }) => pick)).toEqual(['safe', 'balanced', 'cheap'])
    expect(tune.picks[0].verdict).toBe('too few sessions')
    expect(policies.map(({ name }: { name: string }) => name)).toContain('oracle-cost')
    const text = await run('tune', ...four, '--save', 'Tuned')
    expect(text.stdout).toMatch(/^There are too few sessions to tell a gain/)
    expect(text.stdout).toContain('assuming the agent had done the same')
    expect(text.stdout).toMatch(/^Balanced: /m)
    const again = await run('tune', ...four, '--json')
    expect(JSON.parse(again.stdout).hash).toBe(hash)
  })

  it('needs sessions to learn on and others to be tested on', async () => {
    const { code, stderr } = await run('tune', ...store)
    expect(code).toBe(2)
    expect(stderr).toContain('3 sessions')
  })
})
