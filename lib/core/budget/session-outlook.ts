import type { LabelledFile } from '../policy/effective'
import { runtimePolicy } from '../policy/runtime/runtime-policy'
import type { LastCalls } from '../sources/claude-code/last-calls'
import type { StatuslineInput } from '../sources/claude-code/statusline-input'
import { estimated, type Figure, UNKNOWN } from '../tokens/figure'
import { listedWindow } from '../tokens/listed-models'
import type { OwnPrices } from '../tokens/own-prices'
import { costOf } from '../tokens/prices'
import { promptTokens } from '../tokens/usage'
import type { Milliseconds, Tokens } from '../units/units'
import { callsToLine } from './calls-to-line'
import { runtimeCompactLine } from './runtime-lines'
import { DEFAULT_WINDOW } from './window'

/** How a session of Claude Code goes on. Tokens; US dollars. */
export type SessionOutlook = {
  readonly window: Tokens
  /** Neither Claude Code nor the list of models names the window. */
  readonly windowAssumed: boolean
  /** Where its runtime compacts; null: nowhere. */
  readonly line: Tokens | null
  /** The prompt of the next call. */
  readonly next: Figure
  /** Calls up to the line at the pace of the last ones; null: passed, or the pace is not known. */
  readonly callsToGo: number | null
  /** What the next call costs with an answer like the last ones, as the cache is now, and with no cache. */
  readonly nextUsd: Figure
  readonly coldUsd: Figure
  /** The cache has gone already: too long ago was the last call. null: it is not known when that was. */
  readonly cacheGone: boolean | null
}

/** How long a prompt stays in the cache. Milliseconds. */
const CACHE_MS: Milliseconds = 5 * 60_000
const LONGER_CACHE_MS: Milliseconds = 60 * 60_000

/** What is sized by its length is right to about so many percent. */
const TEXT_ERROR_PCT = 30
/** What of an answer is sent again is not all that was counted as its output. */
const LEAST_ERROR_PCT = 2

/**
 * What lies ahead of a session of Claude Code.
 * @param files the settings that count, weakest first
 * @param now milliseconds since the epoch
 */
export function sessionOutlook(
  input: StatuslineInput,
  calls: LastCalls | null,
  { prices, files }: { readonly prices: OwnPrices; readonly files: readonly LabelledFile[] },
  now: Milliseconds,
): SessionOutlook {
  const model = input.model ?? calls?.last?.model ?? null
  const provider = model?.startsWith('claude') ? 'anthropic' : null
  const listed = input.window ?? listedWindow(provider, model)
  const window = listed ?? DEFAULT_WINDOW
  const version = input.version === null ? null : { value: input.version, from: 'Claude Code' }
  const runtime = runtimePolicy(
    { owner: 'claude-code', era: 'jsonl', version, files, own: null },
    { store: [], agent: null, channel: null, model, session: [], provider, at: now },
  )
  const line = runtimeCompactLine(runtime, window)
  const next = nextPrompt(input, calls)
  const usage = calls?.last?.usage ?? null
  const longer = (usage?.cacheWrite1h ?? 0) > 0
  const at = calls?.last?.at ?? null
  const cacheGone = at === null ? null : now - at > (longer ? LONGER_CACHE_MS : CACHE_MS)
  const priceOf = (cached: Tokens): Figure => {
    if (next.value === null || calls === null) return UNKNOWN
    const cacheRead = Math.min(cached, next.value)
    const cacheWrite = next.value - cacheRead
    const used = {
      ...{ input: 0, cacheRead, cacheWrite, output: middleOf(calls.outputs) },
      ...(longer && { cacheWrite1h: cacheWrite }),
      costUsd: null,
    }
    return costOf(used, { provider, model, at: now }, prices).listed
  }
  return {
    window,
    windowAssumed: listed === null,
    line,
    next,
    callsToGo:
      next.value === null || line === null
        ? null
        : callsToLine({ trend: [...(calls?.trend ?? [])], current: next.value, line }),
    nextUsd: priceOf(cacheGone === true ? 0 : (promptTokens(usage) ?? 0)),
    coldUsd: priceOf(0),
    cacheGone,
  }
}

/** The last prompt, its answer, and what came behind it. After a compaction it is not known before the next call. */
function nextPrompt(input: StatuslineInput, calls: LastCalls | null): Figure {
  if (calls?.compacted) return UNKNOWN
  const usage = calls?.last?.usage ?? null
  const prompt = promptTokens(usage) ?? input.prompt
  if (prompt === null) return UNKNOWN
  const output = (usage?.outputUnsure ? null : usage?.output) ?? input.output ?? 0
  const since = calls?.since ?? 0
  const sum = prompt + output + since
  return estimated(sum, Math.max(LEAST_ERROR_PCT, Math.ceil((since / sum) * TEXT_ERROR_PCT)))
}

function middleOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}
