import type { Policy } from '../policy/policy'
import { type ContextChunk, scoreChunks } from '../pruning/context-chunks'
import type { DropChunk } from '../pruning/drop-chunk'
import { type DropPolicy, relevanceDrop } from '../pruning/relevance-drop'
import { ChunkIndex } from '../relevance/chunk-index'
import type { Score, Scorer } from '../relevance/score'
import { UseTracker } from '../relevance/use-tracker'
import type { Milliseconds } from '../units/units'
import { type Need, type NeedChunk, needsOf, type Rarity } from './needs/needs'

/** A chunk with what the model wrote in it listed separately. */
export type TrialChunk = ContextChunk & Pick<NeedChunk, 'written'>

/** A moment at which chunks were scored. */
type ScoredMoment = {
  /** Number of the chunk of the call before which it is. */
  readonly before: number
  /** Milliseconds since the epoch; null when the transcript has no times. */
  readonly now: Milliseconds | null
  /** Of the chunks before it. */
  readonly scores: readonly Score[]
}

/** A session made ready for trials: scores and needs are the same for every setting of the thresholds. */
export type PreparedTrial = {
  readonly chunks: readonly TrialChunk[]
  readonly calls: number
  readonly moments: readonly ScoredMoment[]
  readonly needs: readonly Need[]
}

/** What became of the needs of a session, and of its tokens. Tokens are summed over calls. */
export type TrialResult = {
  readonly calls: number
  /** Passes that dropped or summarised something. */
  readonly passes: number
  readonly dropped: number
  readonly summarised: number
  /** With everything kept, and as the setting would have it. */
  readonly tokensAll: number
  readonly tokensSent: number
  /** Weights. `summarised`: the only source was summarised, and whether the summary has it is unknown. */
  readonly needs: { readonly all: number; readonly lost: number; readonly summarised: number }
  /** Weights of needs older than ten calls: the others are met by almost anything. */
  readonly longRange: { readonly all: number; readonly lost: number; readonly summarised: number }
}

export type TrialPolicy = DropPolicy & Pick<Policy, 'relevance' | 'summary' | 'coldStorage'>

/** Every so many calls, and with every new prompt, chunks are scored. */
const STRIDE = 5
/** Older needs are long-range. Calls. */
const LONG_RANGE = 10

/** Scores a session once, at the moments at which a pass can be due. */
export function prepareTrial(chunks: readonly TrialChunk[], scorer: Scorer, rarity: Rarity): PreparedTrial {
  const index = new ChunkIndex([])
  const tracker = new UseTracker()
  const moments: ScoredMoment[] = []
  let calls = 0
  let prompt = ''
  let isNewPrompt = false
  for (const [at, chunk] of chunks.entries()) {
    if (chunk.written !== null) {
      if (calls > 0 && (isNewPrompt || calls % STRIDE === 0)) {
        const { similarity } = index.likeness(prompt)
        const use = tracker.signals(index.likeness(tracker.recentOutput).words)
        const now = chunks.slice(0, at).findLast((one) => one.at !== null)?.at ?? null
        const scored = scoreChunks(chunks.slice(0, at), scorer, { similarity, use, now: now ?? 0 })
        moments.push({ before: at, now, scores: scored.map(({ score }) => score) })
      }
      isNewPrompt = false
      calls += 1
      tracker.addOutput(chunk.output ?? '')
    }
    if (chunk.role === 'user') {
      prompt = chunk.text
      isNewPrompt = true
    }
    index.add(chunk.text)
    tracker.addChunk(chunk.text, chunk.tokens)
  }
  return { chunks, calls, moments, needs: needsOf(chunks, rarity) }
}

/**
 * What a policy would have dropped of a recorded session, what that saves, and which later needs it leaves unmet.
 * The record is held fixed: a model that lacks something would have gone on in another way.
 * @param trigger tokens in the context from which on a pass is due
 */
