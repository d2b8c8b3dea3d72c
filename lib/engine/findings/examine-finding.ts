import type { Milliseconds } from '../../core/units/units'
import type { StoredTranscript } from '../read/sessions-once'
import { examineSession } from './examine-session'
import type { ExaminedFinding } from './plan-remedy'
import type { RemedyPorts } from './remedy-ports'

/** A finding as the session has it now; null: it is not found in it (any more). @throws SourceProblem */
export async function examineFinding(
  { reader, prices, rules }: RemedyPorts,
  { store, transcript }: StoredTranscript,
  id: string,
  now: Milliseconds,
): Promise<ExaminedFinding | null> {
  const { findings, totals } = await examineSession(
    { reader, prices, loads: rules.loads, now },
    store,
    transcript,
  )
  const finding = findings.find((one) => one.id === id)
  return finding === undefined ? null : { finding, store, transcript, totals }
}
