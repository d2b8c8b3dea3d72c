import type { Tokens } from '../../core/units/units'
import type { ContextLog, OpenLog } from '../logs/log-ports'
import type { Receipt } from '../write/receipt'
import type { Writer } from '../write/write-ports'
import { chooseChunk } from './choose-chunk'
import { type ColdPlace, placeOfChunk } from './cold-places'
import type { ColdChunk } from './cold-store'
import { logRecovery, logUndoneRecovery } from './log-recovery'

/** What an undo did to a chunk that had come back into a transcript. */
type TouchedRecovery = {
  readonly chunkId: string
  readonly sessionId: string
  readonly tokens: Tokens | null
  /** It is in its transcript now, as the undo was one of an undo. */
  readonly isBack: boolean
}

/**
 * The recovery that an undo took back or put back; null when it was about something else, or that is no longer known.
 */
export async function recoveryUndoneBy(
  receipts: Pick<Writer['receipts'], 'get'>,
  undo: Receipt,
): Promise<TouchedRecovery | null> {
  let receipt = undo
  let isBack = true
  while (receipt.kind === 'undo') {
    const before = receipt.undoes === null ? null : await receipts.get(receipt.undoes)
    if (before === null) return null
    receipt = before
    isBack = !isBack
  }
  const { chunk, session, tokens } = receipt.summary
  if (receipt.kind !== 'recover' || typeof chunk !== 'string' || typeof session !== 'string') return null
  return { chunkId: chunk, sessionId: session, tokens: typeof tokens === 'number' ? tokens : null, isBack }
}

export type UndoLogPorts = {
  readonly receipts: Pick<Writer['receipts'], 'get'>
  /** Folders of cold storage with their policies, and search in them; asked only when a recovery was touched. */
  readonly cold: () => Promise<{
    readonly places: readonly ColdPlace[]
    readonly named: (chunkId: string) => Promise<readonly ColdChunk[]>
  }>
  readonly openLog: OpenLog
}

/**
 * Notes in the log of recoveries what an undo did to a chunk, so that none is listed where it is not: in the log of
 * the folder that has the chunk, else of the first. Answers what went wrong with that, in sentences; the undo is done.
 */
export async function logUndo(
  { receipts, cold, openLog }: UndoLogPorts,
  undo: Receipt,
): Promise<readonly string[]> {
  try {
    const recovery = await recoveryUndoneBy(receipts, undo)
    if (recovery === null) return []
    const { places, named } = await cold()
    const choice = chooseChunk(await named(recovery.chunkId), { session: recovery.sessionId })
    const place = choice.kind === 'one' ? placeOfChunk(places, choice.chunk) : places[0]
    if (place === undefined) return []
    const problem = await logTouched(openLog(place.policy.logs), recovery)
    return problem === null ? [] : [problem]
  } catch (error) {
    return [`The log of recoveries says nothing of it: ${String(error)}`]
  }
}

function logTouched(log: ContextLog, recovery: TouchedRecovery): Promise<string | null> {
  return recovery.isBack
    ? logRecovery(log, recovery, { trigger: 'manual', query: null, score: null }, 'transcript')
    : logUndoneRecovery(log, recovery, 'transcript')
}
