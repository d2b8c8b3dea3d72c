/** Tokens of system prompt and tools assumed for a runtime when neither a report nor usage tells (transcripts.md §5). */
export const FIXED_PRIOR = { pi: 2_100, openclaw: 11_000 } as const
