import { describe, expect, it } from 'vitest'
import type { Foreseen } from '../../core/findings/remedies/foreseen'
import { MemoryDisk } from '../../testing/memory-disk'
import { type TestWriterOptions, testWriter } from '../../testing/test-writer'
import { bytesOf, INTENT, NO_WAIT, stateNow } from '../../testing/write-scenarios'
import type { LockOwner } from '../write/lock-ports'
import { changeFiles } from '../write/replace-file'
import { undoWrite } from '../write/undo-write'
import { addForeseen } from './add-foreseen'
import { watchedRemedies } from './watched-remedy'

const FILE = '/store/settings.json'
const NONE = { value: 0, low: 0, high: 0 }
const SIDE: Foreseen['now'] = {
  ...{ usdSent: null, compactions: 4, rewrites: 0, recall: null, longRecall: null },
  ...{ lost: NONE, rulesKept: null, overfull: 0 },
}
const FORESEEN: Foreseen = {
  ...{ sessions: 3, calls: 12, more: 0, failed: 0, now: SIDE, changed: SIDE, gain: null },
  prompt: { value: -0.25, low: -0.3, high: -0.2 },
}

async function applied(options: TestWriterOptions = {}) {
  const disk = new MemoryDisk()
  await disk.put(FILE, '{}\n', 0o600)
  const writer = testWriter(disk, options)
  const result = await changeFiles(testWriter(disk), {
    intent: { ...INTENT, kind: 'setting', summary: { finding: 'f1', measure: 'prompt', key: 'a' } },
    root: '/store',
    kind: 'pi',
    operations: [
      {
        ...{ op: 'replace', file: FILE, expected: await stateNow(writer, FILE) },
        produce: () => bytesOf('{"a":1}\n'),
      },
    ],
    wait: NO_WAIT,
  })
  if (result.kind !== 'done') throw new Error(JSON.stringify(result))
  return { writer, id: result.receipt.id }
}

describe('what is foreseen after a setting was written', () => {
  it('is in its receipt, which still proves itself, and beside what came of it', async () => {
    const { writer, id } = await applied()
    expect(await addForeseen(writer, id, FORESEEN, NO_WAIT)).toBe(true)
    const read = await writer.receipts.read(id)
    expect(read?.proof.kind).toBe('proved')
    expect(read?.receipt).toMatchObject({ state: 'done', summary: { finding: 'f1', key: 'a' } })
    const [watched] = await watchedRemedies(writer.receipts)
    expect(watched?.foreseen).toMatchObject({ sessions: 3, calls: 12, change: -0.25, low: -0.3 })
    expect(writer.rowsPut.get(id)?.summary['foreseen.sessions']).toBe(3)
    expect(writer.heldLocks.size).toBe(0)
  })

  it('is added to one that was taken back meanwhile, which stays taken back', async () => {
    const { writer, id } = await applied()
    await undoWrite(writer, { receipt: id, actor: 'somebody', wait: NO_WAIT })
    expect(await addForeseen(writer, id, FORESEEN, NO_WAIT)).toBe(true)
    expect((await writer.receipts.get(id))?.state).toBe('undone')
  })

  it('is added once, to nothing else than a setting, and not while another owner has the file', async () => {
    const { writer, id } = await applied()
    await addForeseen(writer, id, FORESEEN, NO_WAIT)
    expect(await addForeseen(writer, id, { ...FORESEEN, sessions: 9 }, NO_WAIT)).toBe(false)
    expect((await writer.receipts.get(id))?.summary['foreseen.sessions']).toBe(3)
    expect(await addForeseen(writer, 'no-such', FORESEEN, NO_WAIT)).toBe(false)
    const owner: LockOwner = { pid: 1, since: 0, command: null, via: 'lock', evidence: `${FILE}.lock` }
    const other = await applied({ foreign: new Map([[FILE, owner]]) })
    expect(await addForeseen(other.writer, other.id, FORESEEN, NO_WAIT)).toBe(false)
    expect((await other.writer.receipts.get(other.id))?.summary['foreseen.sessions']).toBeUndefined()
  })
})
