import { setTimeout as wait } from 'node:timers/promises'
import { lastHealths } from '../../compose/logs'
import { reasonOf } from '../../core/words/reason-of'
import type { FoundStore } from '../../engine/read/ports'
import type { ListedTranscript } from '../choose/choose-session'
import { forEachStore } from '../choose/chosen-policy'
import { findSession } from '../choose/find-session'
import type { ReadVerbOptions } from '../choose/read-options'
import { type CheckedSession, checkSession, healthJson } from '../choose/session-health'
import { openSources, type Sources } from '../choose/sources'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { note, write, writeJson } from '../print/output'
import { toTerminal } from '../print/terminal-text'

export type HealthOptions = ReadVerbOptions & {
  readonly session?: string
  readonly policy?: string
  /** Share of the window, 0 to 1. */
  readonly notifyIfPct?: number
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
 * about. What is unknown is not above anything, and is said.
 */
export async function health(io: Io, options: HealthOptions): Promise<ExitCode> {
  if (options.all && options.session !== undefined)
    throw new CliError(EXIT.usage, 'Either one session or --all, not both.')
  if (!options.watch) return (await checkOnce(io, options)) ? EXIT.no : EXIT.done
  const stopped = io.untilStopped()
  while (!stopped.aborted) {
    const from = performance.now()
    try {
      await checkOnce(io, options)
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

/** Answers whether any session is above the share that was asked about. */
async function checkOnce(io: Io, options: HealthOptions): Promise<boolean> {
  const sources = await openSources(io, options.store)
  const above = options.notifyIfPct ?? null
  const checks = options.all ? await checkAll(io, sources, options) : [await checkOne(io, sources, options)]
  if (options.json) {
    const [first] = checks.map((checked) => healthJson(checked, above))
    const all = { sessions: checks.map((checked) => healthJson(checked, above)) }
    await writeJson(io, options.all ? all : first)
  } else for (const { message } of checks) await write(io.stdout, `${toTerminal(message)}\n`)
  return checks.some(({ isAbove }) => isAbove === true)
}

async function checkOne(io: Io, sources: Sources, options: HealthOptions): Promise<CheckedSession> {
  return checkSession(io, sources, await findSession(io, sources, options.session), checkOf(options))
}

/** Archived sessions have no context any more. One that cannot be read is reported, and the others go on. */
async function checkAll(io: Io, sources: Sources, options: HealthOptions): Promise<CheckedSession[]> {
  const check = checkOf(options)
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

function checkOf({ policy, notifyIfPct, log }: HealthOptions) {
  return { policy, above: notifyIfPct ?? null, log, last: lastHealths() }
}

function nameOf({ transcript }: ListedTranscript): string {
  return transcript.path
}
