import { cliTunings } from '../../compose/lab'
import { openRemedies } from '../../compose/remedies'
import { judgedStores, storeFacts } from '../../compose/store-facts'
import { STORE_DETECTORS, storeFindings } from '../../core/findings/stores/store-findings'
import { reasonOf } from '../../core/words/reason-of'
import { examineFinding } from '../../engine/findings/examine-finding'
import { examineSession } from '../../engine/findings/examine-session'
import type { ExaminedFinding } from '../../engine/findings/plan-remedy'
import type { RemedyPorts } from '../../engine/findings/remedy-ports'
import { sessionsOnce } from '../../engine/read/sessions-once'
import { CliError, EXIT, type Io } from '../io'
import { note } from '../print/output'
import { setupOrFail } from './setup-or-fail'
import { openSources } from './sources'

/** What remedies are worked out with, from the stores that are named, or all. */
export async function openCliRemedies(io: Io, named: readonly string[] | undefined): Promise<RemedyPorts> {
  const sources = await openSources(io, named)
  const setup = setupOrFail(io)
  return openRemedies(setup, sources.stores, sources.reader, await sources.listAll(), () => cliTunings(setup))
}

/** The finding with this id. It is looked for in the sessions, the newest first. @throws CliError when there is none */
export async function findFinding(io: Io, ports: RemedyPorts, id: string): Promise<ExaminedFinding> {
  const ofStore = await findOfStore(io, ports, id)
  if (ofStore !== null) return ofStore
  for (const listed of sessionsOnce(ports.listed, null)) {
    if (listed.transcript.problem !== undefined) continue
    try {
      const found = await examineFinding(ports, listed, id, Date.now())
      if (found !== null) return found
    } catch (error) {
      await note(io, `${listed.transcript.path}: ${reasonOf(error)}`)
    }
  }
  throw new CliError(
    EXIT.usage,
    `No finding has the id ${JSON.stringify(id)}. "plimsoll findings --json" lists what there is with its ids.`,
  )
}

/** The finding of a store with this id, with the session that speaks for it; null: it is none. @throws SourceProblem */
async function findOfStore(
  io: Io,
  { reader, prices, rules, listed }: RemedyPorts,
  id: string,
): Promise<ExaminedFinding | null> {
  if (!STORE_DETECTORS.some(({ kind }) => id.startsWith(`${kind}.`))) return null
  const facts = await storeFacts(setupOrFail(io), judgedStores(listed), Date.now())
  const finding = facts.flatMap(storeFindings).find((one) => one.id === id)
  const own = listed.find(({ transcript }) => transcript.id === finding?.concerns.transcriptId)
  if (finding === undefined || own === undefined) return null
  const sources = { reader, prices, loads: rules.loads, now: null }
  const { totals } = await examineSession(sources, own.store, own.transcript)
  return { finding, ...own, totals }
}
