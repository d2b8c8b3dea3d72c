import { join, resolve } from 'node:path'
import { absolutePath } from '../../config/env'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import type { Setup } from '../setup'

/**
 * Where a policy keeps dropped chunks. Where PLIMSOLL_STORES takes the place of what is known of this machine, the known
 * place is left alone and the state folder has them.
 */
export function coldFolder({ environment }: Setup, { path }: Pick<Policy['coldStorage'], 'path'>): string {
  const { home, stores, userHome } = environment
  if (stores !== null && path === DEFAULT_POLICY.coldStorage.path) return join(home, 'cold-storage')
  // Without the slash at its end, so that one folder has one name.
  return resolve(absolutePath(path, userHome, userHome))
}
