import { callsToLine } from '../core/budget/calls-to-line'
import type { LineKind } from '../core/budget/load-lines'
import type { SessionLoad } from '../core/budget/session-load'
import { type Basis, estimated, type Figure, measured, UNKNOWN } from '../core/tokens/figure'
import { formatCount, formatPercent, formatShort } from './format'
import { visibleLine } from './visible-text'

/** What is stored about the fill of a session. Tokens. */
export type FillFacts = {
  /** Window, reserve and lines under the policy in force for it; null when nobody knows its window. */
  readonly load: SessionLoad | null
  readonly contextTokens: number | null
  readonly contextBasis: string
  readonly contextErrorPct: number | null
  /** Prompt sizes of the last calls, oldest first. */
  readonly trend: readonly (number | null)[]
}

/** A load line on a meter whose full length is the effective budget. */
export type FillLine = {
  readonly name: string
  readonly tokens: number
  /** Place on the meter, 0–1. */
  readonly at: number
  /** Lines that the runtime acts on by itself are marked; the others are ticks. */
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
  /** The next marked line above, and the calls until then at this pace when that can be said. */
  readonly next: { readonly name: string; readonly calls: number | null } | null
  /** `of 180k effective budget; window 200k, reserve 20k`. */
  readonly denominator: string
  /** Which policy the lines come from: `the default policy`, `openclaw.json`; null when there are none. */
  readonly policy: string | null
  /** The line at which something happens first: `compact 100k`; null when there is none. */
  readonly acts: string | null
  /** The whole in one sentence. */
  readonly sentence: string
}

/** Lines that the meter marks; the others it only ticks. */
const MARKED: readonly LineKind[] = ['compact', 'hard']

/** What the policy is called that nobody has chosen. */
const DEFAULT_NAME = 'the default policy'

/** @returns the view of a fill under the policy in force for the session. */
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
      next: null,
      denominator: 'of an unknown window',
      policy: null,
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
    major: MARKED.includes(line.kind),
  }))
  const policy = load.from === null ? DEFAULT_NAME : visibleLine(load.from)
  const first = lines.find((line) => line.major)
  const denominator = `of ${formatShort(budget)} effective budget; window ${formatShort(window)}${windowNote(load.windowSource)}, reserve ${formatShort(reserve)}`
  const value = tokens.value
  const share = value === null || budget === 0 ? null : value / budget
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
    tone: toneOf(value, lines),
    next: value === null ? null : nextLine(value, lines, facts.trend),
    denominator,
    policy,
    acts: first === undefined ? null : `${first.name} ${formatShort(first.tokens)}`,
    sentence: `${words} ${denominator}${passed === null ? '' : `; past the line ${passed}`}; lines of ${policy}`,
  }
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
  return ''
}

function toneOf(value: number | null, lines: readonly FillLine[]): FillView['tone'] {
  if (value === null) return 'neutral'
  const level = (name: string) => lines.find((line) => line.name === name)?.tokens ?? Number.POSITIVE_INFINITY
  if (value >= level('hard')) return 'danger'
  return value >= level('compact') ? 'attention' : 'neutral'
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
