import { openRemedies } from '../../compose/policy/remedies'
import { cliTunings } from '../../compose/replay/lab'
import { examineStoreFinding } from '../../compose/stores/store-finding'
import { reasonOf } from '../../core/words/reason-of'
import { examineFinding } from '../../engine/findings/examine-finding'
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
  const ofStore = await examineStoreFinding(setupOrFail(io), ports, id, Date.now())
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
