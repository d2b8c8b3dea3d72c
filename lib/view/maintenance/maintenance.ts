import { MAINTENANCE_LIMITS, type MaintenanceLimits } from '../../core/maintenance/limits'
import type { MaintenancePlan, MaintenanceStep, Rule, Spared } from '../../core/maintenance/plan'
import type { Bytes } from '../../core/units/units'
import { storeTitle } from '../stores/store-title'
import { formatBytes, formatCount, formatDuration } from '../text/format'
import { visibleLine } from '../text/visible-text'
import { KNOBS, type KnobKey, type MaintenanceTrial, type TrialKnob } from './maintenance-trial'

/** Where a limit comes from that is in force in a dry run. */
export type KnobOrigin = 'tried' | 'openclaw.json' | 'default'

export type KnobView = TrialKnob & {
  /** In words; `off` when there is no such limit. */
  readonly value: string
  readonly origin: KnobOrigin
  readonly fallback: string
  /** What is tried, as it was typed. */
  readonly typed: string
  /** Why what was typed does not count; null when it does. */
  readonly problem: string | null
}

export type StepView = {
  readonly key: string
  readonly does: string
  /** Session key or file. */
  readonly what: string
  /** Bytes that leave the folder; null where nothing does. */
  readonly bytes: Bytes | null
  /** Last use, in milliseconds; null where that does not matter or is not known. */
  readonly usedAt: number | null
}

/** What one limit would remove. */
export type LimitView = {
  readonly rule: Rule
  readonly label: string
  readonly why: string
  readonly count: number
  /** Of all files that it would delete. */
  readonly bytes: Bytes
  readonly steps: readonly StepView[]
  /** Steps beyond those that are listed. */
  readonly more: number
}

export type FolderPlanView = {
  readonly before: MaintenancePlan['before']
  readonly after: MaintenancePlan['after']
  readonly rules: readonly LimitView[]
  readonly spared: readonly { readonly key: string; readonly because: string; readonly limit: string }[]
  readonly warnings: readonly string[]
  /** Names this very plan. */
  readonly fingerprint: string
  readonly empty: boolean
}

export type FolderView = {
  readonly folder: string
  readonly agent: string | null
  readonly name: string
  /** The dry run, or why there is none. */
  readonly result:
    | { readonly ok: true; readonly plan: FolderPlanView }
    | { readonly ok: false; readonly problem: string }
}

export type MaintenanceView = {
  readonly store: { readonly id: string; readonly title: string; readonly root: string; readonly era: string }
  /** Why this store is not maintained by us, and what to do instead; null when it is. */
  readonly readOnly: string | null
  readonly generation: 'early' | 'late' | null
  readonly mode: { readonly value: 'warn' | 'enforce'; readonly origin: KnobOrigin } | null
  readonly knobs: readonly KnobView[]
  readonly folders: readonly FolderView[]
  /** Databases, which OpenClaw itself puts in order on request. */
  readonly databases: readonly DatabaseView[]
}

export type DatabaseView = { readonly database: string; readonly name: string }

export type FolderFacts = {
  readonly folder: string
  readonly agent: string | null
  /** `session.maintenance` as the store has it, unchecked. */
  readonly settings: unknown
  readonly planned: PlannedFacts | string
}

type PlannedFacts = {
  readonly generation: 'early' | 'late'
  readonly limits: MaintenanceLimits
  readonly plan: MaintenancePlan
  readonly warnings: readonly string[]
  readonly fingerprint: string
}

/** Steps of one rule that are listed; the count says how many there are. */
const LISTED = 50

type StoreFacts = { readonly id: string; readonly kind: string; readonly era: string; readonly root: string }

/** A store whose databases only OpenClaw itself may change. */
export function databasesView(
  store: StoreFacts,
  places: readonly { readonly database: string; readonly agent: string }[],
): MaintenanceView {
  return {
    ...maintenanceView(store, [], {}),
    databases: places.map(({ database, agent }) => ({ database, name: `agent ${visibleLine(agent)}` })),
  }
}

export function maintenanceView(
  store: StoreFacts,
  facts: readonly FolderFacts[] | string,
  trial: MaintenanceTrial,
): MaintenanceView {
  const head = {
    store: { id: store.id, title: storeTitle(store), root: visibleLine(store.root), era: store.era },
  }
  if (typeof facts === 'string') {
    return { ...head, readOnly: facts, generation: null, mode: null, knobs: [], folders: [], databases: [] }
  }
  const first = facts.find(({ planned }) => typeof planned !== 'string')
  const planned = first === undefined || typeof first.planned === 'string' ? null : first.planned
  return {
    ...head,
    readOnly: null,
    generation: planned?.generation ?? null,
    mode:
      planned === null
        ? null
        : { value: planned.limits.mode, origin: originOf('mode', first?.settings, trial, planned) },
    knobs: planned === null ? [] : knobViews(planned, first?.settings, trial),
    folders: facts.map((folder) => folderView(folder)),
    databases: [],
  }
}

function knobViews(planned: PlannedFacts, settings: unknown, trial: MaintenanceTrial): KnobView[] {
  const { generation, limits, warnings } = planned
  return KNOBS.filter(({ earlyOnly }) => !earlyOnly || generation === 'early').map((knob) => {
    const typed = trial[knob.key] ?? ''
    const complaint = warnings.find((warning) => warning.startsWith(`session.maintenance.${knob.key} `))
    return {
      ...knob,
      value: valueText(knob.key, limits),
      origin: originOf(knob.key, settings, trial, planned),
      fallback: valueText(knob.key, MAINTENANCE_LIMITS[generation]),
      typed,
      problem:
        typed !== '' && complaint !== undefined
          ? `Not a limit like ${knob.example}; it does not count.`
          : null,
    }
  })
}

