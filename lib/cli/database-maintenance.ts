import { cleanPorts, planPorts } from '../compose/gateway'
import { append } from '../core/lists/long-lists'
import type { Cleanup } from '../core/maintenance/cleanup'
import { keptOf } from '../core/maintenance/kept-keys'
import { cleanDatabase, planCleanup } from '../engine/openclaw/clean-database'
import type { CleanupRequest, DatabasePlace, OpenClawCommands } from '../engine/openclaw/openclaw-commands'
import type { Receipt, WriteRefusal } from '../engine/write/receipt'
import type { Writer } from '../engine/write/write-ports'
import { cleanupLines, effectText } from '../view/maintenance/cleanup'
import { cleanedText } from '../view/maintenance/maintenance-outcome'
import { formatQuantity } from '../view/text/format'
import type { Io } from './io'
import { patiently } from './open-writer'
import { note } from './print/output'
import { toTerminal } from './print/terminal-text'

/** What became of one database of OpenClaw. */
export type DatabaseOutcome = DatabasePlace & {
  /** What OpenClaw announced; null when it gave no plan. */
  readonly cleanup: Cleanup | null
  /** What the database showed afterwards, in words; null when nothing was changed. */
  readonly effect: string | null
  readonly receipt: Receipt | null
  readonly refused: WriteRefusal | null
  /** OpenClaw did something else than it announced. */
  readonly unverified: string | null
}

export type DatabaseOptions = {
  readonly active?: readonly string[]
  readonly fixMissing?: boolean
}

const NOTHING = { cleanup: null, effect: null, receipt: null, refused: null, unverified: null }

/**
 * Shows what OpenClaw would do to one of its databases, or has it done and believes the database alone.
 * @param writer null: nothing is done
 */
export async function maintainDatabase(
  io: Io,
  commands: OpenClawCommands,
  writer: Writer | null,
  place: DatabasePlace,
  options: DatabaseOptions,
): Promise<DatabaseOutcome> {
  const outcome = (found: Partial<DatabaseOutcome>) => ({ ...place, ...NOTHING, ...found })
  const request = requestFor(io, place, options)
  if ('refused' in request) return outcome(request)
  if (writer === null) {
    const planned = await planCleanup(planPorts(commands), request)
    return outcome(planned.kind === 'refused' ? { refused: planned.refusal } : { cleanup: planned.cleanup })
  }
  const how = { actor: 'cli', expected: null, wait: patiently(io) }
  const result = await cleanDatabase(cleanPorts(commands, writer), { ...request, ...how })
  switch (result.kind) {
    case 'refused':
      return outcome({ cleanup: result.cleanup, refused: result.refusal })
    case 'nothing':
      return outcome({ cleanup: result.cleanup })
    case 'unverified':
      return outcome({ receipt: result.receipt, unverified: result.message })
    case 'done': {
      for (const text of result.notes) await note(io, text)
      const { cleanup, receipt } = result
      return outcome({ cleanup, receipt, effect: effectText(result.effect) })
    }
  }
}

function requestFor(
  io: Io,
  place: DatabasePlace,
  { active = [], fixMissing = false }: DatabaseOptions,
): CleanupRequest | { readonly refused: WriteRefusal } {
  const kept = keptOf(active, place.agent)
  const [one = null, ...others] = kept
  if (others.length === 0) return { place, active: one, fixMissing, signal: io.untilStopped() }
  const message = `OpenClaw takes one session that must stay, not ${kept.length}. Give --active once, or pin the others.`
  return { refused: { code: 'not-supported', message } }
}

export function databaseJson(outcome: DatabaseOutcome) {
  const { root, agent, database, cleanup, effect, receipt, refused, unverified } = outcome
  return {
    root,
    agent,
    database,
    by: 'openclaw',
    plan: cleanup,
    effect,
    receipt: receipt?.id ?? null,
    verified: receipt?.verified ?? null,
    refused,
    unverified,
  }
}

export function databaseText(
  { database, cleanup, effect, receipt, refused, unverified }: DatabaseOutcome,
  enforced: boolean,
): string {
  const lines: string[] = []
  if (cleanup !== null) {
    lines.push(`${formatQuantity(cleanup.before, 'session')} in the index. By OpenClaw's own maintenance:`)
    const steps = cleanupLines(cleanup).map(({ what, does, why }) => `${what}  ${does}  (${why})`)
    append(lines, steps)
    if (!cleanup.changes) lines.push('Nothing to do.')
    else if (steps.length === 0) lines.push('It would change something that it does not count.')
  }
  if (refused !== null) lines.push(`Refused: ${refused.message}`)
  else if (unverified !== null) lines.push(`Not verified: ${unverified}`)
  else if (effect !== null && receipt !== null) {
    lines.push(cleanedText(effect))
    lines.push(`Receipt ${receipt.id}. It cannot be undone from here.`)
  } else if (cleanup?.changes && !enforced)
    lines.push('Nothing was changed. --enforce has OpenClaw do this; it cannot be undone from here.')
  return `${toTerminal(database)}\n${lines.map((line) => `  ${toTerminal(line)}\n`).join('')}`
}
