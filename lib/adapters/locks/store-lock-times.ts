import { type LockTimes, lockTimes } from './lock-times'
import { stateFolderOf, writeLockSettings } from './state-folder'

/**
 * The lock times of each file: its own store's configuration under the variables of the environment, as the runtime of
 * that store has them.
 */
export function storeLockTimes(
  variables: Readonly<Record<string, string | undefined>>,
): (file: string) => LockTimes {
  return (file) => {
    const folder = stateFolderOf(file)
    return lockTimes(variables, folder === null ? undefined : writeLockSettings(folder))
  }
}
