import type { InspectedCompaction } from '../compaction/inspect'
import { extraPrice, promptPrice, readAnew, SHORTEST_CACHE } from '../tokens/cache-loss'
import { FIXED_CATEGORIES } from '../tokens/category'
import type { Frame } from '../tokens/frame'
import type { OwnPrices } from '../tokens/own-prices'
import type { EntryFact, Usage } from '../transcript/entry'
import type { FoldBoundary } from '../transcript/fold/fold-step'
import type { Milliseconds, Tokens, Usd } from '../units/units'

/**
 * What costs again and again, as far as transcripts show it. `tool-results`: results of tools that every call sends
 * along. `fixed-overhead`: what is before the conversation in every call. `cold-cache`: calls after a pause whose prompt
 * the provider had to read anew. `reclaimed-nothing`: the first calls behind compactions that left the prompt hardly
 * smaller.
 */
const HABIT_KINDS = ['tool-results', 'fixed-overhead', 'cold-cache', 'reclaimed-nothing'] as const

export type HabitKind = (typeof HABIT_KINDS)[number]

/** What one session adds to a habit. */
export type HabitShare = {
  readonly kind: HabitKind
  /** Calls in which it shows. */
  readonly times: number
  /** Tokens sent for it, each call counted. */
  readonly tokens: Tokens
  /** What they cost at the operator's or list prices, whatever was recorded; null: none of them has a price. */
  readonly usd: Usd | null
  /** Calls of `times` without a price. */
  readonly unpriced: number
  /** The call with the most tokens of it: a number from 1. */
  readonly worstCall: number
  readonly worstTokens: Tokens
  /** Tokens of results by tool, each result once, by our estimate; for `tool-results` only. */
  readonly tools: ReadonlyMap<string, Tokens>
}

type HabitInput = {
  readonly facts: readonly EntryFact[]
  readonly frames: readonly Frame[]
  readonly boundaries: readonly FoldBoundary[]
  readonly prices: OwnPrices
}

/** @param frames and @param compactions those within the period that begins at `from` (null: all) */
export function habitsOf(
  session: HabitInput,
  frames: readonly Frame[],
  compactions: readonly InspectedCompaction[],
  from: Milliseconds | null,
): HabitShare[] {
  const tallies = new Map(HABIT_KINDS.map((kind) => [kind, new Tally(kind)]))
  const add = (kind: HabitKind, frame: Frame, tokens: number, usd: number | null) =>
    tallies.get(kind)?.add(frame, tokens, usd)
  for (const frame of frames) {
    const usage = session.facts[frame.seq]?.usage ?? null
    const prompt = promptPrice(usage, frame, session.prices)
    const total = frame.total.value ?? 0
    const shareOf = (tokens: number) => (prompt === null || total <= 0 ? null : prompt * (tokens / total))
    const results = frame.categories['tool-result'] ?? 0
    if (results > 0) add('tool-results', frame, results, shareOf(results))
    const fixed = FIXED_CATEGORIES.reduce((sum, name) => sum + (frame.categories[name] ?? 0), 0)
    if (fixed > 0) add('fixed-overhead', frame, fixed, shareOf(fixed))
    const anew = usage === null ? 0 : afterPause(session, frame, usage)
    if (usage !== null && anew > 0)
      add('cold-cache', frame, anew, extraPrice(usage, anew, frame, session.prices))
  }
  for (const { oddities, afterCall } of compactions) {
    const next = session.frames[afterCall]
    if (next === undefined || !oddities.includes('reclaimed-nothing')) continue
    const usage = session.facts[next.seq]?.usage ?? null
    add('reclaimed-nothing', next, next.total.value ?? 0, promptPrice(usage, next, session.prices))
  }
  const tools = toolTokens(session.facts, from)
  return [...tallies.values()].flatMap((tally) => tally.share(tools))
}

/** Tokens that the provider had to read anew after a pause; 0 where that is not the case. */
function afterPause({ frames, boundaries }: HabitInput, frame: Frame, usage: Usage): Tokens {
  const before = frames[frame.call - 2]
  if (before === undefined || before.at === null || frame.at === null) return 0
  if (frame.at - before.at <= SHORTEST_CACHE) return 0
  const anew = readAnew(before, frame, usage)
  if (anew === 0 || boundaries.some(({ seq }) => seq > before.seq && seq < frame.seq)) return 0
  return anew
}

function toolTokens(facts: readonly EntryFact[], from: Milliseconds | null): ReadonlyMap<string, Tokens> {
  const tools = new Map<string, number>()
  for (const { toolName, units, at } of facts) {
    if (toolName === undefined || units === undefined) continue
    if (from !== null && (at === null || at < from)) continue
    tools.set(toolName, (tools.get(toolName) ?? 0) + (units['tool-result'] ?? 0))
  }
  return tools
}

class Tally {
  private times = 0
  private tokens = 0
  private usd: number | null = null
  private unpriced = 0
  private worstCall = 0
  private worstTokens = 0

  constructor(private readonly kind: HabitKind) {}

  add({ call }: Frame, tokens: number, usd: number | null): void {
    this.times += 1
    this.tokens += tokens
    if (usd === null) this.unpriced += 1
    else this.usd = (this.usd ?? 0) + usd
    if (tokens <= this.worstTokens) return
    this.worstTokens = tokens
    this.worstCall = call
  }

  /** Empty where it does not show. */
  share(tools: ReadonlyMap<string, Tokens>): HabitShare[] {
    if (this.times === 0) return []
    const { kind, times, tokens, usd, unpriced, worstCall, worstTokens } = this
    const named = kind === 'tool-results' ? tools : new Map<string, Tokens>()
    return [{ kind, times, tokens, usd, unpriced, worstCall, worstTokens, tools: named }]
  }
}
