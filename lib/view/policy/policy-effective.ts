import { guardWindow, type PolicyWindow, policyShares } from '../../core/budget/guard'
import { type ReadWindow, windowInForce } from '../../core/budget/session-load'
import { resolveTurnLimit, type TurnLimit } from '../../core/history/turn-limit'
import {
  applies,
  effectivePolicy,
  layersFor,
  type PolicySources,
  type PolicySubject,
} from '../../core/policy/effective'
import { knobWords } from '../../core/policy/knobs/knob-words'
import { POLICY_LEVELS, type PolicyLevel, type PolicyOrigin } from '../../core/policy/resolve'
import type { RuntimePolicy } from '../../core/policy/runtime/runtime-policy'
import { WINDOW_SOURCE_WORDS } from '../session/session-head'
import { formatCount, formatShort } from '../text/format'
import { FORM_SECTIONS } from './policy-knobs'
import { lineMarks } from './policy-presets'
import { type RegionRow, regionRows } from './policy-ratio'
import { flatPolicy, readableValue } from './policy-values'

/** A session as the policy screen asks for it. */
export type PolicySession = {
  readonly id: string
  readonly title: string
  readonly place: string
  readonly key: string | null
  readonly subject: PolicySubject
  readonly storeLabel: string
  /** Paths of the files that speak for the sessions of its store, weakest first. */
  readonly storeFiles: readonly string[]
  /** The window of its last call as it was read; null when there is none. */
  readonly window: ReadWindow | null
  /** What its runtime really does. */
  readonly runtime: RuntimePolicy
}

type EffectiveRow = {
  readonly path: string
  readonly group: string
  readonly label: string
  readonly value: string
  /** The level as it is called on screen: our own file is beside the presets. */
  readonly level: string
  readonly origin: string
}

/** The draft for one session: what follows from it, its layers, and every value with its origin. */
export type EffectiveView = {
  readonly facts: readonly { readonly label: string; readonly value: string; readonly note: string | null }[]
  readonly window: number
  readonly verdict: 'ok' | 'warn' | 'block'
  readonly regions: readonly RegionRow[]
  readonly lines: readonly { readonly label: string; readonly pct: number }[]
  /** Weakest first, the defaults included; `values` is how many are in force in the end. */
  readonly layers: readonly { readonly level: string; readonly label: string; readonly values: number }[]
  /** Every override of our file, and whether it is about this session. */
  readonly overrides: readonly {
    /** From 1, in the order of the file. */
    readonly n: number
    readonly key: string
    readonly match: string
    readonly applies: boolean
  }[]
  readonly rows: readonly EffectiveRow[]
}

export function effectiveView(sources: PolicySources, session: PolicySession): EffectiveView {
  const { subject } = session
  const { policy, origin } = effectivePolicy(sources, subject)
  const window = windowInForce(policy, subject.model, session.window)
  const guard = guardWindow(policy, window)
  const shares = policyShares(policy, window.tokens)
  const turns = resolveTurnLimit(policy.history, session.key)
  const values = [...flatPolicy(policy)]
  const originOf = (path: string) => origin[path] ?? { level: 'default' as const, label: 'default' }
  const rows = values
    .map(([path, value]): EffectiveRow => {
      const { label, unit } = knobWords(path)
      const from = originOf(path)
      const group = FORM_SECTIONS.find(({ id }) => path.startsWith(`${id}.`))?.title ?? ''
      return {
        path,
        group,
        label,
        value: readableValue(value, unit),
        level: levelWord(from),
        origin: from.label,
      }
    })
    .sort((a, b) => groupOrder(a.path) - groupOrder(b.path))
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(row.origin, (counts.get(row.origin) ?? 0) + 1)
  const layers = [
    { level: 'default' as const, label: 'default' },
    ...layersFor(sources, subject).sort((a, b) => levelOrder(a.level) - levelOrder(b.level)),
  ]
  return {
    facts: [
      {
        label: 'Window',
        value: formatCount(window.tokens),
        note: `${WINDOW_SOURCES[window.source]}${window.uncapped === window.tokens ? '' : `; the model could ${formatShort(window.uncapped)}`}`,
      },
      {
        label: 'Effective budget',
        value: formatCount(shares.effectiveBudget),
        note: `window − reserve of ${formatCount(shares.reserve)}`,
      },
      { label: 'History after a compaction', value: formatCount(shares.historyShare), note: 'at most' },
      {
        label: 'Working space',
        value: formatCount(shares.workingSpace),
        note: 'for the turn and its tool results',
      },
      {
        label: 'Turns sent',
        value: turns.turns === null ? 'all' : formatCount(turns.turns),
        note: TURN_RULES[turns.rule],
      },
    ],
    window: window.tokens,
    verdict: guard.verdict,
    regions: regionRows(policy.budget, window.tokens),
    lines: lineMarks(policy, window.tokens),
    layers: layers.map(({ level, label }) => ({
      level: levelWord({ level, label }),
      label,
      values: counts.get(label) ?? 0,
    })),
    overrides: (sources.own?.file.overrides ?? []).map(({ key, match }, i) => ({
      n: i + 1,
      key,
      match,
      applies: applies({ key, match }, subject),
    })),
    rows,
  }
}

const TURN_RULES: { readonly [R in TurnLimit['rule']]: string } = {
  user: 'the rule for this person',
  direct: 'the rule of the channel for direct chats',
  group: 'the rule of the channel for groups',
  general: 'the general rule',
  none: 'no limit',
}

const WINDOW_SOURCES: { readonly [S in PolicyWindow['source']]: string } = {
  ...WINDOW_SOURCE_WORDS,
  policy: 'set in the policy for this model',
  default: 'the default of the policy',
}

function levelWord({ level, label }: PolicyOrigin): string {
  return level === 'preset' && !label.startsWith('preset ') ? 'own file' : level
}

function levelOrder(level: PolicyLevel): number {
  return POLICY_LEVELS.indexOf(level)
}

function groupOrder(path: string): number {
  return FORM_SECTIONS.findIndex(({ id }) => path.startsWith(`${id}.`))
}
