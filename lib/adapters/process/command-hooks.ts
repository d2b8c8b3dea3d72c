import type { Milliseconds } from '../../core/units/units'
import type { CompactionHooks, HookEvent } from '../../engine/compaction/compaction-hooks'
import { runCommand } from './run-command'

export type CommandHooksOptions = {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly timeoutMs: Milliseconds
}

/** Runs the operator's own commands around a compaction. */
export function commandHooks({ before, after, timeoutMs }: CommandHooksOptions): CompactionHooks {
  const commandsOf = (event: HookEvent) => (event === 'before' ? before : after)
  return {
    has: (event) => commandsOf(event).length > 0,
    run: async (event, facts) => {
      const problems: string[] = []
      for (const command of commandsOf(event)) {
        const problem = await runCommand(
          { name: 'hook', command, timeoutMs },
          { ...facts, event: `${event}_compaction` },
        )
        if (problem !== null) problems.push(problem)
      }
      return problems
    },
  }
}
