import type { Tokens } from '../../units/units'

/** What a tool was asked and answered in all sessions of a period. Tokens are estimated. */
export type ToolSum = {
  readonly tool: string
  readonly sessions: number
  readonly calls: number
  readonly failed: number
  readonly resultTokens: Tokens
  /** Of one result. */
  readonly largest: Tokens
  /** Arguments and results in the prompts of all calls, each call counted. */
  readonly sentTokens: Tokens
}
