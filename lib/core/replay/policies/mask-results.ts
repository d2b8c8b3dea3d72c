import type { ReplayPolicy } from '../replay-policy'
import type { ReplayWalk } from '../walk/replay-walk'
import { KIND } from '../walk/session-shape'

/** What is in the place of a result that was cleared. Tokens. */
export const MARKER = 12

/** Clears a result, unless the marker would be no shorter. */
export function maskResult(
  walk: ReplayWalk,
  chunk: number,
  rule: 'masked' | 'batch' | 'idle' | 'clear',
): void {
  if (!walk.isWhole(chunk)) return
  // Of a result in blocks one marker is left.
  const marker = walk.session.chunks.block[chunk] === 0 ? MARKER : 0
  if (walk.tokensNow(chunk) > marker) walk.leave(chunk, rule, marker)
}

/** Masks each result once it is so many calls old: a little rewrite for nearly every call. */
export function maskOlder(calls: number): ReplayPolicy {
  return {
    id: `mask-${calls}`,
    label: `Mask results older than ${calls} calls`,
    about: `The text of a tool result is replaced by a marker once it is ${calls} calls old; calls, prose and the user’s words stay.`,
    source: 'observation masking as in “The Complexity Trap” (its window is 10)',
    family: 'mask',
    start: (walk) => {
      let next = 0
      return (call) => {
        const { born, kind } = walk.session.chunks
        for (; next < walk.end && (born[next] as number) <= call - calls; next++)
          if (kind[next] === KIND.result) maskResult(walk, next, 'masked')
      }
    },
  }
}

/** What a batched mask goes by. Tokens of results. */
type Batch = { readonly protect: number; readonly least: number }

/** Masks old results in one go: those behind the newest `protect` tokens of results, once they are `least` together. */
export function maskInBatches(id: string, label: string, batch: Batch, source: string): ReplayPolicy {
  return {
    id,
    label,
    about: `Once tool results behind the newest ${batch.protect} tokens of results come to ${batch.least} tokens, all of them are replaced by markers at once.`,
    source,
    family: 'mask',
    start: (walk) => batchStep(walk, batch),
  }
}

function batchStep(walk: ReplayWalk, { protect, least }: Batch) {
  let masked = 0
  let next = 0
  /** Tokens of the results from `masked` on, and of those from `kept` on; `kept` is the oldest that is protected. */
  let [waiting, kept, keptTokens] = [0, 0, 0]
  return () => {
    const { kind, tokens } = walk.session.chunks
    for (; next < walk.end; next++) if (kind[next] === KIND.result) keptTokens += tokens[next] as number
    while (kept < next && keptTokens > protect) {
      const size = kind[kept] === KIND.result ? (tokens[kept] as number) : 0
      if (keptTokens - size < protect) break
      keptTokens -= size
      waiting += size
      kept += 1
    }
    if (waiting < least) return
    for (; masked < kept; masked++) if (kind[masked] === KIND.result) maskResult(walk, masked, 'batch')
    waiting = 0
  }
}

/** Keeps what user and agent said word for word, and a marker for every result but those of the newest turn. */
export const WORDS_ONLY: ReplayPolicy = {
  id: 'words-only',
  label: 'Words of user and agent, markers for results',
  about:
    'With each new message of the user the results of the turns before it are replaced by markers; what user and agent said, and the calls, stay word for word.',
  source: 'a form of compaction that several harnesses ship: the dialogue verbatim, tool output elided',
  family: 'mask',
  start: (walk) => {
    let next = 0
    return () => {
      const { turn, kind } = walk.session.chunks
      const newest = turn[walk.end - 1] ?? 0
      for (; next < walk.end && (turn[next] as number) < newest; next++)
        if (kind[next] === KIND.result) maskResult(walk, next, 'masked')
    }
  },
}
