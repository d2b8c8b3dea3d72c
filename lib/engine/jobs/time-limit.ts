import type { Milliseconds } from '../../core/units/units'

/** How long what an agent gives may take for one answer where the agent says nothing else. */
const TIME_LIMIT: Milliseconds = 30_000

/** Whoever may ask a model itself has so many times as long. */
const FOR_MODELS = 10

/** After that many limits a port that still owes an answer is asked again. */
const REST = 10

/** Gives calls of what an agent has given an end, so that none of them holds a turn for ever. */
export class TimeLimit {
  constructor(readonly ms: Milliseconds = TIME_LIMIT) {}

  /** The limit for what may ask a model itself: to save memory, to curate, hooks. */
  forModels(): TimeLimit {
    return new TimeLimit(this.ms * FOR_MODELS)
  }

  /**
   * The same port, whose calls fail when they give no answer in time, as if the port had thrown. What it answers later is
   * passed over. While it owes an answer it is not asked again, so that a turn waits for it once.
   * @param name of the port, for the message
   */
  port<T extends object>(name: string, port: T): T {
    const debt = new Debt(this.ms)
    return new Proxy(port, {
      get: (target, field) => {
        const value: unknown = Reflect.get(target, field, target)
        if (typeof value !== 'function') return value
        const call = `${name}.${String(field)}`
        return (...given: readonly unknown[]) => debt.limited(call, () => value.apply(target, given))
      },
    })
  }

  /** The same for one function. */
  call<A extends readonly unknown[], T>(name: string, work: (...given: A) => T): (...given: A) => T {
    const debt = new Debt(this.ms)
    return (...given) => debt.limited(name, () => work(...given))
  }
}

/** Whether a port owes an answer that is overdue. */
class Debt {
  private owed = 0

  constructor(private readonly ms: Milliseconds) {}

  /** What answers at once is answered as it is. */
  limited<T>(name: string, work: () => T): T {
    if (this.owed > 0) return Promise.reject(new Error(`${name} was not asked: ${OVERDUE}`)) as T
    const answer = work()
    return isPromise(answer) ? (this.wait(name, answer) as T) : answer
  }

  private wait(name: string, answer: PromiseLike<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.owe(answer)
        reject(new Error(`${name} gave no answer within ${this.ms} ms (timeLimit)`))
      }, this.ms)
      const ended = () => clearTimeout(timer)
      answer.then(ended, ended)
      answer.then(resolve, reject)
    })
  }

  private owe(answer: PromiseLike<unknown>): void {
    let isOwed = true
    this.owed += 1
    const settle = () => {
      clearTimeout(rest)
      if (isOwed) this.owed -= 1
      isOwed = false
    }
    // It may have lost the call, and work all the same. No process stays for that.
    const rest = setTimeout(settle, this.ms * REST)
    if (typeof rest === 'object') rest.unref()
    answer.then(settle, settle)
  }
}

const OVERDUE = 'an earlier call of it has given no answer yet'

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
