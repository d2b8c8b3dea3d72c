import { runtimeCompactLine } from '../budget/runtime-lines'
import { type ReadWindow, reckonedWindow } from '../budget/session-load'
import { DEFAULT_WINDOW } from '../budget/window'
import type { RuntimePolicy, RuntimeRules } from '../policy/runtime/runtime-policy'
import type { RecordedCompaction } from '../transcript/session-index'
import type { Tokens } from '../units/units'

/** A call before a compaction, as the runtime looks at it. */
export type SizedCall = {
  /** Prompt and answer as the provider counted them; null when it did not. */
  readonly tokens: Tokens | null
  /** The turn ended with it: the next prompt is the user's. */
  readonly endsTurn: boolean
}

/** What the record has of a compaction. Tokens. */
export type CompactionFacts = {
  /** Calls since the boundary before it, oldest first. */
  readonly calls: readonly SizedCall[]
  /** `tokensBefore` of the record; null when it says nothing, or zero. */
  readonly recorded: number | null
  /** What came in after the last call, up to the next, by our estimate; and the answer of that next call. */
  readonly incoming: number
  readonly nextOutput: number
  /** The provider had refused the prompt as too long. */
  readonly overflow: boolean
  /** As the runtime noted it. */
  readonly reason: RecordedCompaction['reason'] | null
  /** It was made by Plimsoll. */
  readonly ours: boolean
  readonly model: string | null
  readonly window: ReadWindow | null
  /** The model of the next call, where that is another one, with its window. */
  readonly next: { readonly model: string | null; readonly window: ReadWindow } | null
}

/** Why a compaction is not one that the runtime's line explains. */
export type FitReason =
  | 'manual'
  | 'ours'
  | 'overflow'
  | 'timeout'
  | 'provider'
  | 'other-version'
  | 'unknown-window'
  | 'unknown-size'
  | 'switched-off'
  | 'late'
  | 'below-line'

/** How a recorded compaction agrees with what its runtime does. */
export type CompactionExplanation = {
  /** `apart`: it is not one that a line decides about, or the record does not hold what the runtime compares. */
  readonly verdict: 'explained' | 'unexplained' | 'apart'
  readonly reason: FitReason | null
  readonly rules: RuntimeRules
  /** What the runtime compared, and the line it compared with. Tokens; null: unknown. */
  readonly tokens: Tokens | null
  readonly line: number | null
  readonly window: ReadWindow | null
  /** What was assumed of the window, because today's explains nothing; null: nothing. */
  readonly assumedWindow: string | null
  /** Calls between where the line says and where it happened; null where there is nothing to compare. */
  readonly gap: number | null
}

/** A line explains a compaction that came no more than this many calls off. */
const WITHIN_CALLS = 1

/** Runtimes take what they estimate so many times larger (lib/docs/openclaw.md#limits-of-a-compaction). */
const RUNTIME_MARGIN = 1.2

/**
 * Whether what the runtime does explains a recorded compaction within one call. The window is today's for the model of
 * that call; where that does not explain it, the window of the next call's model and OpenClaw's default are tried, and
 * the answer says so.
 */
export function explainCompaction(
  facts: CompactionFacts,
  policy: RuntimePolicy,
  others: readonly RuntimePolicy[],
): CompactionExplanation {
  const tokens = facts.recorded ?? facts.calls.at(-1)?.tokens ?? null
  const { rules } = policy.runtime
  const nothing = { rules, tokens, line: null, window: null, assumedWindow: null, gap: null }
  const apart = (reason: FitReason) => ({ ...nothing, verdict: 'apart' as const, reason })
  const aside = asideOf(facts)
  if (aside !== null) return apart(aside)
  if (tokens === null) return apart('unknown-size')
  if (policy.policy.compaction.mode === 'off')
    return { ...nothing, verdict: 'unexplained', reason: 'switched-off' }
  const tries = windowsOf(facts, policy)
  const [first] = tries
  if (first === undefined) return apart('unknown-window')
  for (const { model, read, assumed } of tries) {
    const line = lineOf(policy, model, read)
    const gap = line === null ? null : gapTo(line, tokens, facts)
    if (gap !== null && gap <= WITHIN_CALLS)
      return {
        verdict: 'explained',
        reason: null,
        rules,
        tokens,
        line,
        window: read,
        assumedWindow: assumed,
        gap,
      }
  }
  const line = lineOf(policy, first.model, first.read)
  const found = { rules, tokens, line, window: first.read, assumedWindow: null }
  const gap = line === null ? null : gapTo(line, tokens, facts)
  const byOther = others.some((other) => {
    const otherLine = lineOf(other, first.model, first.read)
    const otherGap = otherLine === null ? null : gapTo(otherLine, tokens, facts)
    return otherGap !== null && otherGap <= WITHIN_CALLS
  })
  if (byOther) return { ...found, gap, verdict: 'unexplained', reason: 'other-version' }
  if (isGuess(first.read)) return { ...found, gap, verdict: 'apart', reason: 'unknown-window' }
  return { ...found, gap, verdict: 'unexplained', reason: gap === null ? 'below-line' : 'late' }
}

/** Why no line decided about it; null where one did, as far as the record tells. */
function asideOf({ ours, reason, overflow }: CompactionFacts): FitReason | null {
  if (ours) return 'ours'
  if (reason === 'manual') return 'manual'
  if (overflow || reason === 'overflow-retry') return 'overflow'
  return reason === 'timeout-retry' ? 'timeout' : null
}

type Try = { readonly model: string | null; readonly read: ReadWindow; readonly assumed: string | null }

function windowsOf({ model, window, next }: CompactionFacts, { runtime }: RuntimePolicy): Try[] {
  if (window === null) return []
  return [
    { model, read: window, assumed: null },
    ...(next === null
      ? []
      : [{ model: next.model, read: next.window, assumed: 'the window of the model that answered next' }]),
    ...(runtime.kind === 'openclaw' && window.tokens !== DEFAULT_WINDOW
      ? [
          {
            model: null,
            read: { tokens: DEFAULT_WINDOW, source: 'default' as const },
            assumed: "OpenClaw's default window, before another one was set",
          },
        ]
      : []),
  ]
}

/** The window of a call that nothing names, or that a prompt only proves the least of. */
function isGuess(read: ReadWindow): boolean {
  const { source } = read.believed ?? read
  return source === 'default' || source === 'observed'
}

function lineOf(policy: RuntimePolicy, model: string | null, read: ReadWindow): number | null {
  return runtimeCompactLine(policy, reckonedWindow(policy.policy, model, read).tokens)
}

/**
 * Calls between where a line says that a compaction comes and where it came: 0, the same; null, the line was not
 * reached, and the next call would not have reached it either. Runtimes look when a turn ends, so calls within a turn
 * do not count.
 */
function gapTo(
  line: number,
  tokens: Tokens,
  { calls, incoming, nextOutput }: CompactionFacts,
): number | null {
  if (tokens >= line)
    return calls.slice(0, -1).filter((call) => call.endsTurn && call.tokens !== null && call.tokens >= line)
      .length
  const before = tokens + incoming * RUNTIME_MARGIN
  if (before >= line) return 0
  return before + nextOutput >= line ? 1 : null
}
