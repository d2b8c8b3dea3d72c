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
        this.process ??= new DriverProcess()
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
    const idle = [...lanes.values()].filter((lane) => lane.running === 0 && lane.process !== null)
    idle.sort((a, b) => b.idleSince - a.idleSince)
    for (const lane of idle.slice(MOST_IDLE)) lane.end()
  }
}
