import { nodeWriteFiles } from '../adapters/write/node-write-files'
import type { Policy } from '../core/policy/policy'
import type { WriteResult } from '../engine/receipt'
import { planReset, type ResetPlace, resetPlace } from '../engine/reset-context'
import type { Writer } from '../engine/write-ports'
import type { WaitOptions } from '../engine/write-requests'
import type { Setup } from '../wire'
import { coldFolder, coldPorts } from './cold'
import { logFolder } from './logs'

type Places = Pick<Policy, 'coldStorage' | 'logs'>

/** What a reset would take away; reads names only. */
export function planResetOf(setup: Setup, { coldStorage, logs }: Places): Promise<readonly ResetPlace[]> {
  return planReset(nodeWriteFiles, coldFolder(setup, coldStorage), logFolder(setup, logs))
}

/** Takes it away, with a backup of everything. */
export function carryOutReset(
  setup: Setup,
  writer: Writer,
  { coldStorage }: Places,
  place: ResetPlace,
  wait: WaitOptions,
): Promise<WriteResult> {
  return resetPlace(writer, coldPorts(setup, coldStorage).store, { place, actor: 'cli', wait })
}
