import type { Milliseconds } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import type { JobContext, JobKind, JobKinds, JobOutcome, JobPorts, JobRow, Json } from './job-ports'
import { Lanes } from './lanes'

/** Progress is kept no more often than this. Milliseconds. */
const SAVE_MS = 150
/** The end of a job is tried to be kept for so long, with pauses that grow up to this. Milliseconds. */
const [END_TRIED_MS, END_WAIT_MS] = [600_000, 5_000]

/** What an order to cancel met. `elsewhere`: a job of another process, which only that one can stop. */
export type CancelResult = 'cancelling' | 'ended' | 'elsewhere'

/**
 * Runs long work in this process: one job at a time in each lane, at most so many at once. Every change of a job is
 * kept, so that a later reader in any process sees how far it is and what came of it.
 */
export class JobRunner<M extends { readonly [K in keyof M]: Json }> {
  private readonly lanes: Lanes
  private readonly running = new Map<string, RunningJob>()

  constructor(
    private readonly ports: JobPorts,
    private readonly kinds: JobKinds<M>,
    atOnce: number,
  ) {
    this.lanes = new Lanes(atOnce)
  }

  /** Begins a job, or lines it up. Answers once it is kept; it goes on in the background. */
  async start<K extends keyof M & string>(kind: K, params: M[K]): Promise<JobRow> {
    const work = this.kinds[kind]
    const subject = work.describe(params)
    if (work.joins === true) {
      for (const { row } of this.running.values())
        if (row.kind === kind && row.lane === subject.lane) return row
    }
    const { clock, ids, processes } = this.ports
    const now = clock.now()
    const job = new RunningJob(this.ports, {
      ...subject,
      id: ids.job(now),
      kind,
      params,
      state: 'waiting',
      done: 0,
      of: null,
      doing: 'Waiting for its turn',
      receipt: null,
      message: null,
      result: null,
      process: processes.own,
      createdAt: now,
      startedAt: null,
      endedAt: null,
    })
    this.running.set(job.row.id, job)
    try {
      await job.save()
    } catch (error) {
      // It would be invisible, and nothing could stop it.
      this.running.delete(job.row.id)
      throw error
    }
    void this.carry(job, work, params)
    return job.row
  }

  /** Asks a job to stop. One that has only waited is over at once; one that runs stops where it can. */
  async cancel(id: string): Promise<CancelResult> {
    const job = this.running.get(id)
    if (job !== undefined) {
      await job.cancel()
      return 'cancelling'
    }
    const others = await this.ports.rows.unfinished()
    return others.some((row) => row.id === id) ? 'elsewhere' : 'ended'
  }

  /** The job as it ended, once it has; null when it is none of this process, or has ended before. */
  async whenEnded(id: string): Promise<JobRow | null> {
    return (await this.running.get(id)?.ended) ?? null
  }

  /** Says of jobs whose process is gone that they were interrupted; for the start of a process. */
  async settle(): Promise<readonly JobRow[]> {
    const { clock, rows, processes } = this.ports
    const lost = (await rows.unfinished()).filter(
      ({ id, process }) =>
        !this.running.has(id) && (process === processes.own || !processes.isAlive(process)),
    )
    const settled = lost.map((job): JobRow => ({ ...job, ...INTERRUPTED, endedAt: clock.now() }))
    for (const job of settled) await rows.put(job)
    return settled
  }

  private async carry<P extends Json>(job: RunningJob, work: JobKind<P>, params: P): Promise<void> {
    try {
      await this.lanes.run(job.row.lane, () => job.run((context) => work.run(params, context)), {
        signal: job.signal,
      })
    } catch {
      // It was cancelled before its turn came, and says so already.
    } finally {
      this.running.delete(job.row.id)
    }
  }
}

const INTERRUPTED = {
  state: 'interrupted',
  message: 'The process that ran it ended before the job did.',
} as const

