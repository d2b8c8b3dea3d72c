import { DEFAULT_LIMITS } from '../../adapters/jsonl/read-jsonl'
import { translateLine } from '../../adapters/jsonl/translate-line'
import type { FrameSetup } from '../../core/tokens/build-frame'
import { charsOverFour, estimateUnits, type TextEstimator } from '../../core/tokens/estimate'
import { reportedPrompt } from '../../core/tokens/usage'
import { Branches } from '../../core/transcript/branches'
import { contextOfCall, isBoundary } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { SessionFold } from '../../core/transcript/fold/fold'
import { readLine } from '../../core/transcript/reading/read-line'
import type { Translate } from '../../core/transcript/reading/translated'
import { median, quantile } from './report'

/** A transcript to judge by: its lines, and what the runtime said about its session. */
export type TruthTranscript = {
  readonly lines: readonly string[]
  readonly setup: FrameSetup
  /** How lines become entries, of another runtime than pi and OpenClaw. */
  readonly translate?: Translate
}

/**
 * How far our figures are from the reported ones, for one model; each error is a share (0.04 = 4 %). `plain…` is the
 * same for chars/4 over the visible text. NaN where nothing could be compared.
 */
export type Truth = {
  readonly model: string
  /** Calls that were predicted from the one before. */
  readonly pairs: number
  /** Error of the growth in relation to the growth. */
  readonly growth: number
  readonly plainGrowth: number
  /** Error of the total in relation to the total: the middle one and the 95th percentile. */
  readonly total: number
  readonly totalP95: number
  /** Calls whose total was estimated as if no provider had ever reported anything. */
  readonly blind: number
  readonly blindTotal: number
  readonly plainTotal: number
}

/** Smaller growth is left out: a few tokens of framing are then most of it. */
const LEAST_GROWTH = 50

type Samples = {
  growth: number[]
  plainGrowth: number[]
  total: number[]
  blindTotal: number[]
  plainTotal: number[]
}

/**
 * Compares what the fold says with what providers reported, over all transcripts, by model. A call is predicted from
 * the one before where both are of the same model and segment, both were reported, no image came in between, and the
 * prompt grew by 50 tokens or more; only what was in the transcript before the call is used. Calls that
 * fail or are aborted report partial usage and are no pairs.
 */
export function measureTruth(transcripts: readonly TruthTranscript[]): Truth[] {
  const byModel = new Map<string, Samples>()
  for (const transcript of transcripts) {
    const facts = factsOf(transcript, estimateUnits)
    const calls = predictedCalls(facts, transcript.setup)
    const plain = plainTotals(factsOf(transcript, charsOverFour), calls, transcript.setup.runtime)
    comparePairs(calls, plain, byModel)
    estimateBlind(facts, transcript.setup, calls, plain, byModel)
  }
  return [...byModel].map(([model, s]) => ({
    model,
    pairs: s.growth.length,
    growth: median(s.growth),
    plainGrowth: median(s.plainGrowth),
    total: median(s.total),
    totalP95: quantile(s.total, 0.95),
    blind: s.blindTotal.length,
    blindTotal: median(s.blindTotal),
    plainTotal: median(s.plainTotal),
  }))
}

/** A call whose prompt was reported, and what was expected just before its answer came. Tokens. */
type PredictedCall = {
  readonly seq: number
  model: string
  total: number | null
  readonly predicted: number
  /** It cannot be compared with the call before: another segment, or an image between them. */
  readonly isApart: boolean
}

/** All calls of a transcript in order; what their runtime reports late is waited for. */
function predictedCalls(facts: readonly EntryFact[], setup: FrameSetup): PredictedCall[] {
  const fold = SessionFold.start(setup)
  const calls: PredictedCall[] = []
  let isApart = false
  for (const fact of facts) {
    const predicted = fact.role === 'assistant' ? (fold.next().total.value ?? 0) : 0
    const { frame, amended, fact: recorded = fact } = fold.push(fact)
    if (isBoundary(fact) || (fact.images ?? 0) > 0) isApart = true
    if (frame !== undefined) {
      const { seq, model } = frame
      calls.push({ seq, model: model ?? 'unknown', total: reportedPrompt(recorded), predicted, isApart })
      isApart = false
    }
    const last = calls.at(-1)
    if (amended === undefined || last?.seq !== amended.frame.seq) continue
    last.total = reportedPrompt(amended.fact)
    last.model = amended.frame.model ?? last.model
  }
  return calls.filter(({ total }) => total !== null)
}

function comparePairs(
  calls: readonly PredictedCall[],
  plain: ReadonlyMap<number, number>,
  byModel: Map<string, Samples>,
): void {
  for (const [i, call] of calls.entries()) {
    const before = calls[i - 1]
    const total = call.total ?? 0
    const grown = total - (before?.total ?? total)
    if (before === undefined || call.isApart || before.model !== call.model || grown < LEAST_GROWTH) continue
    const samples = samplesOf(byModel, call.model)
    samples.growth.push(Math.abs(call.predicted - total) / grown)
    samples.total.push(Math.abs(call.predicted - total) / total)
    const plainGrown = (plain.get(call.seq) ?? 0) - (plain.get(before.seq) ?? 0)
    samples.plainGrowth.push(Math.abs(plainGrown - grown) / grown)
  }
}

function estimateBlind(
  facts: readonly EntryFact[],
  setup: FrameSetup,
  calls: readonly PredictedCall[],
  plain: ReadonlyMap<number, number>,
  byModel: Map<string, Samples>,
): void {
  const fold = SessionFold.start(setup)
  const totals = new Map(calls.map(({ seq, total, model }) => [seq, { total: total ?? 0, model }]))
  for (const fact of facts) {
    if (fact.type === 'usage') continue
    const { frame } = fold.push(fact.usage == null ? fact : { ...fact, usage: null })
    const known = frame === undefined ? undefined : totals.get(frame.seq)
    if (frame === undefined || known === undefined) continue
    const samples = samplesOf(byModel, known.model)
    samples.blindTotal.push(Math.abs((frame.total.value ?? 0) - known.total) / known.total)
    samples.plainTotal.push(Math.abs((plain.get(frame.seq) ?? 0) - known.total) / known.total)
  }
}

function factsOf({ lines, translate }: TruthTranscript, estimate: TextEstimator): EntryFact[] {
  const facts: EntryFact[] = []
  for (const [i, line] of lines.entries()) {
    const place = { seq: facts.length, line: i + 1, offset: 0, bytes: line.length }
    const read =
      translate === undefined
        ? [readLine(line, place, estimate)]
        : translateLine({ translate, ofAgent: false }, line, place, { ...DEFAULT_LIMITS, estimate })
    facts.push(...read.map(({ fact }) => fact))
  }
  return facts
}

/** chars/4 of all visible text in the context of each call, by the call's sequence number. */
function plainTotals(
  facts: readonly EntryFact[],
  calls: readonly PredictedCall[],
  sender: FrameSetup['runtime'],
): Map<number, number> {
  const branches = new Branches()
  for (const fact of facts) branches.add(fact)
  return new Map(
    calls.map(({ seq }) => {
      let sum = 0
      for (const { fact: entry } of contextOfCall(branches, seq, sender)) {
        for (const units of Object.values(entry.units ?? {})) sum += units ?? 0
      }
      return [seq, sum]
    }),
  )
}

function samplesOf(byModel: Map<string, Samples>, key: string): Samples {
  const known = byModel.get(key)
  if (known !== undefined) return known
  const fresh: Samples = { growth: [], plainGrowth: [], total: [], blindTotal: [], plainTotal: [] }
  byModel.set(key, fresh)
  return fresh
}
