import type { Milliseconds } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import type { Clock } from '../read/ports'

/**
 * When stores as a whole are judged. A lock is left behind, and a transcript comes due, without any file changing: so
 * they are judged again by the clock as well.
 */
const TIMES: {
  /** By the clock alone. */
  readonly every: Milliseconds
  /** After transcripts were read: many come together. */
  readonly gather: Milliseconds
  /** After judging they are left alone for so long, and for so many times as long as it took. */
  readonly rest: Milliseconds
  readonly restFactor: number
} = { every: 30_000, gather: 2_000, rest: 250, restFactor: 20 }

/** Judges stores again and again while they are read: when it is heard that something changed, and by the clock. */
export class StoreFollower {
  private next: Milliseconds
  private restsUntil: Milliseconds = 0
  private wake: () => void = () => undefined

  /** @param judge everything once; it keeps what it finds */
  constructor(
    private readonly judge: () => Promise<void>,
    private readonly clock: Clock,
  ) {
    this.next = clock.now()
  }

  /** @param how `locks`: a lock came or went; `sessions`: transcripts were read */
  note(how: 'locks' | 'sessions'): void {
    const now = this.clock.now()
    this.next = Math.min(this.next, Math.max(this.restsUntil, how === 'locks' ? now : now + TIMES.gather))
    this.wake()
  }

  /** Until `signal` says to stop. What goes wrong is reported once, and tried again. */
  async run(signal: AbortSignal, onProblem: (message: string) => void): Promise<void> {
    let reported = ''
    while (!signal.aborted) {
      await this.sleep(signal)
      if (signal.aborted) return
      const start = this.clock.now()
      this.next = start + TIMES.every
      try {
        await this.judge()
        reported = ''
      } catch (error) {
        const message = `The stores could not be examined: ${reasonOf(error)}`
        if (message !== reported) onProblem(message)
        reported = message
      }
      const end = this.clock.now()
      this.restsUntil = end + Math.max(TIMES.rest, (end - start) * TIMES.restFactor)
      this.next = Math.max(this.next, this.restsUntil)
    }
  }

  private async sleep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.clock.now() < this.next) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, this.next - this.clock.now())
        this.wake = done
        signal.addEventListener('abort', done)
      })
    }
  }
}
