import { type Frame, hasFailed } from '../tokens/frame'
import type { Usage } from '../transcript/entry'
import type { Milliseconds, Tokens } from '../units/units'
import type { CacheFit } from './replay-session'

/** A call with what its provider reported. `segment` changes with every compaction. */
export type CachedCall = {
  readonly usage: Usage | null
  readonly frame: Frame | null
  readonly segment: number
}

/** OpenAI caches from so many tokens on, and in steps of so many. */
const OPENAI = { floor: 1_024, step: 128 }
/** Anthropic's smallest prefix that is cached is between 512 and 4,096 tokens, by model. */
const ANTHROPIC = { floor: 1_024, step: 1 }
const NEAR = 0.05

/** What a call read from the cache and wrote to it: as recorded, or as it follows from the calls before it. */
export type CacheUse = { readonly read: Tokens; readonly written: Tokens }

/** What a session's cache goes by: what every prompt begins with, and how long it lives. */
export type CacheSetting = { readonly fixed: Tokens; readonly life: Milliseconds }

/** The cache of a call as an append-only prompt would have it; null: nothing can be said of it. */
export function expectedUse(
  before: CachedCall | null,
  call: CachedCall,
  { fixed, life }: CacheSetting,
): CacheUse | null {
  const { usage, frame } = call
  if (usage === null || frame === null || before?.frame == null || before.usage === null) return null
  if (hasFailed(frame) || hasFailed(before.frame)) return null
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  if (prompt <= 0) return null
  const read = expectedRead(before, before.usage, call, frame, { fixed, life }, prompt)
  // A provider without a price for writes reports none.
  const isWriter = before.usage.cacheWrite > 0 || usage.cacheWrite > 0
  return { read, written: isWriter ? Math.max(0, prompt - read - usage.input) : 0 }
}

function expectedRead(
  before: CachedCall,
  beforeUsage: Usage,
  call: CachedCall,
  frame: Frame,
  { fixed, life }: CacheSetting,
  prompt: Tokens,
): Tokens {
  const last = before.frame as Frame
  if (last.model !== frame.model || last.provider !== frame.provider) return 0
  const writes = beforeUsage.cacheWrite > 0 || (call.usage?.cacheWrite ?? 0) > 0
  const rules = writes ? ANTHROPIC : OPENAI
  if (last.at !== null && frame.at !== null && frame.at - last.at > life) return 0
  // What is behind the last mark of the cache was sent, and not cached.
  const cached = writes
    ? beforeUsage.cacheRead + beforeUsage.cacheWrite
    : beforeUsage.input + beforeUsage.cacheRead
  const common = before.segment === call.segment ? cached : Math.min(cached, fixed)
  const read = Math.min(common, prompt)
  if (read < rules.floor) return 0
  return read - (read % rules.step)
}

/** Compares the recorded use of the cache with what follows from the calls and their times. */
export function fitCache(calls: readonly CachedCall[], setting: CacheSetting): CacheFit {
  const hasCache = calls.some(({ usage }) => usage !== null && usage.cacheRead + usage.cacheWrite > 0)
  let [matched, compared, paid, expected, written, expectedWritten] = [0, 0, 0, 0, 0, 0]
  for (let i = 1; i < calls.length && hasCache; i++) {
    const call = calls[i] as CachedCall
    const use = expectedUse(calls[i - 1] as CachedCall, call, setting)
    if (use === null || call.usage === null) continue
    const { input, cacheRead, cacheWrite } = call.usage
    const prompt = input + cacheRead + cacheWrite
    compared += 1
    if (Math.abs(use.read - cacheRead) <= Math.max(NEAR * Math.max(cacheRead, use.read), OPENAI.step))
      matched += 1
    paid += costOf(prompt, { read: cacheRead, written: cacheWrite })
    expected += costOf(prompt, use)
    written += cacheWrite
    expectedWritten += use.written
  }
  const ratio = (a: number, b: number) => (b > 0 ? Math.round((1_000 * a) / b) / 1_000 : null)
  return {
    matched,
    compared,
    money: ratio(expected, paid),
    rewrites: written > 0 ? ratio(written, expectedWritten) : null,
  }
}

/** In fresh input tokens: what is read costs a tenth, what is written a quarter more. */
function costOf(prompt: Tokens, { read, written }: CacheUse): number {
  return prompt - read - written + 0.1 * read + 1.25 * written
}
