import path from 'node:path'
import { DriverProcess } from './driver-process'

/** A process that has nothing to do for so long is ended. Milliseconds. */
const IDLE_MS = 30_000
/** Processes that wait for the next question; further ones are ended as soon as they are done. */
const MOST_IDLE = 4

/** Processes of this one, one for each store: none waits for another's database. */
const lanes = new Map<string, Lane>()

/** The lane of a database: those of one store share theirs. */
export function laneOf(file: string): Lane {
  const inStore = /^(.*)[\\/]agents[\\/][^\\/]+[\\/]agent[\\/][^\\/]+$/s.exec(file)
  const store = inStore?.[1] ?? path.dirname(file)
  const known = lanes.get(store)
  if (known !== undefined) return known
  const fresh = new Lane()
  lanes.set(store, fresh)
  return fresh
}

/** One piece of work at a time with a process, which is started when it is needed. */
export class Lane {
  private process: DriverProcess | null = null
  private last: Promise<unknown> = Promise.resolve()
  private running = 0
  private idleSince = 0

  run<T>(work: (process: DriverProcess) => Promise<T>): Promise<T> {
    this.running++
    const result = this.last.then(async () => {
      try {
        if (this.process?.isUsable !== true) this.end()
        this.process ??= Lane.takeIdle() ?? new DriverProcess()
        return await work(this.process)
      } finally {
        this.running--
        this.rest()
      }
    })
    this.last = result.catch(() => undefined)
    return result
  }

  /** Ends the process; the next piece of work gets a new one. */
  end(): void {
    this.process?.end()
    this.process = null
  }

  private rest(): void {
    if (this.running > 0 || this.process === null) return
    this.idleSince = Date.now()
    const since = this.idleSince
    setTimeout(() => {
      if (this.running === 0 && this.idleSince === since) this.end()
    }, IDLE_MS).unref()
    for (const lane of Lane.idle().slice(MOST_IDLE)) lane.end()
  }

  /**
   * Where as many processes wait as may, the one that waited longest, if it holds nothing of its store: it would be ended
   * as soon as one more waits, and starting another takes a tenth of a second of processor time.
   */
  private static takeIdle(): DriverProcess | null {
    const idle = Lane.idle()
    if (idle.length < MOST_IDLE) return null
    const lane = idle.findLast(({ process }) => process?.isUsable === true && process.isFree)
    const taken = lane?.process ?? null
    if (lane !== undefined) lane.process = null
    return taken
  }

  /** Those that have a process and nothing to do, the last to rest first. */
  private static idle(): Lane[] {
    return [...lanes.values()]
      .filter((lane) => lane.running === 0 && lane.process !== null)
      .sort((a, b) => b.idleSince - a.idleSince)
  }
}
