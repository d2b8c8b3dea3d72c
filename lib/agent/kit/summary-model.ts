import { reasonOf } from '../../core/words/reason-of'
import type { Clock } from '../../engine/read/ports'
import type { Summarizer } from '../../engine/summary/summarizer'
import { SummaryChain } from '../../engine/summary/summary-chain'

/**
 * Asks a model for a summary and answers its text.
 * @example
 * ```ts
 * import { createContext, type SummaryFunction } from 'plimsoll-agent'
 *
 * declare function ask(system: string, prompt: string, maxTokens: number, signal: AbortSignal): Promise<string>
 * const summary: SummaryFunction = ({ system, user, maxTokens, signal }) => ask(system, user, maxTokens, signal)
 * const context = createContext({ model: 'claude-sonnet-4-5', summary })
 * ```
 */
export type SummaryFunction = (request: {
  readonly system: string
  readonly user: string
  /** Most tokens of the answer. */
  readonly maxTokens: number
  /** Says stop when the policy's time limit has passed, or the caller's signal. */
  readonly signal: AbortSignal
}) => string | Promise<string>

/** A function that asks a model, as the chain that the ladder asks; what goes wrong costs a warning. */
export function chainOf(summary: SummaryFunction, clock: Clock): SummaryChain {
  return new SummaryChain([summarizerOf(summary)], {
    clock,
    // What fails here is not asked again, so nothing is waited for.
    pause: async () => {},
    chance: Math.random,
  })
}

function summarizerOf(summary: SummaryFunction): Summarizer {
  return {
    name: 'summary',
    summarize: async ({ prompt, maxTokens, timeoutMs, signal }) => {
      const limit = new AbortController()
      // The timer of `AbortSignal.timeout` lets a process end that waits for nothing else.
      const timer = setTimeout(() => limit.abort(), timeoutMs)
      const stop = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal])
      try {
        const text: unknown = await Promise.race([
          summary({ ...prompt, maxTokens, signal: stop }),
          rejectedBy(stop),
        ])
        if (typeof text === 'string' && text.trim() !== '') return { ok: true, text, usage: null }
        const message = `The function \`summary\` answered ${typeof text === 'string' ? 'an empty text' : typeof text}, and not the text of a summary.`
        return { ok: false, fault: 'bad-answer', message, again: false }
      } catch (error) {
        if (signal?.aborted)
          return { ok: false, fault: 'aborted', message: 'The summary was stopped.', again: false }
        if (limit.signal.aborted)
          return {
            ok: false,
            fault: 'timeout',
            message: `The function \`summary\` gave no answer within ${timeoutMs} ms.`,
            again: false,
          }
        const message = `The function \`summary\` failed: ${reasonOf(error)}`
        return { ok: false, fault: 'unreachable', message, again: false }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
