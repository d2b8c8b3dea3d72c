import type { Tokens } from '../units/units'
/**
 * Lines about the division of the window. Names and order of the fields are those of VS7's log, so that a script that
 * searches VS7's log works on ours.
 */
export const VS7_LINES = {
  bootstrap: (budget: number, maxChars: number): string =>
    `context management: bootstrap budget=${budget} tokens, maxChars=${maxChars}`,
  semantic: (chunks: number, tokens: Tokens): string =>
    `semantic history: retrieved ${chunks} chunks, ${tokens} tokens`,
  triggering: (messages: number): string =>
    `rolling summary: triggering summarization for ${messages} messages`,
  summarized: (messages: number, kept: number, totalTokens: Tokens): string =>
    `rolling summary: summarized ${messages} messages, kept ${kept}, totalTokens=${totalTokens}`,
  injected: (): string => 'rolling summary: injected summary as leading context message',
  stats: (stats: {
    readonly contextWindow: number
    readonly systemPrompt: number
    readonly bootstrap: number
    readonly historyBudget: number
    readonly messagesIn: number
    readonly messagesOut: number
    readonly withSummary: boolean
  }): string =>
    `context management: contextWindow=${stats.contextWindow} systemPrompt=${stats.systemPrompt} bootstrap=${stats.bootstrap} historyBudget=${stats.historyBudget} messagesIn=${stats.messagesIn} messagesOut=${stats.messagesOut}${stats.withSummary ? ' (with rolling summary)' : ''}`,
} as const
