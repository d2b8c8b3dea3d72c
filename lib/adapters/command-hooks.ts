import type { CompactionHooks } from '../engine/compaction-hooks'
import { runCommand } from './run-command'

export type CommandHooksOptions = {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly timeoutMs: number
}

/** Runs the operator's own commands around a compaction. */
export function commandHooks({ before, after, timeoutMs }: CommandHooksOptions): CompactionHooks {
  return {
    run: async (event, facts) => {
      const problems: string[] = []
      for (const command of event === 'before' ? before : after) {
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
