import { openCommands } from '../../compose/gateway'
import { type Maintainable, maintainable, maintenanceIo } from '../../compose/maintenance'
import { keptOf } from '../../core/maintenance/kept-keys'
import type { MaintenanceStep } from '../../core/maintenance/plan'
import {
  type MaintenancePlace,
  maintainStore,
  type PlannedMaintenance,
  tryMaintenance,
} from '../../engine/maintenance/maintain-store'
import type { Receipt, WriteRefusal } from '../../engine/write/receipt'
import type { Writer } from '../../engine/write/write-ports'
import { MAINTENANCE_RULES } from '../../view/maintenance/maintenance'
import { formatBytes, formatQuantity } from '../../view/text/format'
import type { ReadVerbOptions } from '../choose/read-options'
import { setupOrFail } from '../choose/setup-or-fail'
import { openSources } from '../choose/sources'
import { type DatabaseOutcome, databaseJson, databaseText, maintainDatabase } from '../database-maintenance'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { openWriterOrFail, patiently } from '../open-writer'
import { note, write, writeJson } from '../print/output'
import { toTerminal } from '../print/terminal-text'

export type MaintainOptions = ReadVerbOptions & {
  readonly enforce?: boolean
  readonly active?: readonly string[]
  readonly fixMissing?: boolean
}

/** What became of one sessions folder. */
type Outcome = {
  readonly root: string
  readonly agent: string | null
  readonly folder: string
  readonly planned: PlannedMaintenance | null
  readonly receipt: Receipt | null
  readonly refused: WriteRefusal | null
}

/** Steps that are shown one by one; `--json` has them all. */
const SHOWN_STEPS = 20

/** Shows what the stores' own limits would remove, or removes it: files with a backup, databases by OpenClaw itself. */
export async function maintain(io: Io, options: MaintainOptions): Promise<ExitCode> {
  const { stores } = await openSources(io, options.store)
  const setup = setupOrFail(io)
  const commands = openCommands(setup, io.env)
  const all = stores.map((store) => maintainable(store, commands !== null))
  checkAgents(all, options.active ?? [])
  const writer = options.enforce ? await openWriterOrFail(io, setup) : null
  const outcomes: Outcome[] = []
  const databases: DatabaseOutcome[] = []
  const skipped: { root: string; why: string }[] = []
  for (const found of all) {
    const { store } = found
    if (found.kind === 'none') {
      skipped.push({ root: store.root, why: found.why })
      if (!options.json) await note(io, `${store.root}: ${found.why}`)
    } else if (found.kind === 'files') {
      if (options.fixMissing && found.places.length > 0) await note(io, `${store.root}: ${FIX_MISSING}`)
      for (const place of found.places)
        outcomes.push({
          ...place,
          ...(writer === null ? await plan(place, options) : await enforce(io, writer, place, options)),
        })
    } else if (commands !== null)
      for (const place of found.places)
        databases.push(await maintainDatabase(io, commands, writer, place, options))
  }
  const enforced = options.enforce ?? false
  if (options.json) {
    const done = { stores: outcomes.map(toJson), databases: databases.map(databaseJson), skipped }
    await writeJson(io, { enforced, ...done })
  } else await write(io.stdout, toText(outcomes, databases, enforced))
  for (const { refused } of [...outcomes, ...databases]) if (refused !== null) await note(io, refused.message)
  for (const { unverified } of databases) if (unverified !== null) await note(io, unverified)
  if (databases.some(({ unverified }) => unverified !== null)) return EXIT.fault
  return [...outcomes, ...databases].some(({ refused }) => refused !== null) ? EXIT.refused : EXIT.done
}

/** A key of an agent that is nowhere keeps nothing: better to stop than to remove what it was meant for. */
function checkAgents(all: readonly Maintainable[], active: readonly string[]): void {
  const agents = all.flatMap((found) => (found.kind === 'none' ? [] : found.places.map(({ agent }) => agent)))
  const strange = active.find((key) => !agents.some((agent) => keptOf([key], agent).length > 0))
  if (strange === undefined || agents.length === 0) return
  throw new CliError(EXIT.usage, `--active ${strange}: no store here has that agent. Correct the key.`)
}

