import * as z from 'zod'
import { REPLAY_VERSION } from '../../core/replay/replay-session'
import type { TuneState } from '../../core/replay/tune/tune-state'
import { isObject } from '../../core/transcript/json'

/** Raise it with every change of what a state of the tuner means: a saved one is then not gone on with. */
const TUNE_VERSION = 1

/** How far a tuning came. Plain JSON. */
export type TuneProgress = {
  /** What the state was made with: versions and prices. */
  readonly version: string
  readonly state: TuneState
}

// A saved state is one that this very version saved: versions are compared before it is used.
const TUNE_PROGRESS: z.ZodType<TuneProgress> = z.object({
  version: z.string(),
  state: z.custom<TuneState>(isObject),
})

/** @param prices which list prices are of, and a mark of the operator's own */
export function progressOf(state: TuneState, prices: string): TuneProgress {
  return { version: versionOf(prices), state }
}

/**
 * Where a tuning goes on: where the saved one was, if it was of the same sessions, draft, prices and versions; else at
 * its beginning.
 * @param begun the state at the beginning
 * @param saved as it was kept; anything else is as good as nothing
 */
export function resumedState(begun: TuneState, saved: unknown, prices: string): TuneState {
  const read = TUNE_PROGRESS.safeParse(saved)
  if (!read.success || read.data.version !== versionOf(prices)) return begun
  const { state } = read.data
  const isSame = (['ask', 'sessions', 'split'] as const).every(
    (part) => JSON.stringify(state[part]) === JSON.stringify(begun[part]),
  )
  return isSame ? state : begun
}

function versionOf(prices: string): string {
  return `${REPLAY_VERSION} ${TUNE_VERSION} ${prices}`
}
