/** Waiting longer than this is worth a word. Milliseconds. */
const LONG_WAIT = 2_000

export type LaneOptions = {
  readonly signal?: AbortSignal
  /** Told once, when the work had to wait for more than two seconds, with how many stood before it. */
  readonly onLongWait?: (ahead: number) => void
}

/** Work is refused because the signal said stop while it waited. */
export class LaneStoppedError extends Error {
  readonly code = 'LANE_STOPPED'
}

/**
 * Queues work: one piece at a time for each session, and at most so many at once for all (D23). Work that is in a lane
 * already and needs another piece of it calls that directly, without a lane, so that nothing waits for itself (D24).
 */
export class Lanes {
  private readonly tails = new Map<string, Promise<void>>()
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(private readonly atOnce: number) {}

  /** Runs `work` when it is the turn of its session and there is room. @throws LaneStoppedError */
  async run<T>(session: string, work: () => Promise<T>, options: LaneOptions = {}): Promise<T> {
    const { signal, onLongWait } = options
    const before = this.tails.get(session) ?? Promise.resolve()
    let leave: () => void = () => undefined
    const tail = new Promise<void>((resolve) => {
      leave = resolve
    })
    const next = before.then(() => tail)
    this.tails.set(session, next)
    const timer = setTimeout(() => onLongWait?.(this.waiting.length + 1), LONG_WAIT)
    try {
      await before
      await this.takeSlot()
      clearTimeout(timer)
      try {
        if (signal?.aborted) throw new LaneStoppedError('Stopped while waiting in line')
        return await work()
      } finally {
        this.giveSlot()
      }
    } finally {
      clearTimeout(timer)
      leave()
      if (this.tails.get(session) === next) this.tails.delete(session)
    }
  }

  private async takeSlot(): Promise<void> {
    if (this.running >= this.atOnce) await new Promise<void>((resolve) => this.waiting.push(resolve))
    else this.running += 1
  }

  /** The slot goes to the next in line, or is free. */
  private giveSlot(): void {
    const next = this.waiting.shift()
    if (next === undefined) this.running -= 1
    else next()
  }
}
