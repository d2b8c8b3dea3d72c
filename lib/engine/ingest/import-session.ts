import { SignFold } from '../../core/findings/sign-fold'
import { NO_PRICES } from '../../core/tokens/own-prices'
import type { EntryFact } from '../../core/transcript/entry'
import type { DayTotals } from '../../core/transcript/fold/day-tally'
import { SessionFold } from '../../core/transcript/fold/fold'
import type { FoldStep, SessionTotals } from '../../core/transcript/fold/fold-step'
import type { ToolTotals } from '../../core/transcript/fold/tool-tally'
import type { Bytes } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import { examinedSession } from '../findings/examined-session'
import { frameSetupOf, setupKeyOf } from '../read/frame-setup'
import { withUsage } from '../read/inspect-session'
import type { Cursor, ReadStart, ReadWanted, StoreReader } from '../read/ports'
import { type FindingJudge, isJudged, PLAIN_JUDGE } from './finding-judge'
import { type GrowingSession, type GrowingSessions, positionOf, savedSigns } from './growing-sessions'
import type { ImportCursor, ImportJob, SessionPart } from './ingest-ports'
import { stampOf } from './stamp'

/** How much may go into one transaction. Both are crossed by at most one batch of the reader. */
export type ImportLimits = { readonly rows: number; readonly bytes: Bytes }

/** What is found in sessions while they are imported, and what is kept of those that grow. */
export type ImportJudging = {
  /** null looks for no findings, as a measurement does. */
  readonly judge?: FindingJudge | null
  /** null, where the import is over with its jobs: signs are then written down with each session. */
  readonly growing?: GrowingSessions | null
}

/** Signs of a session that grows are written down after so many entries; an end in between has them made anew. */
const MOST_UNSAVED = 64

/** A part of a session for the database, and what it took to get it. */
export type ImportedPart = { readonly part: SessionPart; readonly bytes: Bytes }

/**
 * Reads what is new in one transcript and folds it, in parts that fit a transaction. Never throws: what cannot be read
 * is a part with a problem. Without news and without change it yields nothing.
 */
export async function* importSession(
  reader: StoreReader,
  job: ImportJob,
  checkpoint: ImportCursor,
  limits: ImportLimits,
  wanted: ReadWanted = {},
  { judge = PLAIN_JUDGE, growing = null }: ImportJudging = {},
): AsyncGenerator<ImportedPart> {
  const { transcript } = job
  if (transcript.problem !== undefined) {
    if (transcript.problem !== checkpoint.problem)
      yield { part: problemPart(job, transcript.problem), bytes: 0 }
    return
  }
  const run = new SessionImport(reader, job, checkpoint, { wanted, judge, growing })
  try {
    for await (const full of run.read(limits)) yield full
  } catch (error) {
    const problem = reasonOf(error)
    const rest = run.takeRest(problem)
    if (rest !== null) yield rest
    return
  }
  yield run.takeLast()
}

/** The import of one transcript, from where its checkpoint is. */
class SessionImport {
  private readonly reader: StoreReader
  private readonly job: ImportJob
  private readonly checkpoint: ImportCursor
  private readonly wanted: ReadWanted
  /** null: nothing is looked for in it. */
  private readonly judge: FindingJudge | null
  private readonly growing: GrowingSessions | null
  private readonly setup
  private readonly setupKey: string
  private fold: SessionFold
  private signs: SignFold | null
  /** The session goes on where it stopped: what was kept of it, or of what was written down. */
  private grows: Pick<GrowingSession, 'unsaved' | 'foundJson'> | null = null
  private cursor: Cursor | null
  private replace: boolean
  /** Entries of a batch are in the fold, but not all of them: nothing may be written now. */
  private midBatch = false
  private days: readonly DayTotals[]
  private tools: readonly ToolTotals[]
  private facts: EntryFact[] = []
  private texts: string[] = []
  private frames: SessionPart['frames'][number][] = []
  private boundaries: SessionPart['boundaries'][number][] = []
  private amended: SessionPart['amended'] = null
  private bytes = 0

