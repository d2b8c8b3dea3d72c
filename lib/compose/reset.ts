import { openColdStore } from '../adapters/cold/open-cold-store'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import type { Policy } from '../core/policy/policy'
import { planReset, type ResetPlace, resetPlace } from '../engine/maintenance/reset-context'
import type { WriteResult } from '../engine/write/receipt'
import type { Writer } from '../engine/write/write-ports'
import type { WaitOptions } from '../engine/write/write-requests'
import { coldFolder } from './cold/cold-folder'
import { logFolder } from './logs'
import type { Setup } from './open'

type Places = Pick<Policy, 'coldStorage' | 'logs'>

/** A place that a reset empties, and the policy that it was found by. */
export type PlannedReset = { readonly place: ResetPlace; readonly policy: Places }

/** What a reset would take away: the folders of all policies in force, each once. Reads names, and heads of files. */
export async function planResets(
  setup: Setup,
  policies: readonly Places[],
): Promise<readonly PlannedReset[]> {
  const planned = new Map<string, PlannedReset>()
  for (const policy of policies) {
    const { coldStorage, logs } = policy
    const places = planReset(nodeWriteFiles, coldFolder(setup, coldStorage), logFolder(setup, logs))
    for (const place of await places) {
      const key = `${place.what} ${place.root}`
      if (!planned.has(key)) planned.set(key, { place, policy })
    }
  }
  return [...planned.values()]
}

/** Takes it away, with a backup of everything. */
export function applyReset(
  setup: Setup,
  writer: Writer,
  { place, policy }: PlannedReset,
  wait: WaitOptions,
): Promise<WriteResult> {
  const store = openColdStore(coldFolder(setup, policy.coldStorage))
  return resetPlace(writer, store, { place, actor: 'cli', wait })
}
