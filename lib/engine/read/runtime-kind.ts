import type { RuntimeKind } from '../../core/compaction/runtime-size'
import type { FoundStore } from './ports'

/** By which runtime's rules the entries of a store are sized. */
export function runtimeKindOf({ kind, era }: Pick<FoundStore, 'kind' | 'era'>): RuntimeKind {
  if (kind !== 'openclaw') return 'pi'
  return era === 'sqlite' ? 'openclaw-9' : 'openclaw'
}
