import { hasFailed } from '../../tokens/frame'
import type { SettledCall } from '../settled-call'
import type { EffectScale } from './judge-effect'

/** A quantity of each call that a cured cause makes smaller. */
export type EffectMeasure = {
  readonly name: MeasureName
  /** What a mean of it is, e.g. `prompt tokens per call`. */
  readonly words: string
  /** On which an effect on it is a sum. */
  readonly scale: EffectScale
  /** It depends on how far a session has come since its last compaction, so that calls at like places are compared. */
  readonly grows: boolean
  /** null: the call says nothing of it. */
  readonly of: (call: Pick<SettledCall, 'frame' | 'afterBoundary'>) => number | null
}

export const MEASURE_NAMES = ['prompt', 'sent', 'anew', 'failed', 'compacted'] as const

export type MeasureName = (typeof MEASURE_NAMES)[number]

const PROMPT: EffectMeasure = {
  name: 'prompt',
  words: 'prompt tokens per call',
  ...{ scale: 'log', grows: true },
  of: ({ frame }) => (hasFailed(frame) ? null : frame.total.value),
}

/** All that was sent, wherever a session was in its course: a line that moves changes just that, and a replay foresees it. */
const SENT: EffectMeasure = {
  ...PROMPT,
  name: 'sent',
  ...{ scale: 'linear', grows: false },
}

const ANEW: EffectMeasure = {
  name: 'anew',
  words: 'tokens per call that were not in the cache',
  ...{ scale: 'linear', grows: true },
  of: ({ frame }) =>
    hasFailed(frame) || frame.total.value === null || frame.cacheRead === null
      ? null
      : Math.max(0, frame.total.value - frame.cacheRead),
}

/** One that the user stopped says nothing of the prompt. */
const FAILED: EffectMeasure = {
  name: 'failed',
  words: 'calls refused or cut',
  ...{ scale: 'linear', grows: false },
  of: ({ frame }) =>
    frame.stopReason === 'aborted' ? null : frame.stopReason === 'error' || frame.seenTokens !== null ? 1 : 0,
}

const COMPACTED: EffectMeasure = {
  name: 'compacted',
  words: 'calls behind a compaction',
  ...{ scale: 'linear', grows: false },
  of: ({ afterBoundary }) => (afterBoundary ? 1 : 0),
}

const MEASURES: readonly EffectMeasure[] = [PROMPT, SENT, ANEW, FAILED, COMPACTED]

/** By what each kind of finding that a setting cures is measured again. A kind without one shows in no call. */
const OF_KIND: { readonly [kind: string]: EffectMeasure } = {
  'compaction-frees-nothing': PROMPT,
  'compaction-chain': COMPACTED,
  'compaction-early': COMPACTED,
  'compaction-unprofitable': COMPACTED,
  'overflow-uncompacted': FAILED,
  'provider-cuts-prompt': FAILED,
  'window-wrong': FAILED,
  'cache-expired': ANEW,
  'kept-too-long': PROMPT,
  tuned: SENT,
}

/** @returns null: what the finding is about shows in no call */
export function measureOfKind(kind: string): EffectMeasure | null {
  return Object.hasOwn(OF_KIND, kind) ? (OF_KIND[kind] ?? null) : null
}

export function measureNamed(name: unknown): EffectMeasure | null {
  return MEASURES.find((measure) => measure.name === name) ?? null
}
