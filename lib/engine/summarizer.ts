import type { SummaryPrompt } from '../core/summary/prompts'

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

export type SummarizerRequest = {
  readonly prompt: SummaryPrompt
  readonly maxTokens: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** A model that writes summaries. Never throws: what goes wrong is in the reply. */
export interface Summarizer {
  /** `provider/model`, as receipts and logs name it. */
  readonly name: string
  summarize(request: SummarizerRequest): Promise<SummarizerReply>
}
