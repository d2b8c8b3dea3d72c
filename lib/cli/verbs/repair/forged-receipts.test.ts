import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Setup } from '../../../compose/open'
import { openWriter, recoverAfterCrash } from '../../../compose/writer'
import { readFileState } from '../../../engine/write/file-state'
import { replaceFile } from '../../../engine/write/replace-file'
import { ALTERATIONS, FORGERIES, type Forger } from '../../../testing/hostile/forged-receipts'
import { readSetup } from '../../../testing/read-setup'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder, treeOf } from '../../../testing/store-folder'
import { bytesOf, INTENT, NO_WAIT } from '../../../testing/write-scenarios'

const OLD = '{"type":"session","version":3,"id":"a"}\nnot json\n'
const NEW = '{"type":"session","version":3,"id":"a"}\n'
const OURS = 'ssh-ed25519 of the operator\n'

/** A known store with one repaired transcript, and a file of the operator beside it. */
async function world() {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  const store = join(folder, 'store')
  const env = { PLIMSOLL_HOME: home, HOME: folder, PLIMSOLL_STORES: store }
  mkdirSync(store)
  const file = join(store, 'a.jsonl')
  writeFileSync(file, OLD)
  const victim = join(folder, '.ssh', 'authorized_keys')
  mkdirSync(join(folder, '.ssh'))
  writeFileSync(victim, OURS)
  const read = readSetup(env, folder)
  if (!read.ok) throw new Error(read.problems.join())
  const setup: Setup = read.setup
  const opened = await openWriter(setup)
  if (!opened.ok) throw new Error(opened.message)
  const expected = await readFileState(opened.writer, file)
  if (expected === null) throw new Error('The transcript is not there')
  const result = await replaceFile(opened.writer, {
    ...{ intent: INTENT, target: { file, root: store, kind: 'pi' }, expected },
    ...{ produce: () => bytesOf(NEW), wait: NO_WAIT },
  })
  if (result.kind !== 'done') throw new Error(JSON.stringify(result))
  const run = (...argv: string[]) => runCli(argv, { env, cwd: folder })
  const since = Date.parse(readFileSync(join(home, 'proof.key'), 'utf8').split('\n')[1] ?? '')
  const forger = (at: number): Forger => ({ home, store, victim, at })
  const receiptFile = (id: string) => join(home, 'receipts', `${id}.json`)
  return { run, setup, home, store, file, victim, since, forger, receipt: result.receipt, receiptFile }
}

describe('X17 receipts of a forger who may write into the state folder', () => {
  for (const [name, forge] of Object.entries(FORGERIES)) {
    test(`${name}: neither the start nor an undo acts on it, and it is reported`, async () => {
      const { run, setup, store, victim, since, forger } = await world()
      const id = forge(forger(since + 1))
      const before = [treeOf(store), readFileSync(victim, 'utf8')]
      const recovered = await recoverAfterCrash(setup)
      if (name.startsWith('an interrupted'))
        expect(recovered).toEqual([
          expect.stringMatching(`The receipt ${id} does not prove itself: It is not signed`),
        ])
      for (const options of [[], ['--unsigned']]) {
        const undone = await run('undo', id, ...options)
        expect([undone.code, undone.stdout]).toEqual([3, ''])
        expect(undone.stderr).toContain('does not prove itself')
      }
      const listed = JSON.parse((await run('audit', '--json')).stdout)
      expect(listed.writes.find((write: { id: string }) => write.id === id)).toMatchObject({
        proof: 'not-proved',
        notProvedBecause: expect.stringContaining('not signed'),
      })
      expect((await run('audit')).stdout).toMatch(new RegExp(`${id}.*not proved.*It is not signed`))
      expect([treeOf(store), readFileSync(victim, 'utf8')]).toEqual(before)
    })

    test(`${name}, dated before receipts were signed: no command acts on it, even with leave`, async () => {
      const { run, setup, store, victim, since, forger } = await world()
      const id = forge(forger(since - 1))
      const before = [treeOf(store), readFileSync(victim, 'utf8')]
      await recoverAfterCrash(setup)
      const plain = await run('undo', id)
      expect([plain.code, plain.stderr.includes('before receipts were signed')]).toEqual([3, true])
      const leave = await run('undo', id, '--unsigned', '--json')
      expect(leave.code).toBe(3)
      expect(JSON.parse(leave.stdout).error.message).toMatch(
        /is no store|not inside|not where its backup would be/,
      )
      expect([treeOf(store), readFileSync(victim, 'utf8')]).toEqual(before)
    })
  }
})

