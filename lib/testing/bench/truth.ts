import type { FrameSetup } from '../../core/tokens/build-frame'
import { charsOverFour } from '../../core/tokens/estimate'
import { reportedPrompt } from '../../core/tokens/usage'
import { Branches } from '../../core/transcript/branches'
import { contextOfCall, isBoundary, isCall } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { SessionFold } from '../../core/transcript/fold'
import { readLine } from '../../core/transcript/read-line'
import { median, quantile } from './report'

/** A transcript to judge by: its lines, and what the runtime said about its session. */
export type TruthTranscript = {
  readonly lines: readonly string[]
  readonly setup: FrameSetup
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
 * prompt grew by 50 tokens or more; only what stood in the transcript before the call is used. Calls that
 * fail or are aborted report partial usage and are no pairs.
 */
export function measureTruth(transcripts: readonly TruthTranscript[]): Truth[] {
  const byModel = new Map<string, Samples>()
  for (const transcript of transcripts) {
    const facts = factsOf(transcript.lines)
    const plain = plainTotals(transcript.lines, transcript.setup.runtime)
    predictNext(facts, transcript.setup, plain, byModel)
    estimateBlind(facts, transcript.setup, plain, byModel)
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

function predictNext(
  facts: readonly EntryFact[],
  setup: FrameSetup,
  plain: ReadonlyMap<number, number>,
  byModel: Map<string, Samples>,
): void {
  const fold = SessionFold.start(setup)
  let before: { readonly fact: EntryFact; readonly total: number } | null = null
  let imagesBetween = 0
  for (const fact of facts) {
    const total = isCall(fact) ? reportedPrompt(fact) : null
    if (total !== null) {
      const grown = before === null ? 0 : total - before.total
      if (
        before !== null &&
        before.fact.model === fact.model &&
        grown >= LEAST_GROWTH &&
        imagesBetween === 0
      ) {
        const predicted = fold.next().total.value ?? 0
        const samples = samplesOf(byModel, fact)
        samples.growth.push(Math.abs(predicted - total) / grown)
        samples.total.push(Math.abs(predicted - total) / total)
        const plainGrown = (plain.get(fact.seq) ?? 0) - (plain.get(before.fact.seq) ?? 0)
        samples.plainGrowth.push(Math.abs(plainGrown - grown) / grown)
      }
      before = { fact, total }
      imagesBetween = 0
    }
    if (isBoundary(fact)) before = null
    imagesBetween += fact.images ?? 0
    fold.push(fact)
  }
}

function estimateBlind(
  facts: readonly EntryFact[],
  setup: FrameSetup,
  plain: ReadonlyMap<number, number>,
  byModel: Map<string, Samples>,
): void {
  const fold = SessionFold.start(setup)
  for (const fact of facts) {
    const { frame } = fold.push(fact.usage == null ? fact : { ...fact, usage: null })
    const total = isCall(fact) ? reportedPrompt(fact) : null
    if (frame === undefined || total === null) continue
    const samples = samplesOf(byModel, fact)
    samples.blindTotal.push(Math.abs((frame.total.value ?? 0) - total) / total)
    samples.plainTotal.push(Math.abs((plain.get(fact.seq) ?? 0) - total) / total)
  }
}

function factsOf(lines: readonly string[], estimate?: (text: string) => number): EntryFact[] {
  return lines.map(
    (line, seq) => readLine(line, { seq, line: seq + 1, offset: 0, bytes: line.length }, estimate).fact,
  )
}

/** chars/4 of all visible text in the context of each call, by the call's sequence number. */
function plainTotals(lines: readonly string[], sender: FrameSetup['runtime']): Map<number, number> {
  const branches = new Branches()
  const totals = new Map<number, number>()
  for (const fact of factsOf(lines, charsOverFour)) {
    branches.add(fact)
    if (!isCall(fact)) continue
    let sum = 0
    for (const { fact: entry } of contextOfCall(branches, fact.seq, sender)) {
      for (const units of Object.values(entry.units ?? {})) sum += units ?? 0
    }
    totals.set(fact.seq, sum)
  }
  return totals
}

function samplesOf(byModel: Map<string, Samples>, fact: EntryFact): Samples {
  const key = fact.model ?? 'unknown'
  const known = byModel.get(key)
  if (known !== undefined) return known
  const fresh: Samples = { growth: [], plainGrowth: [], total: [], blindTotal: [], plainTotal: [] }
  byModel.set(key, fresh)
  return fresh
}
