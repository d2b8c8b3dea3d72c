import type { Tokens } from '../units/units'
/** Something that a memory did, for those who want to know when and why. Times in milliseconds since the epoch. */
export type MemoryEvent = { readonly at: number; readonly session: string } & (
  | {
      /** Something was recalled for a prompt, or nothing was. */
      readonly kind: 'recall'
      /** The beginning of it. */
      readonly prompt: string
      readonly placed: readonly {
        readonly source: string
        readonly score: number
        readonly cut: boolean
        readonly text: string
      }[]
      /** Pieces that were like enough but had no room. */
      readonly left: number
      readonly tokens: Tokens
      readonly budget: number
      /** Why nothing could be looked up; left out when it was. */
      readonly problem?: string
    }
  /** The agent was asked to save its memory: at a share of the window. */
  | { readonly kind: 'flush'; readonly line: number; readonly delivery: string }
  /** The agent has saved its memory since it was asked to. */
  | { readonly kind: 'saved' }
  | { readonly kind: 'checkpoint'; readonly id: string; readonly covered: number; readonly tokens: Tokens }
  /** Facts were recalled when a task was started. */
  | { readonly kind: 'knowledge'; readonly task: string; readonly facts: readonly string[] }
  /** A task was completed: what was learned of it, and what was archived. */
  | {
      readonly kind: 'completed'
      readonly task: string
      readonly added: number
      readonly confirmed: number
      readonly contradicted: number
      readonly clearedResults: number
      readonly clearedTokens: Tokens
    }
)
