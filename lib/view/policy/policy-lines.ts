import { hardLine, type LineKind } from '../../core/budget/load-lines'
import type { Policy } from '../../core/policy/policy'
import type { Tokens } from '../../core/units/units'
import { formatCount, formatQuantity } from '../text/format'
import { type Crossed, crossedAt, type LineFills } from './policy-fills'

/** A threshold that can be moved: one line of the ladder, or one step of those with several. */
export type Threshold = {
  /** Unique on the screen: `compact`, `flush 2`. */
  readonly id: string
  readonly kind: LineKind
  readonly label: string
  /** What crossing it does. */
  readonly about: string
  readonly enabled: boolean
  /** Share of the window as the policy has it. */
  readonly at: number
  /** Path of the value, and for steps its place in the list. */
  readonly path: string
  readonly step: number | null
  readonly enabledPath: string
  /** Share and tokens at which it acts in the window on screen; `at`, unless the reserve comes first. */
  readonly acts: number
  readonly tokens: Tokens
  /** Why it never acts, or acts elsewhere; null when it acts where it is. */
  readonly note: string | null
  readonly crossed: Crossed
}

const WORDS: { readonly [K in LineKind]: readonly [label: string, about: string] } = {
  curate: ['Curate', 'weeds out what is of no use'],
  compact: ['Compact', 'summarises and drops by relevance'],
  slide: ['Slide', 'replaces completed work by a summary'],
  checkpoint: ['Checkpoint', 'notes topics, decisions and open questions'],
  flush: ['Flush', 'writes memory before something is lost'],
  hard: ['Hard limit', 'drops the lowest scores until it fits'],
}

/** Every line of a policy, switched off or not, with what it means for the operator's own sessions. */
export function thresholds(policy: Policy, window: number, fills: LineFills): Threshold[] {
  const { lines } = policy
  const ceiling = hardLine(policy, window)
  const single = (kind: 'curate' | 'compact' | 'slide' | 'hard'): Threshold =>
    threshold(policy, fills, {
      id: kind,
      kind,
      at: lines[kind].at,
      enabled: lines[kind].enabled,
      path: `lines.${kind}.at`,
      step: null,
      enabledPath: `lines.${kind}.enabled`,
      window,
      ceiling: ceiling?.tokens ?? null,
    })
  const steps = (kind: 'checkpoint' | 'flush', group: 'checkpoints' | 'flush'): Threshold[] =>
    lines[group].at.map((at, step) =>
      threshold(policy, fills, {
        id: `${kind} ${step + 1}`,
        kind,
        at,
        enabled: lines[group].enabled,
        path: `lines.${group}.at`,
        step,
        enabledPath: `lines.${group}.enabled`,
        window,
        ceiling: ceiling?.tokens ?? null,
      }),
    )
  return [
    single('curate'),
    single('compact'),
    single('slide'),
    ...steps('checkpoint', 'checkpoints'),
    ...steps('flush', 'flush'),
    single('hard'),
  ]
}

type Spot = Pick<Threshold, 'id' | 'kind' | 'at' | 'enabled' | 'path' | 'step' | 'enabledPath'> & {
  readonly window: number
  readonly ceiling: number | null
}

function threshold(policy: Policy, fills: LineFills, spot: Spot): Threshold {
  const { window, ceiling, ...own } = spot
  const [label, about] = WORDS[own.kind]
  const plain = Math.floor(window * own.at + 1e-9)
  const tokens = own.kind === 'hard' && ceiling !== null ? ceiling : plain
  const isHard = own.kind === 'hard'
  const shareOf = (w: number): number | null => {
    if (!isHard) return own.at
    const line = hardLine(policy, w)
    return line === null || w <= 0 ? own.at : line.tokens / w
  }
  return {
    ...own,
    label: own.step === null ? label : `${label} ${own.step + 1}`,
    about,
    tokens,
    acts: window <= 0 ? own.at : tokens / window,
    note: noteOf({ isHard, enabled: own.enabled, plain, tokens, ceiling }),
    crossed: crossedAt(fills, shareOf, !isHard),
  }
}

function noteOf(input: {
  readonly isHard: boolean
  readonly enabled: boolean
  readonly plain: number
  readonly tokens: Tokens
  readonly ceiling: number | null
}): string | null {
  if (!input.enabled) return 'switched off'
  if (input.isHard) return input.tokens < input.plain ? 'at window − reserve, which is lower' : null
  return input.ceiling !== null && input.plain > input.ceiling ? 'above the hard limit: never acts' : null
}

/** The value to set when a threshold is moved: its share, or the list of steps with this one changed. */
export function movedTo(
  policy: Policy,
  { path, step, kind }: Pick<Threshold, 'path' | 'step' | 'kind'>,
  at: number,
): {
  readonly [path: string]: unknown
} {
  const share = Math.min(1, Math.max(0, Math.round(at * 10_000) / 10_000))
  if (step === null) return { [path]: share }
  const list = kind === 'flush' ? policy.lines.flush.at : policy.lines.checkpoints.at
  return { [path]: list.with(step, share) }
}

/** `31 of 212 sessions, 4.2 times each`. */
export function crossedWords(crossed: Crossed): string {
  const { sessions, of, times, exact } = crossed
  if (of === 0) return 'no session to compare with'
  if (sessions === 0) return `none of ${formatQuantity(of, 'session')}`
  const each = times / sessions
  const often = each < 1.05 ? 'once each' : `${each < 9.95 ? each.toFixed(1) : formatCount(each)} times each`
  return `${formatCount(sessions)} of ${formatQuantity(of, 'session')}, ${often}${exact ? '' : '\u202f≈'}`
}