describe('X17 signed receipts that were changed', () => {
  for (const [name, alter] of Object.entries(ALTERATIONS))
    test(`${name}: exit code 3, nothing written, marked in the list`, async () => {
      const { run, store, victim, forger, receipt, receiptFile } = await world()
      // Taken back twice, so that there is one of each state.
      const undone = JSON.parse((await run('undo', receipt.id, '--json')).stdout)
      expect((await run('undo', undone.receipt)).code).toBe(0)
      const { text, id = receipt.id } = alter(readFileSync(receiptFile(receipt.id), 'utf8'), forger(0))
      writeFileSync(receiptFile(id), text)
      const before = [treeOf(store), readFileSync(victim, 'utf8')]
      for (const options of [[], ['--unsigned']]) {
        const outcome = await run('undo', id, ...options, '--json')
        expect(outcome.code).toBe(3)
        expect(JSON.parse(outcome.stdout).error).toMatchObject({ reason: 'not-proved' })
      }
      const { writes } = JSON.parse((await run('audit', '--json')).stdout)
      const marks = writes.map(({ proof }: { proof: string }) => proof).sort()
      expect(marks).toEqual(
        id === receipt.id ? ['not-proved', 'proved', 'proved'] : ['not-proved', ...Array(3).fill('proved')],
      )
      expect([treeOf(store), readFileSync(victim, 'utf8')]).toEqual(before)
    })

  test('with another key all of them are reported to be of another one, and a new write is proved', async () => {
    const { run, home, receipt, file } = await world()
    rmSync(join(home, 'proof.key'))
    const gone = JSON.parse((await run('audit', '--json')).stdout).writes
    expect(gone[0]).toMatchObject({
      proof: 'not-proved',
      notProvedBecause: expect.stringContaining('is gone'),
    })
    const refused = await run('undo', receipt.id)
    expect([refused.code, refused.stderr.includes('another key')]).toEqual([3, true])
    expect(readFileSync(file, 'utf8')).toBe(NEW)
  })

  test('a key that is none stops writes and says what to do', async () => {
    const { run, home, receipt } = await world()
    writeFileSync(join(home, 'proof.key'), 'hello')
    const refused = await run('undo', receipt.id)
    expect([refused.code, refused.stderr.includes('holds no key. Move it away')]).toEqual([3, true])
    expect((await run('audit')).code).toBe(0)
  })
})

describe('X17 receipts from before they were signed', () => {
  /** Makes an older one of the signed receipt: as the release before wrote it. */
  async function older(state?: 'pending') {
    const made = await world()
    const { home, receipt, since, receiptFile } = made
    const text = JSON.stringify({ ...receipt, at: since - 1, ...(state === undefined ? {} : { state }) })
    writeFileSync(receiptFile(receipt.id), text)
    if (state !== undefined)
      renameSync(receiptFile(receipt.id), join(home, 'receipts', `${receipt.id}.open.json`))
    return made
  }

  test('are listed as not signed; an undo needs --unsigned, and puts every byte back', async () => {
    const { run, file, receipt } = await older()
    expect((await run('audit')).stdout).toContain('done, not signed')
    const refused = await run('undo', receipt.id)
    expect(refused.stderr).toContain(`plimsoll undo ${receipt.id} --unsigned`)
    expect([refused.code, readFileSync(file, 'utf8')]).toEqual([3, NEW])
    const undone = await run('undo', receipt.id, '--unsigned', '--json')
    expect([undone.code, readFileSync(file, 'utf8')]).toEqual([0, OLD])
    expect((await run('undo', JSON.parse(undone.stdout).receipt)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(NEW)
  })

  test('one that a crash left open is reported at the start and settled by --unsigned alone', async () => {
    const { run, setup, home, receipt } = await older('pending')
    expect(await recoverAfterCrash(setup)).toEqual([expect.stringContaining('before receipts were signed')])
    const settled = await run('undo', receipt.id, '--unsigned')
    expect([settled.code, settled.stdout]).toEqual([
      0,
      `The interrupted write ${receipt.id} is settled: it is done.\n`,
    ])
    expect(existsSync(join(home, 'receipts', `${receipt.id}.open.json`))).toBe(false)
    expect(await recoverAfterCrash(setup)).toEqual([])
    expect(readdirSync(join(home, 'receipts'))).toEqual([`${receipt.id}.json`])
  })
})

describe('X17 plimsoll audit --verify', () => {
  test('exit code 0 with what is proved; 1 with the first line that was changed', async () => {
    const { run, home, receipt } = await world()
    expect((await run('undo', receipt.id)).code).toBe(0)
    const log = join(home, 'logs', 'audit.jsonl')
    const good = await run('audit', '--verify')
    expect(good).toMatchObject({ code: 0, stderr: '' })
    expect(good.stdout).toBe(`2 lines of ${log}: each follows the one before it, and none is missing.\n`)
    const text = readFileSync(log, 'utf8')
    writeFileSync(log, text.replace('"test"', '"root"'))
    const bad = await run('audit', '--verify')
    expect(bad.code).toBe(1)
    expect(bad.stdout).toBe(`The chain breaks at line 1 of ${log}. It was changed after it was written.\n`)
    const asJson = await run('audit', '--verify', '--json')
    expect([asJson.code, JSON.parse(asJson.stdout)]).toEqual([
      1,
      {
        ...{ ok: false, files: [log], chained: 1, torn: 0, older: 1, problems: [], receipts: 2 },
        broken: { file: log, line: 1, why: 'It was changed after it was written.' },
      },
    ])
  })

  test('where nothing was ever written nothing is made, and nothing is wrong', async () => {
    const folder = temporaryFolder()
    const env = { PLIMSOLL_HOME: join(folder, 'home'), HOME: folder }
    const run = await runCli(['audit', '--verify'], { env, cwd: folder })
    expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(/^No line of .* is chained yet/)])
    expect(existsSync(join(folder, 'home'))).toBe(false)
  })

  test('lines from before the chain are said to be unchanged', async () => {
    const made = await world()
    const { run, home, receipt } = made
    const log = join(home, 'logs', 'audit.jsonl')
    rmSync(join(home, 'logs'), { recursive: true })
    mkdirSync(join(home, 'logs'))
    writeFileSync(log, `{"at":1,"receipt":"${receipt.id}","state":"done"}\n`)
    await run('undo', receipt.id)
    const { code, stdout } = await run('audit', '--verify')
    expect(code).toBe(0)
    expect(stdout).toContain('1 line from before the log was chained: unchanged since it is.')
  })
})
