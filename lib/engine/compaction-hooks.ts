/** What a hook is told, as one JSON object. */
export type HookFacts = { readonly [name: string]: string | number | null }

export type HookEvent = 'before' | 'after'

/** Commands that the operator wants run around a compaction (T5). */
export interface CompactionHooks {
  /** Runs all commands of an event in their order. Answers what went wrong, one sentence each. */
  run(event: HookEvent, facts: HookFacts): Promise<readonly string[]>
}

export const NO_HOOKS: CompactionHooks = { run: async () => [] }

/** Runs the hooks of an event. A hook that fails, or throws, never harms the compaction: it becomes a note. */
export async function runHook(hooks: CompactionHooks, event: HookEvent, facts: HookFacts): Promise<string[]> {
  try {
    return [...(await hooks.run(event, facts))]
  } catch (error) {
    return [`The hooks ${event} compaction failed: ${error instanceof Error ? error.message : String(error)}`]
  }
}
