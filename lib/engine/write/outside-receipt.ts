import { reasonOf } from '../../core/words/reason-of'
import type { Receipt } from './receipt'
import type { Writer } from './write-ports'
import type { WriteIntent } from './write-requests'

export type ReceiptPorts = Pick<Writer, 'clock' | 'ids' | 'receipts' | 'log' | 'rows' | 'onWritten'>

/** No command of OpenClaw is given longer than this, with some to spare. Milliseconds. */
const AT_LEAST = 2 * 60 * 60_000

/** Writes down that OpenClaw is about to be asked to change a store. */
export async function beginOutside(ports: ReceiptPorts, intent: WriteIntent, root: string): Promise<Receipt> {
  const at = ports.clock.now()
  const receipt: Receipt = {
    ...intent,
    id: ports.ids.receipt(at),
    at,
    root,
    store: 'openclaw',
    files: [],
    by: 'openclaw',
    state: 'pending',
    undoneBy: null,
    undoes: null,
    problem: null,
    verified: false,
  }
  await ports.receipts.put(receipt)
  return receipt
}

/**
 * Writes down how it ended, and has the store read again. What cannot be written down is answered in sentences: it has
 * happened nevertheless.
 */
export async function endOutside(
  ports: ReceiptPorts,
  receipt: Receipt,
  end: Pick<Receipt, 'state' | 'verified' | 'problem' | 'summary'>,
  databases: readonly string[] = [],
): Promise<{ readonly receipt: Receipt; readonly notes: readonly string[] }> {
  const ended: Receipt = { ...receipt, ...end }
  const notes: string[] = []
  const steps: readonly (readonly [string, () => Promise<void>])[] = [
    ['The line of the audit log', () => ports.log.add(ended)],
    ['The receipt', () => ports.receipts.put(ended)],
    ['The row of the audit table', () => ports.rows.put([ended])],
    ['The word to who reads the stores', () => ports.onWritten(databases)],
  ]
  for (const [what, work] of steps) {
    try {
      await work()
    } catch (error) {
      notes.push(`${what} could not be written (${reasonOf(error)}).`)
    }
  }
  return { receipt: ended, notes }
}

/** A receipt whose process ended before OpenClaw's command did: its outcome is unknown. */
export async function settleOutside(ports: ReceiptPorts, receipt: Receipt): Promise<Receipt | string> {
  if (ports.clock.now() - receipt.at < AT_LEAST) return 'OpenClaw may still be at it'
  const problem =
    'It was interrupted while OpenClaw was at it, so what OpenClaw did then was not verified. Look at the store.'
  const { state, verified, summary } = { ...receipt, state: 'failed', verified: false } as const
  return (await endOutside(ports, receipt, { state, verified, problem, summary })).receipt
}
