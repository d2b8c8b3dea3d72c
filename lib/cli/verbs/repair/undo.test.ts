import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWriter } from '../../../compose/writer'
import { readFileState } from '../../../engine/write/file-state'
import type { Receipt } from '../../../engine/write/receipt'
import { replaceFile } from '../../../engine/write/replace-file'
import { readSetup } from '../../../testing/read-setup'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder, treeOf } from '../../../testing/store-folder'
import { bytesOf, INTENT, NO_WAIT } from '../../../testing/write-scenarios'

const OLD = '{"type":"session","version":3,"id":"a"}\nnot json\n'
const NEW = '{"type":"session","version":3,"id":"a"}\n'

/** A store in which one transcript was repaired. */
async function repairedStore() {
  const folder = temporaryFolder()
  const env = { PLIMSOLL_HOME: join(folder, 'home'), HOME: folder }
  const root = join(folder, 'store')
  mkdirSync(root)
  const file = join(root, 'a.jsonl')
  writeFileSync(file, OLD, { mode: 0o640 })
  const setup = readSetup(env, folder)
  if (!setup.ok) throw new Error(setup.problems.join())
  const opened = await openWriter(setup.setup)
  if (!opened.ok) throw new Error(opened.message)
  const expected = await readFileState(opened.writer, file)
  if (expected === null) throw new Error('The transcript is not there')
  const result = await replaceFile(opened.writer, {
    intent: INTENT,
    target: { file, root, kind: 'pi' },
    expected,
    produce: () => bytesOf(NEW),
    wait: NO_WAIT,
  })
  if (result.kind !== 'done') throw new Error(JSON.stringify(result))
  const run = (...argv: string[]) => runCli(argv, { env, cwd: folder })
  return { run, root, file, receipt: result.receipt }
}

describe('plimsoll undo', () => {
  it('puts the file back byte for byte, and can be taken back itself', async () => {
    const { run, file, receipt } = await repairedStore()
    const undone = await run('undo', receipt.id, '--json')
    expect(undone).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(file, 'utf8')).toBe(OLD)
    const report = JSON.parse(undone.stdout)
    const [change] = receipt.files
    expect(report).toMatchObject({
      undoes: receipt.id,
      verified: true,
      files: [{ file, before: change?.after?.hash, after: change?.before?.hash }],
    })
    expect(await run('undo', report.receipt.slice(-12))).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(NEW)
  })

  it('refuses when the file has moved on, with exit code 3 and nothing changed', async () => {
    const { run, root, file, receipt } = await repairedStore()
    writeFileSync(file, `${NEW}{"type":"custom"}\n`)
    const before = treeOf(root)
    const refused = await run('undo', receipt.id, '--json')
    expect(refused.code).toBe(3)
    expect(JSON.parse(refused.stdout).error).toMatchObject({
      code: 'refused',
      reason: 'changed',
      message: expect.stringContaining('moved on'),
    })
    expect(treeOf(root)).toEqual(before)
  })

  it('knows no receipt of that name', async () => {
    const { run } = await repairedStore()
    expect(await run('undo', 'nothing')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no receipt'),
    })
  })
})

describe('plimsoll audit (X17)', () => {
  it('lists every write with who, what, why, hashes and state', async () => {
    const { run, file, receipt } = await repairedStore()
    await run('undo', receipt.id)
    const listed = await run('audit', '--json')
    const { total, writes } = JSON.parse(listed.stdout) as { total: number; writes: Receipt[] }
    expect(total).toBe(2)
    expect(writes).toMatchObject([
      { kind: 'undo', actor: 'cli', undoes: receipt.id, state: 'done', verified: true },
      { id: receipt.id, kind: 'repair', state: 'undone', undoneBy: writes[0]?.id, reason: INTENT.reason },
    ])
    expect(writes[1]?.files).toMatchObject([{ path: file, before: receipt.files[0]?.before }])
    expect((await run('audit', '--limit', '1')).stdout).toMatch(/undo +done .*a\.jsonl[\s\S]*1 older/)
  })

  it('says so when nothing was ever written', async () => {
    const env = { PLIMSOLL_HOME: join(temporaryFolder(), 'home') }
    expect(await runCli(['audit'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('never'),
    })
  })
})
