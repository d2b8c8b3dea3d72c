import { type PurgePlan, planPurge } from '../core/cold/retention'
import type { ColdChunk, ColdProblem } from './cold-store'
import type { ColdPorts } from './drop-to-cold'

export type Purge = PurgePlan<ColdChunk> & {
  /** null in a dry run. */
  readonly removed: number | null
  /** Files that are no chunks; they are left alone. */
  readonly problems: readonly ColdProblem[]
}

/** Takes away what has expired (I3), for good. Without `apply` it only says what that would be. */
export async function purgeCold(
  { store, now }: ColdPorts,
  { apply }: { readonly apply: boolean },
): Promise<Purge> {
  const { chunks, problems } = await store.list()
  const plan = planPurge(chunks, now())
  if (!apply) return { ...plan, removed: null, problems }
  return { ...plan, removed: plan.remove.length === 0 ? 0 : await store.remove(plan.remove), problems }
}
