import { splitWindow } from '../../core/budget/regions'
import type { Policy } from '../../core/policy/policy'
import { CATEGORIES, type Category } from '../../core/tokens/category'
import type { Tokens } from '../../core/units/units'
import { formatCount, formatQuantity, formatShort } from '../text/format'
import type { Region } from './policy-ratio'
import { windowGroups } from './window-groups'

/** Levels per window at which parts are counted: every per cent. */
const PART_LEVELS = 100

/** Parts of a call that a region is for, and those before the answer together. */
const PARTS = ['systemPrompt', 'bootstrap', 'history', 'response', 'prompt'] as const
type Part = (typeof PARTS)[number]

/** What is known of one call: its tokens in the order of CATEGORIES, and its answer. */
export type CallParts = { readonly tokens: readonly number[]; readonly output: Tokens | null }

/** How much of its window each part of a session took at most, by level; `window` is that of its last call. */
export type SessionParts = { readonly window: Tokens; readonly tops: readonly number[] }

/** By window: sessions that reached each level, for each of PARTS; from 0 to PART_LEVELS. */
export type PartGroup = {
  readonly window: Tokens
  readonly sessions: number
  readonly reached: readonly (readonly number[])[]
}

/** Which region a category belongs to, as a request is put together; the residual is of none that is known. */
const PART_OF: { readonly [C in Category]: Exclude<Part, 'response' | 'prompt'> | null } = {
  'system-prompt': 'systemPrompt',
  'tool-schemas': 'systemPrompt',
  skills: 'systemPrompt',
  'bootstrap-file': 'bootstrap',
  recalled: 'bootstrap',
  summary: 'history',
  user: 'history',
  assistant: 'history',
  thinking: 'history',
  'tool-call': 'history',
  'tool-result': 'history',
  image: 'history',
  other: 'history',
  residual: null,
}
const PLACES = CATEGORIES.map((category) => {
  const part = PART_OF[category]
  return part === null ? -1 : PARTS.indexOf(part)
})
const RESPONSE = PARTS.indexOf('response')
const PROMPT = PARTS.indexOf('prompt')

/** Folds the calls of one session; null when of none it is known what was in it. */
export function sessionParts(calls: readonly CallParts[], windows: readonly Tokens[]): SessionParts | null {
  const tops = PARTS.map(() => 0)
  let window = 0
  for (let i = 0; i < calls.length; i++) {
    const { tokens, output } = calls[i] as CallParts
    const size = windows[i] ?? 0
    if (size <= 0) continue
    const sums = PARTS.map(() => 0)
    for (let c = 0; c < tokens.length; c++) {
      const place = PLACES[c] ?? -1
      if (place >= 0) sums[place] = (sums[place] ?? 0) + (tokens[c] ?? 0)
    }
    const prompt = sums.reduce((sum, part) => sum + part, 0)
    // Nothing of it is known.
    if (prompt === 0) continue
    sums[PROMPT] = prompt
    sums[RESPONSE] = output ?? 0
    window = size
    for (let part = 0; part < PARTS.length; part++) {
      const level = Math.min(PART_LEVELS, Math.floor(((sums[part] ?? 0) * PART_LEVELS) / size))
      if (level > (tops[part] ?? 0)) tops[part] = level
    }
  }
  return window === 0 ? null : { window, tops }
}

/** Adds up sessions, by their window. */
export function aggregateParts(sessions: readonly SessionParts[]): PartGroup[] {
  const groupOf = windowGroups(sessions)
  const groups = new Map<number, { window: number; sessions: number; reached: number[][] }>()
  for (const { window: own, tops } of sessions) {
    const { window } = groupOf(own)
    const group = groups.get(window) ?? {
      window,
      sessions: 0,
      reached: PARTS.map(() => new Array<number>(PART_LEVELS + 1).fill(0)),
    }
    groups.set(window, group)
    group.sessions += 1
    tops.forEach((top, part) => {
      const reached = group.reached[part] as number[]
      for (let level = 0; level <= top; level++) reached[level] = (reached[level] ?? 0) + 1
    })
  }
  return [...groups.values()]
}

/** What a region means for the operator's own sessions. */
export type RegionEffect = {
  /** Sessions that had more than the region at a call, of those of which it is known. */
  readonly over: number
  readonly of: number
  /** By how much, at the fullest call, on average of those; within a per cent of the window. Tokens. */
  readonly excess: Tokens
}

/** @returns null for the reserve, which nothing is put into */
export function regionEffect(
  groups: readonly PartGroup[],
  budget: Policy['budget'],
  region: Region,
): RegionEffect | null {
  if (region === 'reserve') return null
  const part = partHeldAgainst(region, budget)
  let [over, of, excess] = [0, 0, 0]
  for (const { window, sessions, reached } of groups) {
    of += sessions
    const levels = reached[PARTS.indexOf(part)] ?? []
    // A level is reached from its lower end on: above the limit is what has reached the next one.
    const first = Math.floor((limitOf(region, budget, window) / window) * PART_LEVELS + 1e-9) + 1
    over += levels[first] ?? 0
    for (let level = first; level <= PART_LEVELS; level++)
      excess += ((levels[level] ?? 0) * window) / PART_LEVELS
  }
  return { over, of, excess: over === 0 ? 0 : excess / over }
}

/** With what others leave, history is limited together with them (`historyBudget`). */
function partHeldAgainst(region: Exclude<Region, 'reserve'>, { reallocate }: Policy['budget']): Part {
  return region === 'history' && reallocate ? 'prompt' : region
}

function limitOf(region: Exclude<Region, 'reserve'>, budget: Policy['budget'], window: Tokens): Tokens {
  const regions = splitWindow(window, budget)
  if (region !== 'history' || !budget.reallocate) return regions[region]
  const { systemPrompt, bootstrap, history, reserve } = regions
  return systemPrompt + bootstrap + history + (budget.reserveForHistory ? reserve : 0)
}

/** What happens to what is over, in words. */
const OVER_WORDS: { readonly [R in Exclude<Region, 'reserve'>]: (excess: string) => string } = {
  systemPrompt: (excess) => `${excess} taken from history each`,
  bootstrap: (excess) => `−${excess} each`,
  history: (excess) => `−${excess} each`,
  response: (excess) => `${excess} longer answers`,
}

/** `31 of 212 sessions over it, −12.3k tokens each ≈`; '' for the reserve. */
export function regionEffectWords(region: Region, effect: RegionEffect | null): string {
  if (effect === null || region === 'reserve') return ''
  const { over, of, excess } = effect
  if (of === 0) return 'no session to compare with'
  if (over === 0) return `none of ${formatQuantity(of, 'session')} over it`
  const words = OVER_WORDS[region](`${formatShort(Math.round(excess))} tokens`)
  return `${formatCount(over)} of ${formatQuantity(of, 'session')} over it, ${words}\u202f≈`
}
