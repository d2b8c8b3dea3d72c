import type { WriteResult } from '../write/receipt'
import { type UndoRequest, undoWrite } from '../write/undo-write'
import type { Writer } from '../write/write-ports'
import { logUndo, type UndoLogPorts } from './log-undo'

export type UndoPorts = Omit<UndoLogPorts, 'receipts'> & { readonly writer: Writer }

/**
 * Takes a write back, byte for byte, or says why not. The log of recoveries gets a line where that concerned a chunk from
 * cold storage; what goes wrong with the log is a note, since the write is taken back already.
 */
export async function undoReceipt(
  { writer, ...ports }: UndoPorts,
  request: UndoRequest,
): Promise<WriteResult> {
  const result = await undoWrite(writer, request)
  if (result.kind !== 'done') return result
  const { receipts } = writer
  return { ...result, notes: [...result.notes, ...(await logUndo({ ...ports, receipts }, result.receipt))] }
}
