import type { MemoryEvent } from '../core/memory/memory-event'

/** Where it is noted what a memory did. */
export interface MemoryEvents {
  note(event: MemoryEvent): Promise<void>
}
