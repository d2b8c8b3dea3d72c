import { reasonOf } from '../../core/words/reason-of'
import { acquireLocks, type HeldLocks } from './acquire-locks'
import { commitSteps, verifySteps } from './commit-steps'
import { unlinkIfThere } from './file-state'
import { finishReceipt } from './finish-receipt'
import { type PreparedStep, prepareSteps } from './prepare-steps'
import type { Receipt, WriteResult } from './receipt'
import { asRefused, Refused } from './refusal'
import { rollBack } from './roll-back'
import { temporaryPath } from './temporary-path'
import type { Writer } from './write-ports'
import type { ChangeRequest } from './write-requests'
import { compareSteps, keepBackups, planSteps, type Step } from './write-steps'

/** A change, and the receipt that it takes back, if any. */
export type Job = ChangeRequest & { readonly undoes: string | null }

/**
 * The one way in which a store is written: safe target, live owner, lock, comparison, backup, receipt, temporary file,
 * a last check, rename, verification, receipt. Whatever fails on the way leaves every file as it was.
 */
export async function applyChange(writer: Writer, job: Job): Promise<WriteResult> {
  const first = job.operations[0]?.file ?? job.root
  try {
    const steps = await planSteps(writer, job)
    const { root, kind, wait } = job
    const paths = steps.map(({ path }) => path)
    const holds = await acquireLocks(writer, { paths, root, kind, wait })
    let result: WriteResult
    let problems: readonly string[]
    try {
      result = await write(writer, job, steps, holds)
    } finally {
      problems = await holds.release()
    }
    return result.kind === 'done' ? { ...result, notes: [...result.notes, ...problems] } : result
  } catch (error) {
    const reason = asRefused(error, first)
    if (reason instanceof Refused) return { kind: 'refused', refusal: reason.refusal }
    throw reason
  }
}

async function write(
  writer: Writer,
  job: Job,
  steps: readonly Step[],
  holds: HeldLocks,
): Promise<WriteResult> {
  const notes: string[] = []
  await compareSteps(writer, steps)
  const files = await keepBackups(writer, steps, notes)
  const receipt = await beginReceipt(writer, job, files)
  await writer.receipts.put(receipt)
  let prepared: PreparedStep[]
  let pending: Receipt
  try {
    prepared = await prepareSteps(writer, steps, files, receipt.id)
    demandNotStopped(job)
    pending = { ...receipt, files: prepared.map(({ change }) => change), state: 'pending' }
    if (prepared.some(isChange)) await writer.receipts.put(pending)
  } catch (error) {
    await giveUp(writer, receipt, error)
    throw error
  }
  if (!prepared.some(isChange)) {
    for (const { path } of files)
      await unlinkIfThere(writer.files, temporaryPath(writer.files, path, receipt.id))
    await writer.receipts.forget(receipt.id)
    return { kind: 'unchanged' }
  }
  const attempted = new Set<string>()
  try {
    await commitSteps(writer, holds, prepared, receipt.id, (path) => attempted.add(path))
    const verified = await verifySteps(writer, pending.files)
    const ended = await finishReceipt(writer, { ...pending, files: verified })
    return { kind: 'done', receipt: ended.receipt, notes: [...notes, ...ended.notes] }
  } catch (error) {
    // What was not begun is not ours to put back, however it looks now.
    const begun = pending.files.filter(({ path }) => attempted.has(path))
    const left = await rollBack(writer, begun, receipt.id, true)
    await giveUp(writer, pending, error, left)
    if (left.length === 0) throw error
    const why = reasonOf(error)
    throw new Refused('failed', `${why} ${left.join(' ')}`)
  }
}

async function beginReceipt(writer: Writer, job: Job, files: Receipt['files']): Promise<Receipt> {
  const at = writer.clock.now()
  return {
    ...job.intent,
    id: writer.ids.receipt(at),
    at,
    root: await writer.files.realPath(job.root),
    store: job.kind,
    files,
    state: 'preparing',
    undoneBy: null,
    undoes: job.undoes,
    problem: null,
    verified: false,
  }
}

function isChange({ change: { before, after } }: PreparedStep): boolean {
  return before?.hash !== after?.hash
}

function demandNotStopped({ wait }: Job): void {
  if (wait.signal?.aborted) throw new Refused('stopped', 'Stopped before anything was changed.')
}

/** Leaves a receipt that tells why nothing came of it. What fails here is left to the recovery at the next start. */
async function giveUp(
  writer: Writer,
  receipt: Receipt,
  error: unknown,
  left: readonly string[] = [],
): Promise<void> {
  const why = reasonOf(error)
  const problem = [why, ...left].join(' ')
  await finishReceipt(writer, { ...receipt, state: 'failed', problem })
}
