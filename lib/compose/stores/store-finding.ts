import { STORE_DETECTORS, storeFindings } from '../../core/findings/stores/store-findings'
import type { Milliseconds } from '../../core/units/units'
import { examineSession } from '../../engine/findings/examine-session'
import type { ExaminedFinding } from '../../engine/findings/plan-remedy'
import type { RemedyPorts } from '../../engine/findings/remedy-ports'
import type { Setup } from '../setup'
import { judgedStores, storeFacts } from './store-facts'

/**
 * A finding of a store as it is now, with the session that speaks for it.
 * @returns null: the id is of no store, or it is not found in these (any more)
 * @throws SourceProblem
 */
export async function examineStoreFinding(
  setup: Setup,
  { reader, prices, rules, listed }: RemedyPorts,
  id: string,
  now: Milliseconds,
): Promise<ExaminedFinding | null> {
  if (!STORE_DETECTORS.some(({ kind }) => id.startsWith(`${kind}.`))) return null
  const facts = await storeFacts(setup, judgedStores(listed), now)
  const finding = facts.flatMap(storeFindings).find((one) => one.id === id)
  const own = listed.find(({ transcript }) => transcript.id === finding?.concerns.transcriptId)
  if (finding === undefined || own === undefined) return null
  const sources = { reader, prices, loads: rules.loads, now: null }
  const { totals } = await examineSession(sources, own.store, own.transcript)
  return { finding, ...own, totals }
}
