import type { CallScope } from './call-scope'

/** Waiting longer than this is worth a word. Milliseconds. */
const LONG_WAIT = 2_000

export type LaneOptions = {
  readonly signal?: AbortSignal
  /** Called once, when the work had to wait for more than two seconds, with how many were before it. */
  readonly onLongWait?: (ahead: number) => void
}

/** Work is refused because the signal said stop while it waited. */
export class LaneStoppedError extends Error {
  readonly code = 'LANE_STOPPED'
}

/**
 * Queues work: one piece at a time for each session, and at most so many at once for all. Work that is called from
 * the lane of its own session is a part of what runs there, and runs at once, so that nothing waits for itself.
 */
export class Lanes {
  private readonly tails = new Map<string, Promise<void>>()
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(
    private readonly atOnce: number,
    private readonly scope: CallScope | null = null,
  ) {}

  /** Runs `work` when it is the turn of its session and there is room. @throws LaneStoppedError */
  async run<T>(session: string, work: () => Promise<T>, options: LaneOptions = {}): Promise<T> {
    const { signal, onLongWait } = options
    if (this.scope?.isInside(session)) return work()
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
        return await (this.scope === null ? work() : this.scope.run(session, work))
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
