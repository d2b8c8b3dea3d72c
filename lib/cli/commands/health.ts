import { setTimeout as wait } from 'node:timers/promises'
import { lastHealths } from '../../wire/logs'
import type { ListedTranscript } from '../choose-session'
import { findSession } from '../find-session'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { note, write, writeJson } from '../output'
import type { ReadOptions } from '../read-options'
import { type CheckedSession, checkSession, healthJson } from '../session-health'
import { openSources, type Sources } from '../sources'
import { toTerminal } from '../terminal-text'

export type HealthOptions = ReadOptions & {
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
  /** Seconds between two checks (seed 2: a minute). */
  readonly every?: number
}

const EVERY_SECONDS = 60

/**
 * Checks how full windows are, notes it in the health log, and says no (exit code 1) above a share that was asked about.
 * What is unknown is not above anything, and is said.
 */
export async function health(io: Io, options: HealthOptions): Promise<ExitCode> {
  if (options.all && options.session !== undefined)
    throw new CliError(EXIT.usage, 'Either one session or --all, not both.')
  if (!options.watch) return (await checkOnce(io, options)) ? EXIT.no : EXIT.done
  const stopped = io.untilStopped()
  while (!stopped.aborted) {
    try {
      await checkOnce(io, options)
    } catch (error) {
      // A store that is away for a while must not end the watch; wrong use is told at once.
      if (error instanceof CliError && error.exit === EXIT.usage) throw error
      await note(io, error instanceof Error ? error.message : String(error))
    }
    const pause = (options.every ?? EVERY_SECONDS) * 1000
    await wait(pause, undefined, { signal: stopped }).catch(() => undefined)
  }
  return EXIT.done
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

/** Sessions that were put away hold no context any more. One that cannot be read is told, and the others go on. */
async function checkAll(io: Io, sources: Sources, options: HealthOptions): Promise<CheckedSession[]> {
  const check = checkOf(options)
  const checks: CheckedSession[] = []
  for (const listed of await sources.listAll()) {
    if (listed.transcript.state !== 'live') continue
    try {
      checks.push(await checkSession(io, sources, listed, check))
    } catch (error) {
      if (error instanceof CliError) throw error
      await note(io, `${nameOf(listed)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return checks.sort((a, b) => (b.health.share ?? -1) - (a.health.share ?? -1))
}

function checkOf({ policy, notifyIfPct, log }: HealthOptions) {
  return { policy, above: notifyIfPct ?? null, log, last: lastHealths() }
}

function nameOf({ transcript }: ListedTranscript): string {
  return transcript.path
}