function originOf(
  key: KnobKey | 'mode',
  settings: unknown,
  trial: MaintenanceTrial,
  { warnings }: Pick<PlannedFacts, 'warnings'>,
): KnobOrigin {
  if (warnings.some((warning) => warning.startsWith(`session.maintenance.${key} `))) return 'default'
  if (trial[key] !== undefined) return 'tried'
  const own = typeof settings === 'object' && settings !== null ? settings : {}
  const names = key === 'pruneAfter' ? [key, 'pruneDays'] : [key]
  return names.some((name) => name in own) ? 'openclaw.json' : 'default'
}

function valueText(key: KnobKey, limits: MaintenanceLimits): string {
  switch (key) {
    case 'pruneAfter':
      return formatDuration(limits.pruneAfterMs)
    case 'maxEntries':
      return formatCount(limits.maxEntries)
    case 'rotateBytes':
      return limits.rotateBytes === null ? 'off' : formatBytes(limits.rotateBytes)
    case 'resetArchiveRetention':
      return limits.resetRetentionMs === null ? 'for good' : formatDuration(limits.resetRetentionMs)
    case 'maxDiskBytes':
      return limits.maxDiskBytes === null ? 'off' : formatBytes(limits.maxDiskBytes)
    case 'highWaterBytes':
      return limits.highWaterBytes === null ? 'off' : formatBytes(limits.highWaterBytes)
  }
}

function folderView({ folder, agent, planned }: FolderFacts): FolderView {
  const head = {
    folder,
    agent: agent === null ? null : visibleLine(agent),
    name: agent === null ? visibleLine(folder) : `agent ${visibleLine(agent)}`,
  }
  if (typeof planned === 'string') return { ...head, result: { ok: false, problem: visibleLine(planned) } }
  const { plan, warnings, fingerprint } = planned
  return {
    ...head,
    result: {
      ok: true,
      plan: {
        before: plan.before,
        after: plan.after,
        rules: ruleViews(plan.steps),
        spared: plan.spared.map(sparedView),
        warnings: warnings.map(visibleLine),
        fingerprint,
        empty: plan.steps.length === 0,
      },
    },
  }
}

/** What each limit is called, and why it removes something. */
export const MAINTENANCE_RULES: { readonly [R in Rule]: { readonly label: string; readonly why: string } } = {
  probe: { label: 'Probes', why: 'old trials of a model, and the index is over its cap' },
  age: { label: 'Age', why: 'not used for longer than the age limit' },
  cap: { label: 'Cap', why: 'more sessions than the cap; the oldest go' },
  retention: { label: 'Archives', why: 'transcripts put aside earlier, kept for long enough' },
  orphan: { label: 'Orphans', why: 'files that no session of the index refers to' },
  leftover: { label: 'Leftovers', why: 'half-written indexes that a crash left' },
  rotation: { label: 'Rotate', why: 'the index is larger than its limit, or more copies than are kept' },
  disk: { label: 'Disk budget', why: 'the folder is over its budget; the oldest go' },
}

function ruleViews(steps: readonly MaintenanceStep[]): LimitView[] {
  const byRule = new Map<Rule, MaintenanceStep[]>()
  for (const step of steps) {
    const rule = step.do === 'rotate' ? 'rotation' : step.rule
    byRule.set(rule, [...(byRule.get(rule) ?? []), step])
  }
  return (Object.keys(MAINTENANCE_RULES) as Rule[]).flatMap((rule) => {
    const own = byRule.get(rule)
    if (own === undefined) return []
    const deleted = own.reduce((sum, step) => sum + (step.do === 'delete' ? step.bytes : 0), 0)
    const views = own.slice(0, LISTED).map(stepView)
    return [
      {
        rule,
        ...MAINTENANCE_RULES[rule],
        count: own.length,
        bytes: deleted,
        steps: views,
        more: own.length - views.length,
      },
    ]
  })
}

function stepView(step: MaintenanceStep): StepView {
  switch (step.do) {
    case 'remove-entry': {
      const what = visibleLine(step.key)
      return { key: `entry ${what}`, does: 'leaves the index', what, bytes: null, usedAt: step.updatedAt }
    }
    case 'archive': {
      const what = visibleLine(step.file)
      return { key: `file ${what}`, does: 'put aside', what, bytes: null, usedAt: null }
    }
    case 'delete': {
      const what = visibleLine(step.file)
      return { key: `file ${what}`, does: 'deleted', what, bytes: step.bytes, usedAt: null }
    }
    case 'rotate':
      return { key: 'rotate', does: 'made', what: visibleLine(step.to), bytes: null, usedAt: null }
  }
}

const BECAUSE: { readonly [B in Spared['because']]: string } = {
  active: 'active: used within the last hour, or a turn is running',
  named: 'named as one that must stay',
  group: 'protected: a group',
  channel: 'protected: a channel',
  thread: 'protected: a thread',
  pinned: 'protected: pinned',
}

function sparedView({ key, rule, because }: Spared) {
  return { key: visibleLine(key), because: BECAUSE[because], limit: MAINTENANCE_RULES[rule].label }
}
