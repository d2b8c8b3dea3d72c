import { randomBytes } from 'node:crypto'
import type { ColdStore } from '../../engine/cold/cold-store'
import { homePath } from '../files/home-path'
import { nodeWriteFiles } from '../write/node-write-files'
import { fileColdStore } from './file-cold-store'

/**
 * Cold storage in a folder of this machine, such as `policy.coldStorage.path`. Nothing is made on disk before something is stored.
 *
 * @example
 * ```ts
 * import { DEFAULT_POLICY, openColdStore } from 'plimsoll-agent'
 *
 * const cold = openColdStore(DEFAULT_POLICY.coldStorage.path)
 * ```
 */
export function openColdStore(folder: string): ColdStore {
  const unique = () => `${Date.now()}-${process.pid}-${randomBytes(6).toString('hex')}`
  return fileColdStore(nodeWriteFiles, homePath(folder), unique)
}
