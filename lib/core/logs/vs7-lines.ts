/**
 * Lines by which seed 0 checks that the division of the window works (Q7): names and order are those of VS7, so that what
 * greps for them goes on working.
 */
export const VS7_LINES = {
  bootstrap: (budget: number, maxChars: number): string =>
    `context management: bootstrap budget=${budget} tokens, maxChars=${maxChars}`,
  semantic: (chunks: number, tokens: number): string =>
    `semantic history: retrieved ${chunks} chunks, ${tokens} tokens`,
  triggering: (messages: number): string =>
    `rolling summary: triggering summarization for ${messages} messages`,
  summarized: (messages: number, kept: number, totalTokens: number): string =>
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
