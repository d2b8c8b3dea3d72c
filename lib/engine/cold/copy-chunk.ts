import type { ColdRecord } from '../../core/cold/record'
import type { ContextLog } from '../logs/log-ports'
import type { WriteRefusal } from '../write/receipt'
import { logRecovery, type RecoveryCause } from './log-recovery'
import { expiredRefusal } from './recover-chunk'

type CopyPorts = {
  readonly now: () => number
  readonly log: ContextLog
  /** Hands the content over. Answers why not, or null. */
  readonly deliver: () => Promise<WriteRefusal | null>
}

type CopyResult =
  /** `notes`: what went wrong with the log. */
  | { readonly kind: 'copied'; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

/** Brings a chunk out of cold storage to where no transcript is: a file or standard output, and logs it. */
export async function copyChunk(
  { now, log, deliver }: CopyPorts,
  chunk: ColdRecord,
  to: { readonly destination: 'file' | 'stdout'; readonly cause: RecoveryCause },
): Promise<CopyResult> {
  const refusal = expiredRefusal(chunk, now()) ?? (await deliver())
  if (refusal !== null) return { kind: 'refused', refusal }
  const problem = await logRecovery(log, chunk, to.cause, to.destination)
  return { kind: 'copied', notes: problem === null ? [] : [problem] }
}
