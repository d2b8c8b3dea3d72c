import {
  chooseHits,
  type RecalledContext,
  recallBudget,
  recalledContext,
} from '../../core/memory/recalled-context'
import type { Policy } from '../../core/policy/policy'
import type { Tokens } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import type { FoundPiece, SyncReport } from './recall-library'
import type { RecallOrigin } from './recall-ports'

/** What recall asks: a `RecallLibrary`, or whatever else an agent searches its memory with. */
export interface MemorySearch {
  /** Takes in what has changed, as far as it is time to look. */
  refresh(): Promise<Pick<SyncReport, 'problems' | 'notes'>>
  search(prompt: string, limit: number, origins?: readonly RecallOrigin[] | null): readonly FoundPiece[]
}

export type Recalled = RecalledContext & {
  /** What it may take. Tokens. */
  readonly budget: number
  /** Pieces that were examined; those below the least score among them. */
  readonly looked: readonly FoundPiece[]
  /** Why nothing could be looked up; null when it was, and when there was no question. */
  readonly problem: string | null
  readonly warnings: readonly string[]
}

/** So many pieces are examined for each one that may be recalled: some repeat each other. */
const LOOKED_PER_CHUNK = 4

/**
 * What is recalled for a prompt. Whatever fails, the agent goes on without it and gets a warning.
 * @param memory null: none is configured
 */
export async function recallFor(
  prompt: string,
  options: {
    readonly policy: Pick<Policy, 'semantic' | 'budget'>
    readonly window: Tokens
    readonly memory: MemorySearch | null
    readonly sizeOf: (text: string) => number
  },
): Promise<Recalled> {
  const { policy, window, memory, sizeOf } = options
  const budget = recallBudget(policy, window)
  const nothing = { text: '', tokens: 0, placed: [], left: [], budget, looked: [], problem: null }
  const failed = (problem: string) => ({ ...nothing, problem, warnings: [problem] })
  if (!policy.semantic.enabled || prompt.trim() === '') return { ...nothing, warnings: [] }
  if (!policy.semantic.memorySearch)
    return failed('Semantic history is switched on, but the memory search is off (semantic.memorySearch).')
  if (memory === null) return failed('Semantic history is switched on, but there is no memory to search.')
  try {
    const problems = [...(await memory.refresh()).problems]
    // Whoever searches elsewhere answers later.
    const looked = await memory.search(prompt, policy.semantic.maxChunks * LOOKED_PER_CHUNK)
    const context = recalledContext(chooseHits(looked, policy.semantic), { budget, sizeOf })
    return { ...context, budget, looked, problem: null, warnings: problems }
  } catch (error) {
    const why = reasonOf(error)
    return failed(`Nothing was recalled: ${why}`)
  }
}
