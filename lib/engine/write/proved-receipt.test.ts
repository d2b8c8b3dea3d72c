import { describe, expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import { INTENT } from '../../testing/write-scenarios'
import { demandProved, type UnsignedLeave } from './proved-receipt'
import type { FileChange, FileState, Receipt, ReceiptProof } from './receipt'

const FILE = '/store/a.jsonl'
const HASH = 'a'.repeat(64)
const disk = new MemoryDisk()
const writer = testWriter(disk)

const state = (hash: string): FileState => ({
  ...{ dev: '1', ino: '2', size: 3, mtimeNs: '4', mode: 0o600, uid: 0, gid: 0, hash },
})
const KEPT = writer.backups.placeOf(HASH)

function demand(
  change: Partial<FileChange>,
  proof: ReceiptProof = { kind: 'proved' },
  leave: UnsignedLeave | null = null,
) {
  const receipt: Receipt = {
    ...{ ...INTENT, id: 'r1', at: 1, root: '/store', store: 'pi', state: 'done', verified: true },
    files: [{ path: FILE, before: state(HASH), after: null, backup: KEPT, ...change }],
    ...{ undoneBy: null, undoes: null, problem: null },
  }
  return demandProved(writer, { receipt, proof }, leave)
}
const refused = (words: RegExp) => ({
  refusal: { code: 'not-proved', message: expect.stringMatching(words) },
})

describe('M7 a receipt that is acted on', () => {
  it('names files inside its root, and their backups where backups are', async () => {
    await demand({})
    await demand({ before: null, backup: null })
    for (const path of ['/store', '/storeroom/a', '/store/../etc/a', '/etc/a'])
      await expect(demand({ path })).rejects.toMatchObject(
        refused(/^The receipt r1 names .* which is not inside \/store\./),
      )
    const misplaced = refused(/as the backup of \/store\/a\.jsonl, which is not where its backup would be\./)
    await expect(demand({ backup: '/etc/passwd' })).rejects.toMatchObject(misplaced)
    await expect(demand({ before: null })).rejects.toMatchObject(misplaced)
    await expect(demand({ before: state('b'.repeat(64)) })).rejects.toMatchObject(misplaced)
  })

  it('names no backup by what is no hash, wherever that would lead', async () => {
    for (const hash of ['', `../${HASH}`, `${HASH}a`, HASH.toUpperCase()])
      await expect(
        demand({ before: state(hash), backup: writer.backups.placeOf(hash) }),
      ).rejects.toMatchObject(refused(/not where its backup would be/))
  })

  it('proves itself, or is older than proofs and of a folder that is known', async () => {
    await expect(demand({}, { kind: 'not-proved', why: 'It was changed.' })).rejects.toMatchObject(
      refused(/^The receipt r1 does not prove itself: It was changed\. Nothing was changed/),
    )
    await expect(demand({}, { kind: 'older' })).rejects.toMatchObject(refused(/plimsoll undo r1 --unsigned/))
    await disk.put(FILE, 'x')
    await demand({}, { kind: 'older' }, { roots: ['/store'] })
    await expect(demand({}, { kind: 'older' }, { roots: ['/other'] })).rejects.toMatchObject(
      refused(/names the folder \/store, which is no store/),
    )
    // Its backup has to be right as well.
    const older = demand({ backup: '/etc/passwd' }, { kind: 'older' }, { roots: ['/store'] })
    await expect(older).rejects.toMatchObject(refused(/not where its backup would be/))
  })
})
