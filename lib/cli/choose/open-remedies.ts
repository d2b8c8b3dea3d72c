import { openRemedies } from '../../compose/remedies'
import type { SessionFinding } from '../../core/findings/finding'
import { reasonOf } from '../../core/words/reason-of'
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
  return openRemedies(setupOrFail(io), sources.stores, sources.reader, await sources.listAll())
}

/** The finding with this id. It is looked for in the sessions, the newest first. @throws CliError when there is none */
export async function findFinding(io: Io, ports: RemedyPorts, id: string): Promise<ExaminedFinding> {
  const { reader, prices, rules } = ports
  const seen: SessionFinding[] = []
  for (const { store, transcript } of sessionsOnce(ports.listed, null)) {
    if (transcript.problem !== undefined) continue
    try {
      const sources = { reader, prices, loads: rules.loads, now: Date.now() }
      const { findings, totals } = await examineSession(sources, store, transcript)
      const finding = findings.find((one) => one.id === id)
      if (finding !== undefined) return { finding, store, transcript, totals }
      seen.push(...findings)
    } catch (error) {
      await note(io, `${transcript.path}: ${reasonOf(error)}`)
    }
  }
  const candidates = seen.filter((one) => one.id.startsWith(id.split('.')[0] ?? '')).map((one) => one.id)
  throw new CliError(
    EXIT.usage,
    `No finding has the id ${JSON.stringify(id)}. "plimsoll findings --json" lists what there is with its ids.`,
    { candidates: candidates.slice(0, 10) },
  )
}
