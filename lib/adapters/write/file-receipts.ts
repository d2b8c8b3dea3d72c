import * as z from 'zod'
import { canonicalJson } from '../../core/audit/canonical-json'
import { unlinkIfThere } from '../../engine/write/file-state'
import { readTextFile } from '../../engine/write/read-text'
import type { FileChange, Receipt, ReceiptProof } from '../../engine/write/receipt'
import { receiptShape } from '../../engine/write/receipt-shape'
import type { ReadReceipt, Receipts, WriteFiles } from '../../engine/write/write-ports'
import { writeFlushed } from './flushed-file'
import type { Prover } from './proof-key'

const DONE = '.json'
/** Writes that have begun and not ended are distinguished by their names, so that a start need not read them all. */
const OPEN = '.open.json'

/** What a receipt is a proof of, for `Prover`. */
const PURPOSE = 'receipt'

/** How a file proves that this installation wrote it: the key it was signed with, and the HMAC of all else in it. */
const proofShape = z.object({ key: z.string(), mac: z.string() })

export type ReceiptFiles = {
  /** Receipts, one JSON file each. */
  readonly folder: string
  /** Backups lie directly in it; a receipt names one by its hash. */
  readonly backups: string
  /** null: there is no key, so nothing is proved and nothing can be written. */
  readonly prover: Prover | null
}

/** One JSON file per receipt, signed with the key of the state folder. */
export function fileReceipts(files: WriteFiles, { folder, backups, prover }: ReceiptFiles): Receipts {
  const place = (id: string, ending: string) => files.join(folder, id + ending)
  const named = async (ending: (name: string) => string | null) =>
    (await files.list(folder)).flatMap((name) => ending(name) ?? [])
  const read = async (id: string): Promise<ReadReceipt | null> => {
    // A name from outside must not lead anywhere else.
    if (!/^[\w-]+$/.test(id)) return null
    const found =
      (await readReceipt(files, place(id, DONE), backups)) ??
      (await readReceipt(files, place(id, OPEN), backups))
    return found === null ? null : { receipt: found.receipt, proof: proofOf(prover, found, id) }
  }
  return {
    put: async (receipt) => {
      if (prover === null) throw new Error('Receipts cannot be signed without a key')
      await files.makeFolder(folder)
      const named = { ...receipt, files: receipt.files.map((change) => byId(files, backups, change)) }
      const value: unknown = JSON.parse(JSON.stringify(named))
      const proof = { key: prover.keyId, mac: prover.sign(PURPOSE, canonicalJson(value)) }
      const text = new TextEncoder().encode(`${JSON.stringify({ ...named, proof }, null, 2)}\n`)
      const isOpen = receipt.state === 'preparing' || receipt.state === 'pending'
      await writeFlushed(files, place(receipt.id, isOpen ? OPEN : DONE), [text])
      if (!isOpen) await unlinkIfThere(files, place(receipt.id, OPEN))
    },
    get: async (id) => (await read(id))?.receipt ?? null,
    read,
    forget: async (id) => {
      await unlinkIfThere(files, place(id, OPEN))
    },
    ids: async () => [...new Set(await named(idOf))].sort().reverse(),
    open: async () => {
      const ended = new Set(await named(endedIdOf))
      const begun = (await named(openIdOf)).sort()
      // Its end was written and the beginning not yet taken away.
      for (const id of begun) if (ended.has(id)) await unlinkIfThere(files, place(id, OPEN))
      return begun.filter((id) => !ended.has(id))
    },
  }
}

function openIdOf(name: string): string | null {
  return name.endsWith(OPEN) ? name.slice(0, -OPEN.length) : null
}

function endedIdOf(name: string): string | null {
  return name.endsWith(DONE) && !name.endsWith(OPEN) ? name.slice(0, -DONE.length) : null
}

function idOf(name: string): string | null {
  return openIdOf(name) ?? endedIdOf(name)
}

/** A backup is named by its hash alone, so that no receipt can lead to another file. */
function byId(files: WriteFiles, backups: string, change: FileChange): FileChange {
  const { backup } = change
  return backup !== null && files.folderOf(backup) === backups
    ? { ...change, backup: files.nameOf(backup) }
    : change
}

const anyObject = z.looseObject({})

type Found = {
  readonly receipt: Receipt
  /** All of the file but its proof. */
  readonly signed: unknown
  readonly proof: unknown
}

async function readReceipt(files: WriteFiles, path: string, backups: string): Promise<Found | null> {
  if ((await files.stat(path)) === null) return null
  // A byte order mark changes nothing of what is signed.
  const text = (await readTextFile(files, path)).replace(/^\uFEFF/, '')
  try {
    const { proof, ...signed } = anyObject.parse(JSON.parse(text))
    const receipt = receiptShape.parse(signed)
    const changes = receipt.files.map((change) =>
      change.backup !== null && /^[0-9a-f]{64}$/.test(change.backup)
        ? { ...change, backup: files.join(backups, change.backup) }
        : change,
    )
    return { receipt: { ...receipt, files: changes }, signed, proof }
  } catch (error) {
    throw new Error(`${path} is no receipt that this version understands`, { cause: error })
  }
}

function proofOf(prover: Prover | null, { receipt, signed, proof }: Found, id: string): ReceiptProof {
  const not = (why: string): ReceiptProof => ({ kind: 'not-proved', why })
  if (receipt.id !== id) return not(`Its file is named after another receipt than ${receipt.id}.`)
  if (proof === undefined) {
    return prover === null || receipt.at < prover.since
      ? { kind: 'older' }
      : not('It is not signed, and was made after receipts are signed here.')
  }
  const read = proofShape.safeParse(proof)
  if (!read.success) return not('Its signature cannot be understood.')
  if (prover === null) return not('It is signed, and the key of this state folder is gone.')
  if (read.data.key !== prover.keyId)
    return not('It is signed with another key than that of this state folder.')
  return prover.verify(PURPOSE, canonicalJson(signed), read.data.mac)
    ? { kind: 'proved' }
    : not('It was changed after it was signed.')
}
