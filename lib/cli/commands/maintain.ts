import type { MaintenanceStep, Rule } from '../../core/maintenance/plan'
import { maintainStore, type PlannedMaintenance, planStore } from '../../engine/maintain-store'
import type { Receipt, Refusal } from '../../engine/receipt'
import { asRefused, Refused } from '../../engine/refusal'
import { formatBytes, formatQuantity } from '../../view/format'
import { maintainable, maintenanceIo } from '../../wire/maintenance'
import { EXIT, type ExitCode, type Io } from '../io'
import { openWriterOrFail, patiently } from '../open-writer'
import { note, write, writeJson } from '../output'
import type { ReadOptions } from '../read-options'
import { setupOrFail } from '../setup-or-fail'
import { openSources } from '../sources'
import { toTerminal } from '../terminal-text'

export type MaintainOptions = ReadOptions & {
  readonly enforce?: boolean
  readonly active?: readonly string[]
}

/** What became of one sessions folder. */
type Outcome = {
  readonly root: string
  readonly agent: string | null
  readonly folder: string
  readonly planned: PlannedMaintenance | null
  readonly receipt: Receipt | null
  readonly refused: Refusal | null
}

/** Steps that are shown one by one; `--json` has them all. */
const SHOWN_STEPS = 20

/** Shows what the stores' own limits would remove, or removes it with a backup. */
export async function maintain(io: Io, options: MaintainOptions): Promise<ExitCode> {
  const { stores } = await openSources(io, options.store)
  const work = options.enforce ? await enforcing(io, options) : planning(options)
  const outcomes: Outcome[] = []
  const skipped: { root: string; why: string }[] = []
  for (const found of stores.map(maintainable)) {
    if ('why' in found) {
      skipped.push({ root: found.store.root, why: found.why })
      if (!options.json) await note(io, `${found.store.root}: ${found.why}`)
    } else for (const place of found.places) outcomes.push({ ...place, ...(await work(place)) })
  }
  if (options.json) {
    await writeJson(io, { enforced: options.enforce ?? false, stores: outcomes.map(toJson), skipped })
  } else await write(io.stdout, toText(outcomes, options.enforce ?? false))
  for (const { refused } of outcomes) if (refused !== null) await note(io, refused.message)
  return outcomes.some(({ refused }) => refused !== null) ? EXIT.refused : EXIT.done
}

type Work = (
  place: Parameters<typeof planStore>[1],
) => Promise<Pick<Outcome, 'planned' | 'receipt' | 'refused'>>

function planning({ active = [] }: MaintainOptions): Work {
  return async (place) => {
    try {
      return { planned: await planStore(maintenanceIo, place, active), receipt: null, refused: null }
    } catch (error) {
      const reason = asRefused(error, place.folder)
      if (reason instanceof Refused) return { planned: null, receipt: null, refused: reason.refusal }
      throw reason
    }
  }
}

async function enforcing(io: Io, { active = [] }: MaintainOptions): Promise<Work> {
  const writer = await openWriterOrFail(io, setupOrFail(io))
  return async (place) => {
    const request = { place, active, actor: 'cli', wait: patiently(io) }
    const { planned, result } = await maintainStore(writer, request)
    if (result.kind === 'done') for (const text of result.notes) await note(io, text)
    return {
      planned,
      receipt: result.kind === 'done' ? result.receipt : null,
      refused: result.kind === 'refused' ? result.refusal : null,
    }
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

function toText(outcomes: readonly Outcome[], enforced: boolean): string {
  if (outcomes.length === 0) return 'There is no store of files to put in order.\n'
  return outcomes.map((outcome) => outcomeText(outcome, enforced)).join('\n')
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

const WHY: { readonly [R in Rule]: string } = {
  age: 'not used for too long',
  cap: 'more sessions than the cap',
  probe: 'an old probe of a model',
  retention: 'kept for long enough',
  orphan: 'no session refers to it',
  leftover: 'left by an interrupted write',
  rotation: 'more copies than are kept',
  disk: 'beyond the disk budget',
}

function stepText(step: MaintenanceStep): string {
  switch (step.do) {
    case 'remove-entry':
      return `remove session  ${step.key}  (${WHY[step.rule]})`
    case 'archive':
      return `put aside       ${step.file}  (its session is removed)`
    case 'delete':
      return `delete          ${step.file}  ${formatBytes(step.bytes)}  (${WHY[step.rule]})`
    case 'rotate':
      return `copy the index  ${step.to}  ${formatBytes(step.bytes)}`
  }
}
