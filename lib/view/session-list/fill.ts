import { callsToLine } from '../../core/budget/calls-to-line'
import { nextState } from '../../core/budget/next-call'
import { actsByItself } from '../../core/budget/runtime-lines'
import type { SessionLoad } from '../../core/budget/session-load'
import { type Basis, estimated, type Figure, measured, UNKNOWN } from '../../core/tokens/figure'
import type { Tokens } from '../../core/units/units'
import { believedWords } from '../policy/believed-words'
import { formatCount, formatPercent, formatShort } from '../text/format'
import { visibleLine } from '../text/visible-text'

/** What is stored about the fill of a session. Tokens. */
export type FillFacts = {
  /** Window, reserve and lines of its runtime; null when unknowns window. */
  readonly load: SessionLoad | null
  readonly contextTokens: Tokens | null
  readonly contextBasis: string
  readonly contextErrorPct: number | null
  /** Prompt sizes of the last calls, oldest first. */
  readonly trend: readonly (number | null)[]
}

/** A load line on a meter whose full length is the effective budget. */
type FillLine = {
  readonly name: string
  readonly tokens: Tokens
  /** Place on the meter, 0–1. */
  readonly at: number
  /** Lines that the runtime acts on automatically are marked; the others are ticks. */
  readonly major: boolean
}

/** How full a session is, against its load lines: everything a meter and the words beside it need. */
export type FillView = {
  readonly tokens: Figure
  readonly window: number | null
  readonly reserve: number | null
  readonly budget: number | null
  /** tokens ÷ budget; null when either is unknown. */
  readonly share: number | null
  readonly lines: readonly FillLine[]
  /** Name of the highest line passed; null below all, or when unknown. */
  readonly passed: string | null
  readonly tone: 'neutral' | 'attention' | 'danger'
  /** The next call is larger than the window. */
  readonly willNotFit: boolean
  /** The next marked line above, and the calls until then at this pace when that can be said. */
  readonly next: { readonly name: string; readonly calls: number | null } | null
  /** `of 180k effective budget; window 200k, reserve 20k`. */
  readonly denominator: string
  /** Whose lines they are: `OpenClaw 2026.2 (assumed)`; null when there are none. */
  readonly policy: string | null
  /** What is assumed of the runtime, and why, in one text; null when nothing is. */
  readonly assumed: string | null
  /** The line at which something happens first: `compact 100k`; null when there is none. */
  readonly acts: string | null
  /** The whole in one sentence. */
  readonly sentence: string
}

/** @returns the view of a fill against what the runtime of the session really does. */
export function fillView(facts: FillFacts): FillView {
  const tokens = contextFigure(facts)
  const { load } = facts
  if (load === null) {
    return {
      tokens,
      window: null,
      reserve: null,
      budget: null,
      share: null,
      lines: [],
      passed: null,
      tone: 'neutral',
      willNotFit: false,
      next: null,
      denominator: 'of an unknown window',
      policy: null,
      assumed: null,
      acts: null,
      sentence: `${fillWords(tokens)} of an unknown window`,
    }
  }
  const { window, reserve } = load
  const budget = window - reserve
  const lines = load.lines.map((line) => ({
    name: line.name,
    tokens: line.tokens,
    at: budget === 0 ? 0 : line.tokens / budget,
    // The others are only ticked.
    major: actsByItself(line),
  }))
  const assumed = load.assumed.length === 0 ? null : load.assumed.map(visibleLine).join('; ')
  const policy = `${visibleLine(load.from)}${assumed === null ? '' : ' (assumed)'}`
  const first = lines.find((line) => line.major)
  const denominator = `of ${formatShort(budget)} effective budget; window ${formatShort(window)}${windowNote(load.windowSource)}, reserve ${formatShort(reserve)}`
  const believed = loadBelief(load)
  const value = tokens.value
  const share = value === null || budget === 0 ? null : value / budget
  const willNotFit = nextState(tokens, window, null) === 'will-not-fit'
  const passed = value === null ? null : (lines.filter((line) => line.tokens <= value).at(-1)?.name ?? null)
  const words = share === null ? 'fill unknown' : `${fillWords(tokens)}, ${formatPercent(share)}`
  return {
    tokens,
    window,
    reserve,
    budget,
    share,
    lines,
    passed,
    tone: willNotFit ? 'danger' : toneOf(value, lines),
    willNotFit,
    next: value === null ? null : nextLine(value, lines, facts.trend),
    denominator,
    policy,
    assumed,
    acts:
      first === undefined
        ? null
        : `${first.name} ${formatShort(first.tokens)}${load.believed === null ? '' : ` of the ${formatShort(load.believed.tokens)} it believes in`}`,
    sentence: `${willNotFit ? 'The next call will not fit: ' : ''}${words} ${denominator}${passed === null ? '' : `; past the line ${passed}`}; lines of ${policy}${assumed === null ? '' : `: ${assumed}`}${believed === null ? '' : `; ${believed}`}`,
  }
}

/** Both windows by name, where the lines are in another one than the provider takes; null: they are in the same one. */
export function loadBelief(load: SessionLoad): string | null {
  const { believed, lines, window, windowSource: source } = load
  if (believed === null) return null
  const line = lines.find(actsByItself)?.tokens ?? null
  return believedWords({ line, believed, by: visibleLine(believed.by), window: { tokens: window, source } })
}

/** Tokens in the window now, with the basis as stored. */
export function contextFigure(
  facts: Pick<FillFacts, 'contextTokens' | 'contextBasis' | 'contextErrorPct'>,
): Figure {
  if (facts.contextTokens === null) return UNKNOWN
  const basis = facts.contextBasis as Basis
  if (basis === 'measured') return measured(facts.contextTokens)
  if (basis === 'estimated') return estimated(facts.contextTokens, facts.contextErrorPct ?? 0)
  return UNKNOWN
}

function fillWords(tokens: Figure): string {
  if (tokens.value === null) return 'unknown fill'
  const about = tokens.basis === 'estimated' ? 'about ' : ''
  return `${about}${formatCount(tokens.value)} tokens`
}

function windowNote(source: SessionLoad['windowSource']): string {
  if (source === 'cap') return ' (capped by the policy)'
  if (source === 'default') return ' (assumed)'
  if (source === 'observed') return ' (at least)'
  if (source === 'cut') return ' (prompts are cut to it)'
  return ''
}

function toneOf(value: number | null, lines: readonly FillLine[]): FillView['tone'] {
  if (value === null) return 'neutral'
  const last = lines.find(({ name }) => name === 'hard' || name === 'runtime compact')
  if (last !== undefined && value >= last.tokens) return 'danger'
  return lines.some((line) => line.major && value >= line.tokens) ? 'attention' : 'neutral'
}

function nextLine(
  value: number,
  lines: readonly FillLine[],
  trend: readonly (number | null)[],
): FillView['next'] {
  const line = lines.find((candidate) => candidate.major && candidate.tokens > value)
  if (!line) return null
  return { name: line.name, calls: callsToLine({ trend, current: value, line: line.tokens }) }
}
