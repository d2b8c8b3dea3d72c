import { REGIONS, type Regions, splitWindow } from '../../core/budget/regions'
import type { Policy } from '../../core/policy/policy'
import type { Tokens } from '../../core/units/units'

export type Region = (typeof REGIONS)[number]

/** How a region looks, everywhere: its name, colour and texture (the latter as on categories). */
export type RegionView = {
  readonly region: Region
  readonly label: string
  readonly color: string
  readonly pattern: 'solid' | 'lines' | 'falling' | 'hatched'
}

export const REGION_VIEWS: { readonly [R in Region]: RegionView } = {
  systemPrompt: {
    region: 'systemPrompt',
    label: 'System prompt',
    color: 'var(--cat-system-prompt)',
    pattern: 'solid',
  },
  bootstrap: {
    region: 'bootstrap',
    label: 'Bootstrap files',
    color: 'var(--cat-bootstrap-file)',
    pattern: 'lines',
  },
  history: { region: 'history', label: 'History', color: 'var(--cat-user)', pattern: 'solid' },
  response: { region: 'response', label: 'Response', color: 'var(--cat-assistant)', pattern: 'falling' },
  reserve: { region: 'reserve', label: 'Reserve', color: 'var(--cat-residual)', pattern: 'hatched' },
}

/** The values behind the first four regions; the reserve is what they leave. */
export const RATIO_PATHS = [
  'budget.systemPromptRatio',
  'budget.bootstrapRatio',
  'budget.historyRatio',
  'budget.responseRatio',
] as const

/** Shares are moved in whole hundredths of a per cent, so that they add up exactly. */
const UNIT = 10_000
/** One per cent of them. */
const GRID = 100

/** Shares of the five regions in hundredths of a per cent; they add up to 10,000 unless the ratios exceed 1. */
export type RatioShares = readonly [number, number, number, number, number]

export function sharesOf(budget: Policy['budget']): RatioShares {
  const four = [
    budget.systemPromptRatio,
    budget.bootstrapRatio,
    budget.historyRatio,
    budget.responseRatio,
  ].map((ratio) => Math.round(ratio * UNIT))
  const [system = 0, bootstrap = 0, history = 0, response = 0] = four
  return [system, bootstrap, history, response, Math.max(0, UNIT - system - bootstrap - history - response)]
}

/** The ratios of the policy that shares represent, as changes to set. */
export function ratiosOf(shares: RatioShares): { readonly [P in (typeof RATIO_PATHS)[number]]: number } {
  const [system, bootstrap, history, response] = shares
  return {
    'budget.systemPromptRatio': system / UNIT,
    'budget.bootstrapRatio': bootstrap / UNIT,
    'budget.historyRatio': history / UNIT,
    'budget.responseRatio': response / UNIT,
  }
}

/** Where the edge behind a region is, in hundredths of a per cent of the window. */
export function edgeOf(shares: RatioShares, edge: number): number {
  return Math.min(
    UNIT,
    shares.slice(0, edge + 1).reduce((sum, share) => sum + share, 0),
  )
}

/**
 * Moves the edge between the regions `edge` and `edge + 1` to a place in the window: what one gains the other loses,
 * and nothing else moves. It stops where either is empty.
 * @param to hundredths of a per cent of the window
 */
export function moveEdge(shares: RatioShares, edge: number, to: number): RatioShares {
  const left = shares[edge] ?? 0
  const right = shares[edge + 1] ?? 0
  const start = edgeOf(shares, edge) - left
  const grown = Math.min(Math.max(Math.round(to) - start, 0), left + right)
  return within(
    shares.map((share, i) => (i === edge ? grown : i === edge + 1 ? left + right - grown : share)),
  )
}

/**
 * Gives a region its own share. What it needs is taken from the reserve, then from the regions behind it, then from
 * those before it; what it frees goes to the reserve. The reserve itself takes from the response backwards.
 */
export function setShare(shares: RatioShares, region: number, to: number): RatioShares {
  const next = [...shares]
  const want = Math.min(Math.max(Math.round(to), 0), UNIT)
  const reserve = REGIONS.length - 1
  const behind = Array.from({ length: reserve - region - 1 }, (_, i) => region + 1 + i)
  const before = Array.from({ length: region }, (_, i) => region - 1 - i)
  const sources = region === reserve ? before : [reserve, ...behind, ...before]
  let need = want - (next[region] ?? 0)
  next[region] = want
  for (const source of sources) {
    if (need === 0) break
    // A region that shrinks gives to the first of its sources: the reserve, or for that one the response.
    const moved = need < 0 ? need : Math.min(need, next[source] ?? 0)
    next[source] = (next[source] ?? 0) - moved
    need -= moved
  }
  return within(next)
}

function within(shares: readonly number[]): RatioShares {
  const [a = 0, b = 0, c = 0, d = 0] = shares
  return [a, b, c, d, Math.max(0, UNIT - a - b - c - d)]
}

/** One step of a key on a handle, in hundredths of a per cent; 0 for keys that do not move it. */
export function keyStep(key: string, shift: boolean): number {
  const size = shift ? 500 : 100
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return size
    case 'ArrowLeft':
    case 'ArrowDown':
      return -size
    case 'PageUp':
      return 500
    case 'PageDown':
      return -500
    default:
      return 0
  }
}

/** Handles move on whole per cent: from 15.4 % one step up is 16 %, and five are 20 %. */
export function stepFrom(place: number, step: number): number {
  const grid = step > 0 ? Math.floor(place / GRID) : Math.ceil(place / GRID)
  return grid * GRID + step
}

/** A region beside the bar: what its ratio says, and what it really gets in a window. */
export type RegionRow = RegionView & {
  /** Hundredths of a per cent. */
  readonly share: number
  readonly tokens: Tokens
  /** What the ratio alone would give. */
  readonly wanted: number
  /** Why it gets something else; null when it does not. */
  readonly note: string | null
}

/** The five regions of a window under a policy, with what small windows take and give. */
export function regionRows(budget: Policy['budget'], window: number): RegionRow[] {
  const shares = sharesOf(budget)
  const regions: Regions = splitWindow(window, budget)
  return REGIONS.map((region, i) => {
    const share = shares[i] ?? 0
    const wanted = Math.floor((window * share) / UNIT + 1e-9)
    const tokens = regions[region]
    return { ...REGION_VIEWS[region], share, tokens, wanted, note: noteOf(region, tokens, wanted, budget) }
  })
}

function noteOf(region: Region, tokens: Tokens, wanted: number, budget: Policy['budget']): string | null {
  // Rounding down leaves a token or two to the reserve.
  if (Math.abs(tokens - wanted) <= REGIONS.length) return null
  if (region === 'response' && tokens > wanted) return `raised to the minimum response`
  if (region === 'response') return `less than the minimum response of ${budget.minResponseTokens}: no room`
  if (region === 'history' && tokens < wanted) return 'gives way to the minimum response'
  return tokens < wanted ? 'gives way' : 'gets what is left'
}