const FIX_MISSING = '--fix-missing is for databases of OpenClaw; files are put in order by the limits alone.'

type Worked = Pick<Outcome, 'planned' | 'receipt' | 'refused'>

async function plan(place: MaintenancePlace, { active = [] }: MaintainOptions): Promise<Worked> {
  const tried = await tryMaintenance(maintenanceIo, place, active)
  return tried.kind === 'refused'
    ? { planned: null, receipt: null, refused: tried.refusal }
    : { planned: tried.planned, receipt: null, refused: null }
}

async function enforce(
  io: Io,
  writer: Writer,
  place: MaintenancePlace,
  { active = [] }: MaintainOptions,
): Promise<Worked> {
  const request = { place, active, actor: 'cli', expected: null, wait: patiently(io) }
  const { planned, result } = await maintainStore(writer, request)
  if (result.kind === 'done') for (const text of result.notes) await note(io, text)
  return {
    planned,
    receipt: result.kind === 'done' ? result.receipt : null,
    refused: result.kind === 'refused' ? result.refusal : null,
  }
}

function toJson({ root, agent, folder, planned, receipt, refused }: Outcome) {
  return {
    root,
    agent,
    folder,
    generation: planned?.generation ?? null,
    limits: planned?.limits ?? null,
    before: planned?.plan.before ?? null,
    after: planned?.plan.after ?? null,
    steps: planned?.plan.steps ?? [],
    spared: planned?.plan.spared ?? [],
    warnings: planned?.warnings ?? [],
    receipt: receipt?.id ?? null,
    verified: receipt?.verified ?? null,
    refused: refused ?? null,
  }
}

function toText(
  outcomes: readonly Outcome[],
  databases: readonly DatabaseOutcome[],
  enforced: boolean,
): string {
  if (outcomes.length + databases.length === 0)
    return 'There is no store that can be put in order from here.\n'
  return [
    ...outcomes.map((outcome) => outcomeText(outcome, enforced)),
    ...databases.map((outcome) => databaseText(outcome, enforced)),
  ].join('\n')
}

function outcomeText({ folder, planned, receipt, refused }: Outcome, enforced: boolean): string {
  const title = toTerminal(folder)
  if (planned === null) return `${title}\n  refused: ${toTerminal(refused?.message ?? '')}\n`
  const { plan, limits, warnings } = planned
  const lines = [
    `${formatQuantity(plan.before.entries, 'session')} in the index, ${formatBytes(plan.before.bytes)} on disk; by itself OpenClaw ${limits.mode === 'warn' ? 'only warns' : 'removes'} here.`,
    ...warnings.map((text) => `warning: ${text}`),
  ]
  if (plan.steps.length === 0) lines.push('Nothing to do.')
  else {
    lines.push(...plan.steps.slice(0, SHOWN_STEPS).map(stepText))
    const more = plan.steps.length - SHOWN_STEPS
    if (more > 0) lines.push(`… and ${more} more (--json lists them all)`)
    lines.push(
      `Afterwards: ${formatQuantity(plan.after.entries, 'session')}, ${formatBytes(plan.after.bytes)}.`,
    )
  }
  if (refused !== null) lines.push('Refused; nothing was changed.')
  else if (receipt !== null) lines.push(`Done and verified. "plimsoll undo ${receipt.id}" takes it back.`)
  else if (plan.steps.length > 0 && !enforced) {
    lines.push('Nothing was changed. --enforce does this, with a backup of everything.')
  }
  return `${title}\n${lines.map((line) => `  ${toTerminal(line)}\n`).join('')}`
}

function stepText(step: MaintenanceStep): string {
  switch (step.do) {
    case 'remove-entry':
      return `remove session  ${step.key}  (${MAINTENANCE_RULES[step.rule].why})`
    case 'archive':
      return `put aside       ${step.file}  (its session is removed)`
    case 'delete':
      return `delete          ${step.file}  ${formatBytes(step.bytes)}  (${MAINTENANCE_RULES[step.rule].why})`
    case 'rotate':
      return `copy the index  ${step.to}  ${formatBytes(step.bytes)}`
  }
}
