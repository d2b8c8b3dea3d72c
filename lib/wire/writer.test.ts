import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LocalConnection } from '../db/local-connection'
import { readFileState } from '../engine/file-state'
import { replaceFile } from '../engine/replace-file'
import { temporaryFolder } from '../testing/store-folder'
import { bytesOf, INTENT, NO_WAIT } from '../testing/write-scenarios'
import { readSetup, type Setup } from '../wire'
import { openWriter, recoverWrites } from './writer'

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
  it('stands as row, as line of the log and as file, each closed to others', async () => {
    const { home, receipt, file } = await writtenStore()
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
    expect(JSON.parse(readFileSync(stored, 'utf8'))).toEqual(receipt)
    for (const path of [stored, change?.backup ?? '', join(home, 'logs', 'audit.jsonl')]) {
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }
    expect(statSync(join(home, 'backups')).mode & 0o777).toBe(0o700)
  })

  it('survives the loss of the database', async () => {
    const { setup, home, receipt } = await writtenStore()
    loseDatabase(home)
    expect(await recoverWrites(setup)).toEqual([])
    expect(rowsOf(home)).toEqual([[receipt.id, 'done', 1]])
    expect(await recoverWrites(setup)).toEqual([])
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
    await recoverWrites(setup)
    expect(rowsOf(home)).toHaveLength(2)
  })

  it('names a receipt that it cannot understand, and goes on', async () => {
    const { setup, home } = await writtenStore()
    writeFileSync(join(home, 'receipts', '20200101T000000000-broken.json'), '{')
    expect(await recoverWrites(setup)).toEqual([expect.stringContaining('broken.json is no receipt')])
  })
})
