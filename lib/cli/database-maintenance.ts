import type { Cleanup } from '../core/maintenance/cleanup'
import { keptOf } from '../core/maintenance/kept-keys'
import { cleanDatabase, planCleanup } from '../engine/clean-database'
import type { CleanupRequest, DatabasePlace, OpenClawCommands } from '../engine/openclaw-commands'
import type { Receipt, Refusal } from '../engine/receipt'
import type { Writer } from '../engine/write-ports'
import { cleanupLines, effectText } from '../view/cleanup'
import { formatQuantity } from '../view/format'
import { cleanPorts, planPorts } from '../wire/gateway'
import type { Io } from './io'
import { patiently } from './open-writer'
import { note } from './output'
import { toTerminal } from './terminal-text'

/** What became of one database of OpenClaw. */
export type DatabaseOutcome = DatabasePlace & {
  /** What OpenClaw announced; null when it gave no plan. */
  readonly cleanup: Cleanup | null
  /** What the database showed afterwards, in words; null when nothing was changed. */
  readonly effect: string | null
  readonly receipt: Receipt | null
  readonly refused: Refusal | null
  /** OpenClaw did something else than it announced. */
  readonly unverified: string | null
}

export type DatabaseOptions = {
  readonly active?: readonly string[]
  readonly fixMissing?: boolean
}

const NOTHING = { cleanup: null, effect: null, receipt: null, refused: null, unverified: null }

/** Shows what OpenClaw would do to one of its databases. */
export async function planDatabase(
  io: Io,
  commands: OpenClawCommands,
  place: DatabasePlace,
  options: DatabaseOptions,
): Promise<DatabaseOutcome> {
  const request = requestFor(io, place, options)
  if ('refused' in request) return { ...place, ...NOTHING, ...request }
  const planned = await planCleanup(planPorts(commands), request)
  return planned.kind === 'refused'
    ? { ...place, ...NOTHING, refused: planned.refusal }
    : { ...place, ...NOTHING, cleanup: planned.cleanup }
}

/** Has OpenClaw do it, and believes the database alone. */
export async function enforceDatabase(
  io: Io,
  commands: OpenClawCommands,
  writer: Writer,
  place: DatabasePlace,
  options: DatabaseOptions,
): Promise<DatabaseOutcome> {
  const request = requestFor(io, place, options)
  if ('refused' in request) return { ...place, ...NOTHING, ...request }
  const result = await cleanDatabase(cleanPorts(commands, writer), {
    ...request,
    actor: 'cli',
    expected: null,
    wait: patiently(io),
  })
  switch (result.kind) {
    case 'refused':
      return { ...place, ...NOTHING, cleanup: result.cleanup, refused: result.refusal }
    case 'nothing':
      return { ...place, ...NOTHING, cleanup: result.cleanup }
    case 'unverified':
      return { ...place, ...NOTHING, receipt: result.receipt, unverified: result.message }
    case 'done': {
      for (const text of result.notes) await note(io, text)
      const { cleanup, receipt } = result
      return { ...place, ...NOTHING, cleanup, receipt, effect: effectText(result.effect) }
    }
  }
}

function requestFor(
  io: Io,
  place: DatabasePlace,
  { active = [], fixMissing = false }: DatabaseOptions,
): CleanupRequest | { readonly refused: Refusal } {
  const kept = keptOf(active, place.agent)
  const [one = null, ...others] = kept
  if (others.length === 0) return { place, active: one, fixMissing, signal: io.untilStopped() }
  const message = `OpenClaw can be told one session that must stay, not ${kept.length}. Give --active once, or pin the others.`
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
    lines.push(...steps)
    if (!cleanup.changes) lines.push('Nothing to do.')
    else if (steps.length === 0) lines.push('It would change something that it does not count.')
  }
  if (refused !== null) lines.push(`Refused: ${refused.message}`)
  else if (unverified !== null) lines.push(`Not verified: ${unverified}`)
  else if (effect !== null && receipt !== null) {
    lines.push(`Done by OpenClaw, and verified in the database: ${effect}`)
    lines.push(`Receipt ${receipt.id}. It cannot be undone from here.`)
  } else if (cleanup?.changes && !enforced)
    lines.push('Nothing was changed. --enforce has OpenClaw do this; it cannot be undone from here.')
  return `${toTerminal(database)}\n${lines.map((line) => `  ${toTerminal(line)}\n`).join('')}`
}
