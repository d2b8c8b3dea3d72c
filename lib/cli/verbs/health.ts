import { setTimeout as wait } from 'node:timers/promises'
import { lastHealths } from '../../compose/logs'
import { judgedStores, storeFacts } from '../../compose/stores/store-facts'
import { isAtLeast, type SessionFinding, type Severity } from '../../core/findings/finding'
import { storeFindings } from '../../core/findings/stores/store-findings'
import { reasonOf } from '../../core/words/reason-of'
import type { FoundStore } from '../../engine/read/ports'
import type { ListedTranscript } from '../choose/choose-session'
import { forEachStore } from '../choose/chosen-policy'
import { findSession } from '../choose/find-session'
import type { ReadVerbOptions } from '../choose/read-options'
import { type ExaminedBefore, openSessionFindings } from '../choose/session-findings'
import { type CheckedSession, checkSession, type HealthCheck, healthJson } from '../choose/session-health'
import { setupOrFail } from '../choose/setup-or-fail'
import { openSources, type Sources } from '../choose/sources'
import { unmutedFindings } from '../choose/unmuted-findings'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { findingJson } from '../print/finding-json'
import { note, write, writeJson } from '../print/output'
import { toTerminal } from '../print/terminal-text'

export type HealthOptions = ReadVerbOptions & {
  readonly session?: string
  readonly policy?: string
  /** Share of the window, 0 to 1. */
  readonly notifyIfPct?: number
  /** Findings of this severity and worse ones are looked for as well. */
  readonly findings?: Severity
  /** false: the check is not noted in the log. */
  readonly log: boolean
  /** Every live session, not only one. */
  readonly all?: boolean
  /** Again and again, until it is stopped. */
  readonly watch?: boolean
  /** Seconds between two checks. */
  readonly every?: number
}

const EVERY_SECONDS = 60

/**
 * Checks how full windows are, notes it in the health log, and says no (exit code 1) above a share that was asked
 * about, or where there is a finding of the severity that was asked about. What is unknown is not above anything, and is
 * said.
 */
export async function health(io: Io, options: HealthOptions): Promise<ExitCode> {
  if (options.all && options.session !== undefined)
    throw new CliError(EXIT.usage, 'Either one session or --all, not both.')
  const before: ExaminedBefore = new Map()
  if (!options.watch) return (await checkOnce(io, options, before)) ? EXIT.no : EXIT.done
  const stopped = io.untilStopped()
  while (!stopped.aborted) {
    const from = performance.now()
    try {
      await checkOnce(io, options, before)
    } catch (error) {
      // A store that is away for a while must not end the watch; wrong use is reported at once.
      if (error instanceof CliError && error.exit === EXIT.usage) throw error
      await note(io, reasonOf(error))
    }
    // From the beginning of one check to that of the next.
    const pause = (options.every ?? EVERY_SECONDS) * 1000 - (performance.now() - from)
    await (io.pause ?? systemPause)(Math.max(0, pause), stopped)
  }
  return EXIT.done
}

function systemPause(ms: number, signal: AbortSignal): Promise<void> {
  return wait(ms, undefined, { signal }).catch(() => undefined)
}

/** Answers whether any session is above the share that was asked about, or has such a finding. */
async function checkOnce(io: Io, options: HealthOptions, before: ExaminedBefore): Promise<boolean> {
  const sources = await openSources(io, options.store)
  const above = options.notifyIfPct ?? null
  const { policy, notifyIfPct, log, findings: severity } = options
  const findings =
    severity === undefined ? null : await openSessionFindings(setupOrFail(io), sources, severity, before)
  const check = { policy, above: notifyIfPct ?? null, findings, log, last: lastHealths() }
  const checks = options.all
    ? await checkAll(io, sources, check)
    : [await checkSession(io, sources, await findSession(io, sources, options.session), check)]
  const ofStores =
    severity === undefined || options.all !== true ? null : await findingsOfStores(io, sources, severity)
  if (options.json) {
    const [first] = checks.map((checked) => healthJson(checked, above))
    const sessions = checks.map((checked) => healthJson(checked, above))
    const all = { sessions, storeFindings: ofStores?.map(findingJson) ?? null }
    await writeJson(io, options.all ? all : first)
  } else {
    for (const { message, findings: found } of checks)
      await write(io.stdout, textOf([message, ...(found ?? []).map(lineOf)]))
    if (ofStores !== null && ofStores.length > 0)
      await write(io.stdout, textOf(['Of the stores:', ...ofStores.map(lineOf)]))
  }
  const isFound = checks.some((checked) => (checked.findings ?? []).length > 0)
  return isFound || (ofStores ?? []).length > 0 || checks.some(({ isAbove }) => isAbove === true)
}

/** What stores have of a severity and worse ones, without what is muted. A notice is sent for sessions alone. */
async function findingsOfStores(
  io: Io,
  sources: Sources,
  severity: Severity,
): Promise<readonly SessionFinding[]> {
  const [setup, now] = [setupOrFail(io), Date.now()]
  const facts = await storeFacts(setup, judgedStores(await sources.listAll()), now)
  const found = facts.flatMap(storeFindings).filter((finding) => isAtLeast(finding, severity))
  return unmutedFindings(setup, found, now).shown
}

const lineOf = ({ severity, sentence }: SessionFinding) => `  ${severity.toUpperCase()}  ${sentence}`

const textOf = (lines: readonly string[]) => lines.map((line) => `${toTerminal(line)}\n`).join('')

/** Archived sessions have no context any more. One that cannot be read is reported, and the others go on. */
async function checkAll(io: Io, sources: Sources, check: HealthCheck): Promise<CheckedSession[]> {
  const live = (await sources.listAll()).filter(({ transcript }) => transcript.state === 'live')
  const checkStore = async ({ id }: FoundStore): Promise<CheckedSession[]> => {
    const checks: CheckedSession[] = []
    for (const listed of live.filter(({ store }) => store.id === id)) {
      try {
        checks.push(await checkSession(io, sources, listed, check))
      } catch (error) {
        if (error instanceof CliError) throw error
        await note(io, `${nameOf(listed)}: ${reasonOf(error)}`)
      }
    }
    return checks
  }
  const stores = new Map(live.map(({ store }) => [store.id, store]))
  const checks = (await forEachStore(io, [...stores.values()], checkStore)).flat()
  return checks.sort((a, b) => (b.health.share ?? -1) - (a.health.share ?? -1))
}

function nameOf({ transcript }: ListedTranscript): string {
  return transcript.path
}
