import { applyChange } from './apply-change'
import { hashBytes, readFileState } from './file-state'
import { demandProved, type UnsignedLeave } from './proved-receipt'
import type { FileChange, Receipt, WriteResult } from './receipt'
import { asRefused, Refused } from './refusal'
import type { Writer } from './write-ports'
import type { FileOperation, WaitOptions } from './write-requests'

export type UndoRequest = {
  /** Id of a receipt, whole. */
  readonly receipt: string
  readonly actor: string
  readonly wait: WaitOptions
  /** Also a receipt that is older than signatures are; it has to be right in all else. */
  readonly unsigned?: UnsignedLeave
}

/**
 * Takes a write back: every file holds the bytes again that it held before it, or nothing is changed and the reason is
 * said. An undo has its own receipt, and can be undone like any other write.
 */
export async function undoWrite(writer: Writer, request: UndoRequest): Promise<WriteResult> {
  let receipt: Receipt
  let operations: FileOperation[]
  try {
    receipt = await demandUndoable(writer, request)
    operations = []
    for (const change of [...receipt.files].reverse()) operations.push(...(await wayBack(writer, change)))
  } catch (error) {
    const reason = asRefused(error, `The receipt ${request.receipt}`)
    if (reason instanceof Refused) return { kind: 'refused', refusal: reason.refusal }
    throw reason
  }
  return applyChange(writer, {
    intent: {
      kind: 'undo',
      actor: request.actor,
      reason: `Takes back: ${receipt.reason}`,
      session: receipt.session,
      summary: { undoes: receipt.id, was: receipt.kind },
    },
    root: receipt.root,
    kind: receipt.store,
    operations,
    wait: request.wait,
    undoes: receipt.id,
  })
}

async function demandUndoable(
  writer: Writer,
  { receipt: id, unsigned }: Pick<UndoRequest, 'receipt' | 'unsigned'>,
): Promise<Receipt> {
  const read = await writer.receipts.read(id)
  if (read === null) {
    throw new Refused('missing', `There is no receipt ${id}. "plimsoll audit" lists what there is.`)
  }
  const { receipt } = read
  await demandProved(writer, read, unsigned ?? null)
  if (receipt.by === 'openclaw') {
    throw new Refused(
      'not-supported',
      `${id} was carried out by OpenClaw in its own database, so it cannot be taken back from here. Transcripts that it took out are kept as archives for as long as its settings say.`,
    )
  }
  switch (receipt.state) {
    case 'done':
      return receipt
    case 'undone':
      throw new Refused('changed', `${id} was taken back already, by ${receipt.undoneBy ?? 'another undo'}.`)
    case 'failed':
      throw new Refused('not-supported', `${id} changed nothing, so there is nothing to take back.`)
    case 'preparing':
    case 'pending':
      throw new Refused('locked', `${id} has not ended yet. Wait for its end and try again.`)
  }
}

async function wayBack(
  writer: Writer,
  { path, before, after, backup }: FileChange,
): Promise<FileOperation[]> {
  const now = await readFileState(writer, path)
  if (now?.hash !== after?.hash) throw movedOn(path, now === null)
  // A file that the write left as it was.
  if (before?.hash === after?.hash) return []
  if (before === null) return now === null ? [] : [{ op: 'remove', file: path, expected: now }]
  const kept = await demandBackup(writer, path, before.hash, backup)
  const common = {
    file: path,
    produce: () => writer.files.read(kept),
    verify: async (read: () => AsyncIterable<Uint8Array>) => {
      const hash = await hashBytes(writer.sha256(), read())
      return hash === before.hash ? null : `the backup ${kept} changed while it was read`
    },
  }
  if (now !== null) return [{ op: 'replace', expected: now, ...common }]
  return [{ op: 'create', mode: before.mode, owner: before, ...common }]
}

async function demandBackup(
  writer: Writer,
  path: string,
  hash: string,
  backup: string | null,
): Promise<string> {
  const state = backup === null ? 'missing' : await writer.backups.check(backup, hash)
  if (backup !== null && state === 'good') return backup
  throw new Refused(
    'no-backup',
    `${path} cannot be put back: its backup ${backup ?? ''} is ${state}. Nothing was changed.`,
  )
}

function movedOn(path: string, gone: boolean): Refused {
  const how = gone ? 'it is not there any more' : 'its content is another one'
  return new Refused(
    'changed',
    `${path} has moved on since that write: ${how}. Taking the write back would lose what came later.`,
  )
}
