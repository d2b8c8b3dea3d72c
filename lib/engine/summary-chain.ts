import type { Policy } from '../core/policy/policy'
import type { Clock } from './ports'
import type { Summarizer, SummarizerReply, SummarizerRequest } from './summarizer'

/** First pause before a request is made again, and the longest one; each is varied by the jitter (D14). In ms. */
const [FIRST_PAUSE, LONGEST_PAUSE, JITTER] = [500, 5_000, 0.2]

/** What the chain needs besides its models. */
export type ChainPorts = {
  readonly clock: Clock
  /** Resolves after so many milliseconds, or at once when the signal says stop. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>
  /** A number from 0 to 1. */
  readonly chance: () => number
}

export type ChainReply =
  | {
      readonly ok: true
      readonly text: string
      readonly by: string
      readonly usage: { readonly input: number; readonly output: number } | null
      readonly notes: readonly string[]
    }
  /** None of the models gave anything; the notes say why each. */
  | { readonly ok: false; readonly stopped: boolean; readonly notes: readonly string[] }

type Health = { failures: number; since: number }

/**
 * Asks summarising models in their order until one answers. A model that failed several times in a row is passed over
 * for a while (U3); requests that may go well later are made again (D14). Keeps nothing but the count of failures.
 */
export class SummaryChain {
  private readonly health = new Map<string, Health>()

  constructor(
    readonly models: readonly Summarizer[],
    private readonly ports: ChainPorts,
  ) {}

  async ask(
    request: Omit<SummarizerRequest, 'timeoutMs'>,
    policy: Pick<Policy, 'compaction' | 'summary'>,
  ): Promise<ChainReply> {
    const notes: string[] = []
    for (const model of this.models) {
      const resting = this.restingUntil(model, policy.summary)
      if (resting !== null) {
        notes.push(
          `${model.name} failed ${policy.summary.failureThreshold} times in a row and rests until ${resting}.`,
        )
        continue
      }
      const reply = await this.askOne(model, request, policy)
      if (reply.ok) {
        this.health.delete(model.name)
        return { ok: true, text: reply.text, usage: reply.usage, by: model.name, notes }
      }
      if (reply.fault === 'aborted') return { ok: false, stopped: true, notes: [...notes, reply.message] }
      this.noteFailure(model)
      notes.push(reply.message)
    }
    return { ok: false, stopped: false, notes }
  }

  private async askOne(
    model: Summarizer,
    request: Omit<SummarizerRequest, 'timeoutMs'>,
    { compaction }: Pick<Policy, 'compaction'>,
  ): Promise<SummarizerReply> {
    // One limit for all attempts together: nobody waits longer for a summary than the policy says (D13).
    const deadline = this.ports.clock.now() + compaction.timeoutMs
    for (let attempt = 1; ; attempt++) {
      const timeoutMs = Math.max(1, deadline - this.ports.clock.now())
      const reply = await model.summarize({ ...request, timeoutMs })
      if (reply.ok || !reply.again || attempt >= Math.max(1, compaction.retries)) return reply
      const pause = this.pauseBefore(attempt)
      if (this.ports.clock.now() + pause >= deadline) return reply
      await this.ports.pause(pause, request.signal)
      if (request.signal?.aborted)
        return { ok: false, fault: 'aborted', message: 'The summary was stopped.', again: false }
    }
  }

  private pauseBefore(attempt: number): number {
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1))
    return pause * (1 + JITTER * (2 * this.ports.chance() - 1))
  }

  private noteFailure(model: Summarizer): void {
    const failures = (this.health.get(model.name)?.failures ?? 0) + 1
    this.health.set(model.name, { failures, since: this.ports.clock.now() })
  }

  private restingUntil(model: Summarizer, { failureThreshold, resetMs }: Policy['summary']): string | null {
    const health = this.health.get(model.name)
    if (health === undefined || health.failures < failureThreshold) return null
    const until = health.since + resetMs
    if (this.ports.clock.now() >= until) {
      this.health.delete(model.name)
      return null
    }
    return new Date(until).toISOString()
  }
}
