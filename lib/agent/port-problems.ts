import { reasonOf } from '../core/words/reason-of'

/**
 * What went wrong with what an agent gave to its manager: each once until it is taken. Calls go through here, so that
 * no callback that throws, and none that rejects later, ends a turn or the process.
 */
export class PortProblems {
  private readonly found = new Set<string>()

  note(problem: string): void {
    this.found.add(problem)
  }

  /** What was noted since it was last taken. */
  take(): readonly string[] {
    const all = [...this.found]
    this.found.clear()
    return all
  }

  /**
   * Calls what answers at once.
   * @param name of the callback, as the agent gave it
   * @param otherwise said of a failure: what is done instead
   * @returns undefined when it failed; a promise is no answer
   */
  call<T>(name: string, otherwise: string, work: () => T): Exclude<T, PromiseLike<unknown>> | undefined {
    try {
      const answer = work()
      if (!isPromise(answer)) return answer as Exclude<T, PromiseLike<unknown>>
      answer.then(undefined, (error: unknown) => this.failed(name, otherwise, error))
      this.failed(name, otherwise, 'it answered a promise, and must answer at once')
    } catch (error) {
      this.failed(name, otherwise, error)
    }
    return undefined
  }

  /** Calls what only listens: its answer is nothing that anybody waits for. */
  tell(name: string, work: () => unknown): void {
    try {
      const answer = work()
      if (isPromise(answer)) answer.then(undefined, (error: unknown) => this.failed(name, '', error))
    } catch (error) {
      this.failed(name, '', error)
    }
  }

  /** Waits for what answers later. undefined when it failed. */
  async wait<T>(name: string, otherwise: string, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.failed(name, otherwise, error)
      return undefined
    }
  }

  private failed(name: string, otherwise: string, error: unknown): void {
    this.note(
      `${name} failed: ${reasonOf(error).replace(/\.$/, '')}.${otherwise === '' ? '' : ` ${otherwise}`}`,
    )
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Whether a value is a number of tokens. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
