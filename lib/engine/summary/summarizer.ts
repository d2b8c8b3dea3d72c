import type { SummaryPrompt } from '../../core/summary/prompts'
import type { Milliseconds, Tokens } from '../../core/units/units'

/** Why a summarising model gave nothing. */
export type SummarizerFault =
  | 'no-key'
  | 'refused-key'
  | 'timeout'
  | 'aborted'
  | 'rate-limit'
  | 'overflow'
  | 'unreachable'
  | 'redirect'
  | 'http'
  | 'bad-answer'
  | 'too-long'

export type SummarizerReply =
  | {
      readonly ok: true
      readonly text: string
      /** Tokens as the service reported them; null when it did not. */
      readonly usage: { readonly input: number; readonly output: number } | null
    }
  | {
      readonly ok: false
      readonly fault: SummarizerFault
      /** For the operator: which service, what happened, what to do. Never holds a key. */
      readonly message: string
      /** The same request may go well a little later. */
      readonly again: boolean
    }

/** One request to a model that summarises. */
export type SummarizerRequest = {
  readonly prompt: SummaryPrompt
  readonly maxTokens: Tokens
  readonly timeoutMs: Milliseconds
  readonly signal?: AbortSignal
}

/** A model that writes summaries. Never throws: what goes wrong is in the reply. */
export interface Summarizer {
  /** `provider/model`, as receipts and logs name it. */
  readonly name: string
  /** Where requests go, for the check whether they may; left out where that is not known. */
  readonly address?: string
  summarize(request: SummarizerRequest): Promise<SummarizerReply>
}
