import { type Frame, hasFailed } from '../tokens/frame'
import { costOf } from '../tokens/prices'
import { promptTokens } from '../tokens/usage'
import type { Usage } from '../transcript/entry'
import type { Milliseconds, Tokens } from '../units/units'
import type { CacheFit } from './replay-session'

/** A call with what its provider reported. `segment` changes with every compaction. */
export type CachedCall = {
  readonly usage: Usage | null
  readonly frame: Frame | null
  readonly segment: number
}

/** What a session's cache goes by: what every prompt begins with, and how long it lives after it was used. */
export type CacheSetting = { readonly fixed: Tokens; readonly life: Milliseconds }

/** OpenAI caches from so many tokens on, and in steps of so many. */
const OPENAI = { floor: 1_024, step: 128 }
/** Anthropic's smallest prefix that is cached is between 512 and 4,096 tokens, by model. */
const ANTHROPIC = { floor: 1_024, step: 1 }
/** A read is reproduced when it is no further off than this share of it, or than a step. */
const NEAR = 0.05
/** What is read from a cache and written to it costs where no list says, in fresh tokens. */
const [READ, WRITE] = [0.1, 1.25]

/** What a provider has cached of a session. */
type Cached = {
  readonly tokens: Tokens
  readonly provider: string | null
  readonly model: string | null
  readonly at: Milliseconds | null
  readonly segment: number
}

/**
 * Compares the recorded use of the cache with what follows from the calls and their times, if every prompt began as the
 * one before it: what was sent is read again, unless it is too old or of another model; after a compaction only what is
 * before the conversation is. Cold starts are taken from the record: they follow from nothing else in it.
 */
export function fitCache(calls: readonly CachedCall[], setting: CacheSetting): CacheFit {
  const writes = calls.some(({ usage }) => usage !== null && usage.cacheWrite > 0)
  const reads = calls.some(({ usage }) => usage !== null && usage.cacheRead > 0)
  let cached: Cached | null = null
  const [bill, alone] = [new Bill(), new Bill()]
  let [matched, compared, written, expectedWritten] = [0, 0, 0, 0]
  const coldStarts: number[] = []
  for (const [call, { usage, frame, segment }] of (writes || reads ? calls : []).entries()) {
    const prompt = promptTokens(usage)
    // A call that failed says nothing of what it found in the cache.
    if (usage === null || frame === null || prompt === null || hasFailed(frame)) continue
    if (cached !== null) {
      const kept = Math.min(prompt, readable(cached, frame, segment, setting, writes))
      compared += 1
      const near = Math.max(NEAR * Math.max(usage.cacheRead, kept), OPENAI.step)
      const isMatched = Math.abs(kept - usage.cacheRead) <= near
      if (isMatched) matched += 1
      const isCold = !isMatched && isColdStart(usage, cached.segment === segment, setting, writes)
      if (isCold) coldStarts.push(call)
      const expected = expectedUsage(usage, prompt, isCold ? 0 : kept, writes)
      bill.add(usage, expected, frame)
      alone.add(usage, isCold ? expectedUsage(usage, prompt, kept, writes) : expected, frame)
      written += usage.cacheWrite
      expectedWritten += expected.cacheWrite
    }
    const { provider, model, at } = frame
    // What is behind the last mark of the cache was sent, and not cached.
    const tokens = writes ? usage.cacheRead + usage.cacheWrite : prompt
    cached = { tokens, provider, model, at, segment }
  }
  return {
    matched,
    compared,
    money: bill.ratio,
    moneyByTimes: alone.ratio,
    rewrites: written > 0 ? ratioOf(written, expectedWritten) : null,
    coldStarts,
  }
}

/**
 * Whether a call read nothing, not even what is before the conversation, where that is large enough to be cached by
 * itself: it had changed, or the cache was gone. No policy changes that, so none would have read anything there.
 */
function isColdStart(
  { cacheRead }: Usage,
  isSameSegment: boolean,
  { fixed }: CacheSetting,
  writes: boolean,
): boolean {
  return cacheRead === 0 && isSameSegment && fixed >= (writes ? ANTHROPIC : OPENAI).floor
}

function expectedUsage(usage: Usage, prompt: Tokens, cacheRead: Tokens, writes: boolean): Usage {
  const rest = prompt - cacheRead
  const input = writes ? Math.min(usage.input, rest) : rest
  return { ...usage, cacheRead, input, cacheWrite: rest - input }
}

function readable(
  cached: Cached,
  { provider, model, at }: Frame,
  segment: number,
  { fixed, life }: CacheSetting,
  writes: boolean,
): Tokens {
  if (cached.model !== model || cached.provider !== provider) return 0
  if (cached.at !== null && at !== null && at - cached.at > life) return 0
  const { floor, step } = writes ? ANTHROPIC : OPENAI
  const common = cached.segment === segment ? cached.tokens : Math.min(cached.tokens, fixed)
  return common < floor ? 0 : common - (common % step)
}

/** What prompts cost as recorded and as expected: at list prices where all of them have one, else by usual ratios. */
class Bill {
  #listed: { paid: number; expected: number } | null = { paid: 0, expected: 0 }
  readonly #units = { paid: 0, expected: 0 }

  add(paid: Usage, expected: Usage, call: Frame): void {
    this.#units.paid += unitsOf(paid)
    this.#units.expected += unitsOf(expected)
    const [one, other] = [listedOf(paid, call), listedOf(expected, call)]
    if (this.#listed === null || one === null || other === null) {
      this.#listed = null
      return
    }
    this.#listed.paid += one
    this.#listed.expected += other
  }

  get ratio(): number | null {
    const { paid, expected } = this.#listed ?? this.#units
    return ratioOf(expected, paid)
  }
}

function listedOf(usage: Usage, call: Frame): number | null {
  return costOf({ ...usage, output: 0, costUsd: null }, call).listed.value
}

function unitsOf({ input, cacheRead, cacheWrite }: Usage): number {
  return input + READ * cacheRead + WRITE * cacheWrite
}

/** In thousandths; null: nothing to compare with. */
function ratioOf(a: number, b: number): number | null {
  return b > 0 ? Math.round((1_000 * a) / b) / 1_000 : null
}
