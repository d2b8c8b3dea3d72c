import { CHECKPOINT_START, type Checkpoint, type CheckpointState } from '../../core/memory/checkpoint'
import { FLUSH_START, type FlushState } from '../../core/memory/flush'
import type { StepCheckpoint } from '../../core/memory/step-checkpoint'
import type { Tokens } from '../../core/units/units'

/** A rolling summary as it is kept: the beginning of a conversation in other words. */
export type RollingState = {
  readonly text: string
  readonly tokens: Tokens
  /** So many messages from the first on are in it. */
  readonly covered: number
  /** Key of the last of them; another message in its place makes the summary worthless. */
  readonly key: string
}

/** What a live agent's management of its context has to remember from one turn to the next. */
export type AgentState = {
  readonly flush: FlushState
  readonly checkpoint: CheckpointState
  /** Turns since the last compaction. */
  readonly turns: number
  readonly compactions: number
  /** A compaction of this cycle has waited for a flush already. */
  readonly waited: boolean
  readonly rolling: RollingState | null
  /** Where the conversation was after its last compaction; null before the first. */
  readonly compacted: { readonly count: number; readonly key: string } | null
}

export const AGENT_START: AgentState = {
  flush: FLUSH_START,
  checkpoint: CHECKPOINT_START,
  turns: 0,
  compactions: 0,
  waited: false,
  rolling: null,
  compacted: null,
}

/** Where that is kept, by session; it outlives the process where an adapter writes it to disk. */
export interface AgentMemory {
  load(session: string): Promise<AgentState | null>
  save(session: string, state: AgentState): Promise<void>
  /** The newest few checkpoints of a session, oldest first. */
  checkpoints(session: string): Promise<readonly Checkpoint[]>
  addCheckpoint(checkpoint: Checkpoint): Promise<void>
  /** The newest few notes of how far a plan was, oldest first. */
  stepCheckpoints(session: string): Promise<readonly StepCheckpoint[]>
  addStepCheckpoint(checkpoint: StepCheckpoint): Promise<void>
}

/** So many checkpoints of either kind are kept of a session. */
export const KEPT_CHECKPOINTS = 5

/**
 * A memory that lasts as long as its process.
 *
 * @example
 * ```ts
 * import { transientMemory } from 'plimsoll-agent'
 *
 * const memory = transientMemory() // the `memory` of an agent
 * ```
 */
export function transientMemory(): AgentMemory {
  const states = new Map<string, AgentState>()
  const checkpoints = new Map<string, readonly Checkpoint[]>()
  const steps = new Map<string, readonly StepCheckpoint[]>()
  return {
    load: async (session) => states.get(session) ?? null,
    save: async (session, state) => {
      states.set(session, state)
    },
    checkpoints: async (session) => checkpoints.get(session) ?? [],
    addCheckpoint: async (checkpoint) => {
      const kept = [...(checkpoints.get(checkpoint.session) ?? []), checkpoint].slice(-KEPT_CHECKPOINTS)
      checkpoints.set(checkpoint.session, kept)
    },
    stepCheckpoints: async (session) => steps.get(session) ?? [],
    addStepCheckpoint: async (checkpoint) => {
      const kept = [...(steps.get(checkpoint.session) ?? []), checkpoint].slice(-KEPT_CHECKPOINTS)
      steps.set(checkpoint.session, kept)
    },
  }
}