/** A job of this process, from its start to its end. */
class RunningJob {
  private readonly stop = new AbortController()
  readonly ended: Promise<JobRow>
  private readonly tellEnded: (row: JobRow) => void
  private saving: Promise<void> = Promise.resolve()
  private savedAt = 0
  private later: ReturnType<typeof setTimeout> | null = null

  constructor(
    private readonly ports: JobPorts,
    public row: JobRow,
  ) {
    let tell: (row: JobRow) => void = () => undefined
    this.ended = new Promise((resolve) => {
      tell = resolve
    })
    this.tellEnded = tell
  }

  get signal(): AbortSignal {
    return this.stop.signal
  }

  async cancel(): Promise<void> {
    this.stop.abort()
    if (this.row.state === 'waiting') {
      await this.end({ kind: 'stopped', message: 'Cancelled before its turn came; nothing was changed.' })
    } else if (this.row.state === 'running') {
      this.row = { ...this.row, doing: 'Stopping …' }
      await this.save()
    }
  }

  async run(work: (context: JobContext) => Promise<JobOutcome>): Promise<void> {
    this.row = { ...this.row, state: 'running', doing: 'Starting', startedAt: this.ports.clock.now() }
    this.saveSoon()
    const context: JobContext = {
      signal: this.signal,
      report: (progress) => {
        if (this.signal.aborted || this.row.state !== 'running') return
        this.row = { ...this.row, ...progress }
        this.saveSoon()
      },
      underReceipt: async (receipt) => {
        this.row = { ...this.row, receipt }
        await this.save()
      },
    }
    await this.end(await outcomeOf(() => work(context), this.signal))
  }

  /** Keeps the job as it is now, after what is being kept. */
  save(): Promise<void> {
    if (this.later !== null) clearTimeout(this.later)
    this.later = null
    this.savedAt = this.ports.clock.now()
    const put = () => this.ports.rows.put(this.row)
    const saved = this.saving.then(put)
    this.saving = saved.catch(() => undefined)
    return saved
  }

  private saveSoon(): void {
    if (this.later !== null) return
    const wait = this.savedAt + SAVE_MS - this.ports.clock.now()
    const save = () => {
      // A database that is busy for a moment is no reason to end the work; the next progress is kept again.
      this.save().catch(() => undefined)
    }
    if (wait <= 0) save()
    else this.later = setTimeout(save, wait)
  }

  private async end(outcome: Ending): Promise<void> {
    const { row } = this
    const endedAt = this.ports.clock.now()
    const ended = { ...row, message: outcome.message, endedAt }
    switch (outcome.kind) {
      case 'done':
        this.row = {
          ...ended,
          state: 'done',
          done: row.of ?? row.done,
          receipt: outcome.receipt,
          result: outcome.result ?? null,
        }
        break
      case 'stopped':
        this.row = { ...ended, state: 'cancelled' }
        break
      default:
        this.row = { ...ended, state: outcome.kind }
    }
    const isKept = await this.save().then(
      () => true,
      () => false,
    )
    this.tellEnded(this.row)
    if (!isKept) void this.keepEnd()
  }

  /** A job whose end is not kept would look as if it went on: it is tried again until the database takes it. */
  private async keepEnd(): Promise<void> {
    for (let wait = SAVE_MS, waited = 0; waited < END_TRIED_MS; wait = Math.min(2 * wait, END_WAIT_MS)) {
      await pause(wait)
      waited += wait
      try {
        return await this.save()
      } catch {
        // Still busy, or full.
      }
    }
  }
}

function pause(ms: Milliseconds): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    // It keeps no process alive that has nothing else to do: the next one says that the job was interrupted.
    if (typeof timer === 'object') timer.unref()
  })
}

type Ending = JobOutcome | { readonly kind: 'failed'; readonly message: string }

async function outcomeOf(work: () => Promise<JobOutcome>, signal: AbortSignal): Promise<Ending> {
  try {
    return await work()
  } catch (error) {
    const message = reasonOf(error)
    return signal.aborted ? { kind: 'stopped', message: 'Cancelled.' } : { kind: 'failed', message }
  }
}
