import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Milliseconds } from '../../core/units/units'
import type { ArchiveFolder } from '../../engine/archive/archive-ports'
import { takeLease } from '../files/lease'
import { nodeWriteFiles } from '../write/node-write-files'
import { sha256 } from '../write/sha256'
import { archiveFolder } from './archive-folder'

/** The archive on this machine. @param root its folder, which need not be there */
export function openArchiveFolder(root: string, now: () => Milliseconds): ArchiveFolder {
  return archiveFolder(
    {
      files: nodeWriteFiles,
      sha256,
      unique: () => randomBytes(6).toString('hex'),
      freeBytes: async () => {
        try {
          const { bavail, bsize } = await statfs(root)
          return bavail * bsize
        } catch {
          // Some network shares do not say.
          return null
        }
      },
      alone: async (work) => {
        await nodeWriteFiles.makeFolder(root)
        const taken = takeLease(join(root, 'lease'), now())
        if (!taken.held) return null
        try {
          return { value: await work() }
        } finally {
          taken.lease.release()
        }
      },
    },
    root,
  )
}
