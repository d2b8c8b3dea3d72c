import { loggedKinds } from '../../core/logs/logged-kinds'
import type { Policy } from '../../core/policy/policy'
import type { ContextLog } from '../../engine/logs/log-ports'
import type { Clock } from '../../engine/read/ports'
import { fileContextLog } from './file-context-log'

/**
 * The log of a live agent as its policy sets it: compactions, curations, drops and recoveries in the files of
 * `logs.path`, each kind as long as its switch is on; no file is made for one that is off.
 *
 * @example
 * ```ts
 * import { DEFAULT_POLICY, openContextLog } from 'plimsoll-agent'
 *
 * const log = openContextLog(DEFAULT_POLICY)
 * ```
 */
export function openContextLog({ logs }: Pick<Policy, 'logs'>, clock: Clock = { now: Date.now }): ContextLog {
  return fileContextLog({ folder: logs.path, kinds: loggedKinds(logs), clock })
}