  constructor(
    reader: StoreReader,
    job: ImportJob,
    checkpoint: ImportCursor,
    { wanted, judge, growing }: { readonly wanted: ReadWanted } & Required<ImportJudging>,
  ) {
    this.reader = reader
    this.job = job
    this.checkpoint = checkpoint
    this.wanted = wanted
    this.judge = isJudged(job.transcript) ? judge : null
    this.growing = growing
    this.setup = { ...frameSetupOf(job.store, job.transcript), prices: judge?.prices ?? NO_PRICES }
    this.setupKey = setupKeyOf(this.setup)
    const isKnown = checkpoint.fold !== null && checkpoint.setupKey === this.setupKey
    const signs = isKnown ? this.resumedSigns() : null
    const goesOn = isKnown && (this.judge === null || signs !== null)
    this.signs = signs ?? this.newSigns()
    this.cursor = goesOn ? checkpoint.cursor : null
    this.replace = checkpoint.cursor !== null && !goesOn
    this.fold =
      goesOn && checkpoint.fold !== null
        ? SessionFold.resume(checkpoint.fold, this.setup)
        : SessionFold.start(this.setup)
    const { totals } = this.fold.snapshot()
    this.days = totals.days
    this.tools = totals.tools.tools
  }

  async *read(limits: ImportLimits): AsyncGenerator<ImportedPart> {
    const { store, transcript } = this.job
    const onStart = ({ restarted }: ReadStart) => {
      if (restarted) this.startOver()
    }
    const batches = this.reader.read(store, transcript, this.cursor, onStart, {
      ...this.wanted,
      marks: this.signs !== null,
    })
    for await (const batch of batches) {
      this.midBatch = true
      this.bytes += batch.bytesRead
      for (let i = 0; i < batch.facts.length; i++) {
        const fact = batch.facts[i] as EntryFact
        if (!this.take(fact)) {
          this.fold = await this.replay(fact.seq)
          this.take(fact)
        }
        this.texts.push(batch.texts[i] ?? '')
      }
      this.cursor = batch.cursor
      this.midBatch = false
      if (this.facts.length >= limits.rows || this.bytes >= limits.bytes) yield this.takePart(null, null)
    }
  }

  /** The last part: the source was read to its end. */
  takeLast(): ImportedPart {
    return this.takePart(stampOf(this.job.transcript, this.cursor ?? undefined), null)
  }

  /** What is whole when reading failed; null when there is nothing to say that was not said before. */
  takeRest(problem: string): ImportedPart | null {
    if (!this.midBatch && this.facts.length > 0) return this.takePart(null, problem)
    if (problem === this.checkpoint.problem) return null
    return { part: problemPart(this.job, problem), bytes: this.bytes }
  }

  /** False when the fold must see the entries before this one again. */
  private take(fact: EntryFact): boolean {
    const step = this.fold.push(fact)
    const { fact: recorded, frame, boundary, needsHistory, amended } = step
    if (needsHistory) return false
    this.signs?.push(fact, step)
    this.facts.push(recorded ?? fact)
    if (frame !== undefined) this.frames.push(frame)
    if (amended !== undefined) this.amend(amended)
    if (boundary !== undefined) this.boundaries.push(boundary)
    return true
  }

  /** More became known of a call: of this part, or the last one of a part that is written already. */
  private amend({ fact, frame }: NonNullable<FoldStep['amended']>): void {
    const at = this.frames.findLastIndex(({ call }) => call === frame.call)
    const seq = fact.seq - (this.facts[0]?.seq ?? 0)
    const record = this.facts[seq]
    if (record !== undefined) this.facts[seq] = withUsage(record, fact)
    if (at >= 0) this.frames[at] = frame
    else this.amended = { fact, frame }
  }

  /** A fold that has seen all entries before `seq`: what an entry needs that reaches back into history. */
  private async replay(seq: number): Promise<SessionFold> {
    const { store, transcript } = this.job
    const fold = SessionFold.start(this.setup)
    let next = 0
    for await (const batch of this.reader.read(store, transcript, null, () => undefined, { texts: false })) {
      this.bytes += batch.bytesRead
      for (const fact of batch.facts) {
        if (fact.seq >= seq) return fold
        fold.push(fact)
        next = fact.seq + 1
      }
      if (next >= seq) return fold
    }
    throw new Error(`${transcript.path} lost entries while it was read; it will be read again`)
  }

  private newSigns(): SignFold | null {
    return this.judge === null ? null : SignFold.start(this.judge.prices)
  }

