import type { SessionLoads } from '../../core/budget/session-loads'
import type { SessionFinding } from '../../core/findings/finding'
import { SignFold } from '../../core/findings/sign-fold'
import type { OwnPrices } from '../../core/tokens/own-prices'
import { SessionFold } from '../../core/transcript/fold/fold'
import type { SessionTotals } from '../../core/transcript/fold/fold-step'
import type { Milliseconds } from '../../core/units/units'
import { callLines } from '../read/call-line'
import { frameSetupOf } from '../read/frame-setup'
import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import { examinedSession } from './examined-session'

/** What findings draw on. */
export type FindingSources = {
  readonly reader: StoreReader
  readonly loads: SessionLoads
  readonly prices: OwnPrices
  /** The present moment; null: it does not matter. */
  readonly now: Milliseconds | null
}

/** What was found in a session, the worst first, and its sums. */
type ExaminedFindings = {
  readonly findings: readonly SessionFinding[]
  readonly totals: SessionTotals
}

/** The sums of a session, read straight from its store. @throws SourceProblem when it cannot be read */
export async function examineTotals(
  reader: StoreReader,
  { store, transcript }: { readonly store: FoundStore; readonly transcript: FoundTranscript },
): Promise<SessionTotals> {
  const fold = SessionFold.start(frameSetupOf(store, transcript))
  const batches = reader.read(store, transcript, null, () => undefined, { texts: false })
  for await (const { facts } of batches) for (const fact of facts) fold.push(fact)
  return fold.totals()
}

/**
 * What is wrong or dear in a session, read straight from its store, the worst first. Of the session no more is held than
 * the detectors keep.
 * @throws SourceProblem when it cannot be read
 */
export async function examineSession(
  { reader, loads, prices, now }: FindingSources,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<ExaminedFindings> {
  const fold = SessionFold.start(frameSetupOf(store, transcript))
  const signs = SignFold.start(prices)
  const batches = reader.read(store, transcript, null, () => undefined, { texts: false, marks: true })
  for await (const { facts } of batches) for (const fact of facts) signs.push(fact, fold.push(fact))
  const lineOf = callLines(loads, { store, transcript, totals: fold.totals() })
  const findings = signs.end(examinedSession(store, transcript, fold, lineOf, now))
  return { findings, totals: fold.totals() }
}
