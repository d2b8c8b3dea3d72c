import type { Policy } from '../../core/policy/policy'
import { isObject } from '../../core/transcript/json'
import type { Milliseconds } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import type { Clock } from '../read/ports'
import type { Summarizer, SummarizerFault, SummarizerReply, SummarizerRequest } from './summarizer'

/** First pause before a request is made again, and the longest one; each is varied by the jitter. In ms. */
const [FIRST_PAUSE, LONGEST_PAUSE, JITTER] = [500, 5_000, 0.2]

/**
 * Share of the time that is left which a model may use while others wait behind it: one that hangs leaves them some.
 */
const FIRST_SHARE = 2 / 3

/** A model that keeps its own time limit says better what happened. Milliseconds. */
const GRACE = 250

/** Timers cannot wait longer. Milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

/** What the chain needs besides its models. */
export type ChainPorts = {
  readonly clock: Clock
  /** Resolves after so many milliseconds, or at once when the signal says stop. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>
  /** A number from 0 to 1. */
  readonly chance: () => number
}

/** What a chain of models answered: the text and which model gave it, or that none did. */
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
 * for a while; requests that may go well later are made again. All of it ends at the time limit of the policy. Keeps
 * nothing but the count of failures.
 *
 * @example
 * ```ts
 * import { type Summarizer, SummaryChain } from 'plimsoll-agent'
 *
 * declare const ownModel: Summarizer
 * const chain = new SummaryChain([ownModel], {
 *   clock: { now: Date.now },
 *   pause: (ms) => new Promise((done) => setTimeout(done, ms)),
 *   chance: Math.random,
 * })
 * ```
 */
export class SummaryChain {
  private readonly health = new Map<string, Health>()

  constructor(
    readonly models: readonly Summarizer[],
    private readonly ports: ChainPorts,
  ) {}

  /** When work that begins now has to end, in milliseconds since the epoch. */
  deadlineOf({ compaction }: Pick<Policy, 'compaction'>): number {
    return this.ports.clock.now() + compaction.timeoutMs
  }

  /** Whether a deadline is over. */
  isPast(deadline: number): boolean {
    return this.ports.clock.now() >= deadline
  }

  /** @param deadline of all requests that belong together; without it, the request has the whole limit for itself */
  async ask(
    request: Omit<SummarizerRequest, 'timeoutMs'>,
    policy: Pick<Policy, 'compaction' | 'summary'>,
    deadline = this.deadlineOf(policy),
  ): Promise<ChainReply> {
    const notes: string[] = []
    for (const [index, model] of this.models.entries()) {
      if (this.isPast(deadline)) {
        notes.push(
          `${model.name} was not asked: the time limit of ${policy.compaction.timeoutMs} ms has passed.`,
        )
        continue
      }
      const resting = this.restingUntil(model, policy.summary)
      if (resting !== null) {
        notes.push(
          `${model.name} failed ${policy.summary.failureThreshold} times in a row and rests until ${resting}.`,
        )
        continue
      }
      const share = index === this.models.length - 1 ? 1 : FIRST_SHARE
      const reply = await this.askOne(model, request, policy, share * (deadline - this.ports.clock.now()))
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
    limitMs: Milliseconds,
  ): Promise<SummarizerReply> {
    // One limit for all attempts together.
    const deadline = this.ports.clock.now() + limitMs
    for (let attempt = 1; ; attempt++) {
      const timeoutMs = Math.max(1, Math.floor(deadline - this.ports.clock.now()))
      const reply = await this.replyOf(model, { ...request, timeoutMs })
      if (reply.ok || !reply.again || attempt >= Math.max(1, compaction.retries)) return reply
      const pause = this.pauseBefore(attempt)
      if (this.ports.clock.now() + pause >= deadline) return reply
      await this.ports.pause(pause, request.signal)
      if (request.signal?.aborted)
        return { ok: false, fault: 'aborted', message: 'The summary was stopped.', again: false }
    }
  }

  /** A model that throws, hangs or answers what is no reply has failed like any other. */
  private async replyOf(model: Summarizer, request: SummarizerRequest): Promise<SummarizerReply> {
    const { name } = model
    const failed = (fault: SummarizerFault, message: string): SummarizerReply => ({
      ...{ ok: false, fault, message: `${name}: ${message}`, again: false },
    })
    const limit = AbortSignal.timeout(Math.min(request.timeoutMs + GRACE, LONGEST_TIMER))
    const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal])
    let stop = () => {}
    const late = new Promise<SummarizerReply>((answer) => {
      stop = () => {
        if (limit.aborted) answer(failed('timeout', `no answer within ${request.timeoutMs} ms.`))
        else answer(failed('aborted', 'the summary was stopped.'))
      }
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop)
    })
    try {
      const reply: unknown = await Promise.race([model.summarize(request), late])
      return isReply(reply) ? reply : failed('bad-answer', 'the answer is no text.')
    } catch (error) {
      return failed('bad-answer', `${reasonOf(error)}.`)
    } finally {
      signal.removeEventListener('abort', stop)
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

function isReply(value: unknown): value is SummarizerReply {
  if (!isObject(value)) return false
  return value.ok === true ? typeof value.text === 'string' : typeof value.message === 'string'
}