export function trialDrops(trial: PreparedTrial, policy: TrialPolicy, trigger: number): TrialResult {
  const { chunks, moments, needs } = trial
  const gone = new Int32Array(chunks.length).fill(-1)
  const short = new Int32Array(chunks.length).fill(-1)
  const sizes = chunks.map(({ tokens }) => tokens)
  const due = new Map(moments.map((moment) => [moment.before, moment]))
  let [all, sent, tokensAll, tokensSent, passes, dropped, summarised] = [0, 0, 0, 0, 0, 0, 0]
  for (const [at, chunk] of chunks.entries()) {
    const moment = due.get(at)
    if (moment !== undefined && sent >= trigger) {
      const live = liveAt(chunks, moment, gone, sizes)
      const plan = relevanceDrop({ chunks: live, policy, pass: 'compact', now: moment.now ?? 0, room: null })
      let isAny = false
      for (const [i, { action, tokensAfter }] of plan.decisions.entries()) {
        const place = live[i]?.place
        if (place === undefined || action === 'keep' || (action === 'summarise' && short[place] !== -1))
          continue
        isAny = true
        sent -= (sizes[place] ?? 0) - tokensAfter
        sizes[place] = tokensAfter
        if (action === 'drop') {
          gone[place] = at
          dropped += 1
        } else {
          short[place] = at
          summarised += 1
        }
      }
      if (isAny) passes += 1
    }
    if (chunk.written !== null) {
      tokensAll += all
      tokensSent += sent
    }
    all += chunk.tokens
    sent += sizes[at] ?? 0
  }
  const weights = weigh(chunks, needs, gone, short)
  return { calls: trial.calls, passes, dropped, summarised, tokensAll, tokensSent, ...weights }
}

type PlacedChunk = DropChunk & { readonly place: number }

function liveAt(
  chunks: readonly TrialChunk[],
  { before, scores }: ScoredMoment,
  gone: Int32Array,
  sizes: readonly number[],
): PlacedChunk[] {
  return chunks.slice(0, before).flatMap((chunk, place) => {
    const score = scores[place]
    if (score === undefined || gone[place] !== -1) return []
    return [{ ...chunk, score, place, tokens: sizes[place] ?? chunk.tokens }]
  })
}

function weigh(
  chunks: readonly TrialChunk[],
  needs: readonly Need[],
  gone: Int32Array,
  short: Int32Array,
): Pick<TrialResult, 'needs' | 'longRange'> {
  const none = { all: 0, lost: 0, summarised: 0 }
  const [total, long] = [{ ...none }, { ...none }]
  const callsBefore: number[] = []
  let calls = 0
  for (const { written } of chunks) {
    callsBefore.push(calls)
    if (written !== null) calls += 1
  }
  const isBefore = (when: number | undefined, at: number) => when !== undefined && when !== -1 && when <= at
  for (const { at, sources, weight } of needs) {
    const left = sources.filter((source) => !isBefore(gone[source], at))
    const isWhole = left.some((source) => !isBefore(short[source], at))
    const age = (callsBefore[at] ?? 0) - (callsBefore[sources.at(-1) ?? at] ?? 0)
    for (const sum of age > LONG_RANGE ? [total, long] : [total]) {
      sum.all += weight
      if (left.length === 0) sum.lost += weight
      else if (!isWhole) sum.summarised += weight
    }
  }
  return { needs: total, longRange: long }
}

/** Results of several sessions together. */
export function addResults(results: readonly TrialResult[]): TrialResult {
  const weights = (of: (one: TrialResult) => TrialResult['needs']) => ({
    all: total(results, (one) => of(one).all),
    lost: total(results, (one) => of(one).lost),
    summarised: total(results, (one) => of(one).summarised),
  })
  return {
    calls: total(results, ({ calls }) => calls),
    passes: total(results, ({ passes }) => passes),
    dropped: total(results, ({ dropped }) => dropped),
    summarised: total(results, ({ summarised }) => summarised),
    tokensAll: total(results, ({ tokensAll }) => tokensAll),
    tokensSent: total(results, ({ tokensSent }) => tokensSent),
    needs: weights(({ needs }) => needs),
    longRange: weights(({ longRange }) => longRange),
  }
}

function total(results: readonly TrialResult[], of: (one: TrialResult) => number): number {
  return results.reduce((sum, one) => sum + of(one), 0)
}
