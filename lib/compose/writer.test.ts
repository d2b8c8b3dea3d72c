import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LocalConnection } from '../db/sqlite/local-connection'
import { readFileState } from '../engine/write/file-state'
import { replaceFile } from '../engine/write/replace-file'
import { readSetup } from '../testing/read-setup'
import { temporaryFolder } from '../testing/store-folder'
import { bytesOf, INTENT, NO_WAIT } from '../testing/write-scenarios'
import type { Setup } from './open'
import { openReceipts, openWriter, recoverAfterCrash, verifyAudit } from './writer'

function setupIn(folder: string): Setup {
  const setup = readSetup({ PLIMSOLL_HOME: join(folder, 'home'), HOME: folder }, folder)
  if (!setup.ok) throw new Error(setup.problems.join('\n'))
  return setup.setup
}

/** A store with one transcript that was replaced once. */
async function writtenStore() {
  const folder = temporaryFolder()
  const root = join(folder, 'store')
  const file = join(root, 'a.jsonl')
  mkdirSync(root)
  writeFileSync(file, 'old\n')
  const setup = setupIn(folder)
  const opened = await openWriter(setup)
  if (!opened.ok) throw new Error(opened.message)
  const { writer } = opened
  const write = async (text: string) => {
    const expected = await readFileState(writer, file)
    if (expected === null) throw new Error(`${file} is not there`)
    return replaceFile(writer, {
      intent: INTENT,
      target: { file, root, kind: 'pi' },
      expected,
      produce: () => bytesOf(text),
      wait: NO_WAIT,
    })
  }
  const result = await write('new\n')
  if (result.kind !== 'done') throw new Error(JSON.stringify(result))
  return { setup, home: setup.environment.home, file, receipt: result.receipt, write }
}

function rowsOf(home: string): readonly (readonly unknown[])[] {
  const connection = new LocalConnection(join(home, 'plimsoll.db'))
  try {
    return connection.run('SELECT "id", "state", "revision" FROM "AuditEntry" ORDER BY "id"').rows
  } finally {
    connection.close()
  }
}

function loseDatabase(home: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(home, `plimsoll.db${end}`), { force: true })
}

describe('the audit (X17)', () => {
  it('is there as row, as line of the log and as file, each closed to others', async () => {
    const { setup, home, receipt, file } = await writtenStore()
    expect(rowsOf(home)).toEqual([[receipt.id, 'done', 1]])
    const line = JSON.parse(readFileSync(join(home, 'logs', 'audit.jsonl'), 'utf8'))
    const [change] = receipt.files
    expect(line).toMatchObject({
      receipt: receipt.id,
      actor: 'test',
      reason: INTENT.reason,
      files: [{ path: file, before: change?.before?.hash, after: change?.after?.hash }],
    })
    const stored = join(home, 'receipts', `${receipt.id}.json`)
    const { proof, ...onDisk } = JSON.parse(readFileSync(stored, 'utf8'))
    // A backup is named by its hash, which is its name in the folder of backups.
    expect(change?.backup).toBe(join(home, 'backups', change?.before?.hash ?? ''))
    expect(onDisk).toEqual({ ...receipt, files: [{ ...change, backup: change?.before?.hash }] })
    expect(proof).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{16}$/),
      mac: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await openReceipts(setup).read(receipt.id)).toEqual({ receipt, proof: { kind: 'proved' } })
    const logs = join(home, 'logs')
    const own = [join(home, 'proof.key'), join(logs, 'audit.jsonl'), join(logs, 'audit.head.json')]
    for (const path of [stored, change?.backup ?? '', ...own]) {
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }
    expect(statSync(join(home, 'backups')).mode & 0o777).toBe(0o700)
  })

  it('survives the loss of the database', async () => {
    const { setup, home, receipt } = await writtenStore()
    loseDatabase(home)
    expect(await recoverAfterCrash(setup)).toEqual([])
    expect(rowsOf(home)).toEqual([[receipt.id, 'done', 1]])
    expect(await recoverAfterCrash(setup)).toEqual([])
    expect(rowsOf(home), 'nothing changed, so no page reads again').toEqual([[receipt.id, 'done', 1]])
  })

  it('does not depend on a database that can be written: the write is done and its row made up for', async () => {
    const { setup, home, file, write } = await writtenStore()
    loseDatabase(home)
    mkdirSync(join(home, 'plimsoll.db'))
    const result = await write('newer\n')
    expect(result).toMatchObject({ kind: 'done', notes: [expect.stringContaining('audit table')] })
    expect(readFileSync(file, 'utf8')).toBe('newer\n')
    rmSync(join(home, 'plimsoll.db'), { recursive: true })
    await recoverAfterCrash(setup)
    expect(rowsOf(home)).toHaveLength(2)
  })

  it('names a receipt that it cannot understand, and goes on', async () => {
    const { setup, home } = await writtenStore()
    writeFileSync(join(home, 'receipts', '20200101T000000000-broken.json'), '{')
    expect(await recoverAfterCrash(setup)).toEqual([expect.stringContaining('broken.json is no receipt')])
  })

  it('reports signed receipts whose lines were taken away, and of a key that is none', async () => {
    const { setup, home, receipt, write } = await writtenStore()
    expect(await verifyAudit(setup)).toMatchObject({ ok: true, chained: 1 })
    await write('newer\n')
    const log = join(home, 'logs', 'audit.jsonl')
    const [, second = ''] = readFileSync(log, 'utf8').split('\n')
    for (const name of ['audit.jsonl', 'audit.head.json']) rmSync(join(home, 'logs', name))
    expect(await verifyAudit(setup)).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(/^2 signed receipts have no line in the log/)],
    })
    writeFileSync(log, `${second}\n`)
    expect((await verifyAudit(setup)).problems.slice(1)).toEqual([
      expect.stringContaining(`1 signed receipt has no line in the log, e.g. ${receipt.id}`),
    ])
    writeFileSync(join(home, 'proof.key'), 'x')
    expect((await verifyAudit(setup)).problems[0]).toContain('holds no key')
  })
})
