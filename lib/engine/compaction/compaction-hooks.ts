import { reasonOf } from '../../core/words/reason-of'
/** The input of a hook: one JSON object. */
export type HookFacts = { readonly [name: string]: string | number | null }

export type HookEvent = 'before' | 'after'

/** Commands that the operator has set to run around a compaction. */
export interface CompactionHooks {
  /** Runs all commands of an event in their order. Answers what went wrong, one sentence each. */
  run(event: HookEvent, facts: HookFacts): Promise<readonly string[]>
  /** False: there is nothing to run. Left out, there may be. */
  has?(event: HookEvent): boolean
}

export const NO_HOOKS: CompactionHooks = { run: async () => [], has: () => false }

/** Runs the hooks of an event. A hook that fails, or throws, never harms the compaction: it becomes a note. */
export async function runHook(hooks: CompactionHooks, event: HookEvent, facts: HookFacts): Promise<string[]> {
  try {
    const problems: unknown = await hooks.run(event, facts)
    return Array.isArray(problems) ? problems.map(String) : []
  } catch (error) {
    return [`The hooks ${event} compaction failed: ${reasonOf(error)}`]
  }
}