  /** Signs up to the very place that the rows reach to: kept in memory, or as they were written down. */
  private resumedSigns(): SignFold | null {
    const { judge, growing } = this
    const { cursor } = this.checkpoint
    if (judge === null || cursor === null) return null
    const kept = growing?.take(this.job.transcript.id, cursor) ?? null
    if (kept !== null) {
      this.grows = kept
      return kept.signs
    }
    const saved = this.checkpoint.readSigns()
    if (saved === null || saved.position !== positionOf(cursor)) return null
    const signs = SignFold.resume(judge.prices, saved.signs)
    if (signs !== null) this.grows = { unsaved: 0, foundJson: '' }
    return signs
  }

  private startOver(): void {
    this.fold = SessionFold.start(this.setup)
    this.signs = this.newSigns()
    this.grows = null
    this.replace = this.checkpoint.cursor !== null
    this.cursor = null
    this.days = []
    this.tools = []
    this.amended = null
  }

  private takePart(stamp: string | null, problem: string | null): ImportedPart {
    const { facts, texts, frames, boundaries, replace, bytes, cursor, amended } = this
    const totals = this.fold.totals()
    const before = new Set<object>([...this.days, ...this.tools])
    const { signsJson, judged } = this.takeSigns(totals, stamp !== null)
    const part: SessionPart = {
      transcript: this.job.transcript,
      replace,
      facts,
      texts,
      frames,
      amended,
      boundaries,
      days: totals.days.filter((day) => !before.has(day)),
      tools: totals.tools.tools.filter((tool) => !before.has(tool)),
      progress:
        cursor === null
          ? null
          : {
              cursor,
              foldJson: JSON.stringify(this.fold.snapshot()),
              setupKey: this.setupKey,
              totals,
              signsJson,
            },
      judged,
      problem,
      stamp,
    }
    this.days = totals.days
    this.tools = totals.tools.tools
    this.replace = false
    this.facts = []
    this.texts = []
    this.frames = []
    this.boundaries = []
    this.amended = null
    this.bytes = 0
    return { part, bytes }
  }

  /**
   * What detectors have gathered, where it is to be written down now, and what is found in all of the source.
   * @param isLast the source was read to its end
   */
  private takeSigns(
    totals: SessionTotals,
    isLast: boolean,
  ): { readonly signsJson: string | null; readonly judged: SessionPart['judged'] } {
    const { signs, cursor, grows, growing } = this
    if (signs === null || cursor === null)
      return { signsJson: null, judged: isLast ? this.judged(totals, false) : null }
    const position = positionOf(cursor)
    if (!isLast || grows === null || growing === null) {
      // In this order: judging settles the last call.
      const signsJson = savedSigns(position, signs)
      this.grows = grows && { ...grows, unsaved: 0 }
      return { signsJson, judged: isLast ? this.judged(totals, false) : null }
    }
    const judged = this.judged(totals, true)
    const foundJson = JSON.stringify(judged?.findings)
    const unsaved = grows.unsaved + this.facts.length
    const isDue = unsaved >= MOST_UNSAVED
    growing.keep(this.job.transcript.id, { position, signs, unsaved: isDue ? 0 : unsaved, foundJson })
    return {
      signsJson: isDue ? savedSigns(position, signs) : null,
      judged: foundJson === grows.foundJson ? null : judged,
    }
  }

  /** What was found in all of the source. The moment does not matter: what is kept must not depend on it. */
  private judged(totals: SessionTotals, goesOn: boolean): SessionPart['judged'] {
    const { judge, signs } = this
    const { store, transcript } = this.job
    if (judge === null || signs === null) return null
    const lineOf = judge.linesOf(store, transcript, totals)
    const known = { totals: () => totals, next: () => this.fold.next() }
    const session = examinedSession(store, transcript, known, lineOf, null)
    return { findings: signs.end(session, goesOn), at: judge.now() }
  }
}

function problemPart(job: ImportJob, problem: string): SessionPart {
  return {
    transcript: job.transcript,
    replace: false,
    facts: [],
    texts: [],
    frames: [],
    amended: null,
    boundaries: [],
    days: [],
    tools: [],
    progress: null,
    judged: null,
    problem,
    stamp: null,
  }
}
