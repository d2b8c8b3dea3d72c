import type { ContentMessage } from '../core/history/thinking'
import { currentCheck } from './current-check'
import type { DropOutcome } from './drop-outcome'
import type { LadderParts } from './ladder-parts'
import type { LadderTools } from './ladder-tools'
import { runPass } from './run-pass'

export type AfterCuration = {
  /** What was dropped by relevance; null when nothing was looked at. */
  readonly drop: DropOutcome | null
  readonly warnings: readonly string[]
}

/** Tidies a context up after a reply, while nobody waits (H9, T3). */
export async function curateAfter<M extends ContentMessage>(
  parts: LadderParts<M>,
  { passes }: LadderTools<M>,
  signal?: AbortSignal,
): Promise<AfterCuration> {
  const warnings: string[] = []
  let drop: DropOutcome | null = null
  for (const pass of passes) {
    const check = await currentCheck(parts, [])
    const occasion = { moment: 'after', incoming: [], check, waits: false, last: false, signal } as const
    const done = await runPass(parts, pass, occasion)
    warnings.push(...done.warnings)
    drop = done.drop ?? drop
    if (done.changed) parts.agent.onStep?.(pass.step)
  }
  return { drop, warnings }
}
