import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
const store = join(folder, 'store')
const stop = new AbortController().signal

const HEADER = '{"type":"session","version":3,"id":"good","timestamp":"2026-11-21T10:00:00Z","cwd":"/w"}'
const FIRST =
  '{"type":"message","id":"a","parentId":null,"timestamp":"2026-11-21T10:00:01Z","message":{"role":"user","content":"hello"}}'
const SECOND =
  '{"type":"message","id":"b","parentId":"a","timestamp":"2026-11-21T10:00:02Z","message":{"role":"assistant","content":[{"type":"text","text":"yes"}]}}'

function put(name: string, content: string | Uint8Array): string {
  const path = join(store, name)
  mkdirSync(store, { recursive: true })
  writeFileSync(path, content)
  return path
}

beforeAll(() => {
  put('good.jsonl', `${HEADER}\n${FIRST}\n${SECOND}\n`)
  put('headless.jsonl', `${FIRST}\n${SECOND}\n`)
  put('torn.jsonl', `${HEADER}\n${FIRST}\n${SECOND.slice(0, 40)}`)
  put(
    'rubbish.jsonl',
    Uint8Array.from({ length: 400 }, (_, i) => (i % 50 === 49 ? 10 : 128 + (i % 100))),
  )
  put('empty.jsonl', '')
})

type Flawed = { id: string; flaws: { kind: string }[]; contextTokens: { basis: string } }

describe('bad input: each transcript says what is wrong with it and what to do (X1)', () => {
  it('in the list of sessions, in which nothing is made up for what cannot be read', async () => {
    const run = await runCli(['sessions', '--store', store], { env })
    expect(run.code).toBe(0)
    expect(run.stdout).not.toContain('NaN')
    expect(run.stderr).toMatch(/headless\.jsonl: No session header.*backup/)
    expect(run.stderr).toMatch(/torn\.jsonl: The last line is not finished \(40 bytes\).*plimsoll repair/)
    expect(run.stderr).toMatch(/rubbish\.jsonl: All 8 lines are unreadable.*move it out of the store/)
    expect(run.stderr).toMatch(/empty\.jsonl: The file is empty/)
    expect(run.stderr).not.toContain('good.jsonl')
    const { sessions } = JSON.parse((await runCli(['sessions', '--store', store, '--json'], { env })).stdout)
    const kinds = Object.fromEntries(
      sessions.map(({ id, flaws }: Flawed) => [id, flaws.map(({ kind }) => kind)]),
    )
    expect(kinds).toEqual({
      good: [],
      headless: ['headless'],
      torn: ['unfinished'],
      rubbish: ['no-entry'],
      empty: ['empty'],
    })
    const unknown = sessions.filter(({ contextTokens }: Flawed) => contextTokens.basis === 'unknown')
    expect(unknown.map(({ id }: Flawed) => id).toSorted()).toEqual(['empty', 'rubbish'])
  })

  it.each([
    ['status', 'headless', 'No session header'],
    ['status', 'torn', 'The last line is not finished'],
    ['status', 'rubbish', 'All 8 lines are unreadable'],
    ['context', 'headless', 'No session header'],
    ['context', 'torn', 'The last line is not finished'],
    ['context', 'rubbish', 'All 8 lines are unreadable'],
  ])('in %s of the one that is %s', async (verb, name, message) => {
    const { stderr } = await runCli([verb, join(store, `${name}.jsonl`)], { env })
    expect(stderr).toContain(message)
  })

  it('in the report of the doctor, who says no', async () => {
    const run = await runCli(['doctor', '--store', store], { env })
    expect(run.code).toBe(1)
    for (const message of ['No session header', 'is not finished', 'All 8 lines', 'file is empty'])
      expect(run.stdout).toContain(message)
    const good = join(folder, 'sound')
    cpSync(join(store, 'good.jsonl'), join(good, 'good.jsonl'))
    expect((await runCli(['doctor', '--store', good], { env })).code).toBe(0)
  })
})

describe('bad input: an import says which stores it left out', () => {
  it('and is no success when these were all that were named', async () => {
    const run = await runCli(['ingest', '--store', join(folder, 'nowhere')], { env, stop })
    expect(run).toMatchObject({ code: 4, stdout: '' })
    expect(run.stderr).toContain(`${join(folder, 'nowhere')} is not there.`)
  })

  it('and reads the others', async () => {
    const database = join(folder, 'rubbish-store', 'agents', 'main', 'agent')
    mkdirSync(database, { recursive: true })
    writeFileSync(join(database, 'openclaw-agent.sqlite'), 'x'.repeat(5000))
    const named = ['--store', join(folder, 'rubbish-store'), '--store', store]
    const run = await runCli(['ingest', ...named], { env, stop })
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('5 sessions in 1 store (1 more store cannot be read)')
    expect(run.stderr).toMatch(/openclaw-agent\.sqlite is not an SQLite database.*backup/)
    const { problems } = JSON.parse((await runCli(['ingest', ...named, '--json'], { env, stop })).stdout)
    expect(problems).toHaveLength(1)
    expect(readFileSync(join(store, 'empty.jsonl'))).toHaveLength(0)
  })
})

describe('bad input: options out of range are wrong use, and name the range', () => {
  const run = (...argv: string[]) => runCli([...argv, '--json'], { env, cwd: folder, stop })
  it.each([
    [['cold-storage', 'extend', 'x', '--days', '99999999'], 'from 1 to 3650'],
    [['cold-storage', 'list', '--limit', '99999999999999999999'], 'from 1 to 1000000'],
    [['health', '--watch', '--every', '99999999'], 'from 1 to 86400'],
    [['policy', 'show', '--window', '99999999999999999999'], 'from 1 to 1000000000'],
    [['policy', 'apply', 'coldStorage.days=99999999'], 'from 0 to 36500'],
    [['policy', 'apply', 'compaction.timeoutMs=1e12'], 'from 0 to 2147483647'],
    [['score', '--prompt', ''], 'must hold words'],
    [['score', '--prompt', '  '], 'must hold words'],
  ])('%j', async (argv, range) => {
    const done = await run(...argv)
    expect([done.code, done.stderr]).toEqual([2, expect.stringContaining(range)])
  })
})
