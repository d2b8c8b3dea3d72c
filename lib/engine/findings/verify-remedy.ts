import { type EffectSample, type EffectVerdict, judgeEffect } from '../../core/findings/effect/judge-effect'
import { type EffectMeasure, measureNamed } from '../../core/findings/effect/measures'
import { seededChance } from '../../core/findings/effect/seeded-chance'
import type { Frame } from '../../core/tokens/frame'
import { SessionFold } from '../../core/transcript/fold/fold'
import type { Milliseconds } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import { frameSetupOf } from '../read/frame-setup'
import type { StoreReader } from '../read/ports'
import { type StoredTranscript, sessionsOnce } from '../read/sessions-once'
import type { WatchedRemedy } from './watched-remedy'

/** Calls before a change count back to so long before it: older ones were of other work. */
const BACK: Milliseconds = 14 * 86_400_000
/** A remedy that has made it worse for so long is to be taken back. */
const WORSE_FOR: Milliseconds = 3 * 86_400_000

/** What came of an applied remedy. */
export type RemedyEffect = {
  readonly watched: WatchedRemedy
  readonly measure: Pick<EffectMeasure, 'name' | 'words'> | null
  /** null: what the finding is about shows in no call. */
  readonly verdict: EffectVerdict | null
  /** It was worse three days ago and still is: the command that takes it back. */
  readonly takeBack: readonly string[] | null
  readonly problems: readonly { readonly file: string; readonly problem: string }[]
}

/**
 * Compares the same measure over comparable calls before and after a remedy was applied: of its store, of the agent and
 * the model that the finding concerns, from two weeks before on, until it was taken back.
 */
export async function verifyRemedy(
  { reader, listed }: { readonly reader: StoreReader; readonly listed: readonly StoredTranscript[] },
  watched: WatchedRemedy,
  now: Milliseconds,
): Promise<RemedyEffect> {
  const measure = watched.measure === null ? null : measureNamed(watched.measure)
  if (measure === null) return { watched, measure: null, verdict: null, takeBack: null, problems: [] }
  const from = watched.at - BACK
  const until = watched.undoneAt ?? now
  const samples: EffectSample[] = []
  const problems: { file: string; problem: string }[] = []
  for (const { store, transcript } of sessionsOnce(listed, from)) {
    if (store.id !== watched.storeId || (watched.agent !== null && transcript.agent !== watched.agent))
      continue
    try {
      if (transcript.problem !== undefined) throw new Error(transcript.problem)
      for await (const { frame, value, ...where } of measuredCalls(reader, { store, transcript }, measure)) {
        const { at, model } = frame
        const isComparable = watched.model === null || model === watched.model
        if (at === null || at < from || at > until || !isComparable) continue
        samples.push({ session: transcript.id, kind: sortOf(transcript), at, value, ...where })
      }
    } catch (error) {
      problems.push({ file: transcript.path, problem: reasonOf(error) })
    }
  }
  const before = samples.filter(({ at }) => at < watched.at)
  const after = samples.filter(({ at }) => at >= watched.at)
  const judged = (calls: readonly EffectSample[]) =>
    judgeEffect(before, calls, measure.scale, seededChance(watched.receipt))
  const verdict = judged(after)
  const isWorse =
    verdict.kind === 'worse' &&
    watched.undoneAt === null &&
    judged(after.filter(({ at }) => at <= now - WORSE_FOR)).kind === 'worse'
  return {
    watched,
    measure: { name: measure.name, words: measure.words },
    verdict,
    takeBack: isWorse ? ['plimsoll', 'undo', watched.receipt] : null,
    problems,
  }
}

/** What sort of session one is, as its key names it: polls and jobs are not compared with conversations. */
function sortOf({ key, index }: StoredTranscript['transcript']): string {
  if (index?.spawnedBy !== undefined) return 'subagent'
  return /(?:^|:)(subagent|cron|hook|heartbeat|dashboard)(?::|$)/.exec(key ?? '')?.[1] ?? 'conversation'
}

type OpenCall = { readonly frame: Frame; readonly afterBoundary: boolean } & Pick<
  MeasuredCall,
  'stretch' | 'place'
>

type MeasuredCall = Pick<EffectSample, 'value' | 'stretch' | 'place'> & { readonly frame: Frame }

/** The calls of a session that a measure says something of, in file order. */
async function* measuredCalls(
  reader: StoreReader,
  { store, transcript }: StoredTranscript,
  measure: EffectMeasure,
): AsyncGenerator<MeasuredCall> {
  const fold = SessionFold.start(frameSetupOf(store, transcript))
  // A call may be amended until the next one is there.
  let open: OpenCall | null = null
  let afterBoundary = false
  let [boundaries, since] = [0, 0]
  for await (const { facts } of reader.read(store, transcript, null, () => undefined, { texts: false }))
    for (const fact of facts) {
      const { frame, boundary, amended } = fold.push(fact)
      if (amended !== undefined) open = amend(open, amended.frame)
      if (frame !== undefined) {
        yield* settle(open, measure)
        const place = measure.grows ? [Math.log1p(since), boundaries > 0 ? 1 : 0] : []
        open = { frame, afterBoundary, stretch: `${transcript.id} ${boundaries}`, place }
        afterBoundary = false
        since += 1
      }
      if (boundary === undefined) continue
      if (boundary.kind !== 'reset') afterBoundary = true
      boundaries += 1
      since = 0
    }
  yield* settle(open, measure)
}

function amend(open: OpenCall | null, frame: Frame): OpenCall | null {
  return open?.frame.call === frame.call ? { ...open, frame } : open
}

function settle(open: OpenCall | null, measure: EffectMeasure): MeasuredCall[] {
  const value = open === null ? null : measure.of(open)
  if (open === null || value === null) return []
  const { frame, stretch, place } = open
  return [{ frame, stretch, place, value }]
}
