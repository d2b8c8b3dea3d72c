import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of a few megabytes that can be filled up. */
export type SmallDisk = {
  readonly folder: string
  /** Makes room. */
  grow(megabytes: number): void
  /** Nothing can be written any more. */
  close(): void
  remove(): void
}

/** Mounts one; null where that is not allowed (it takes root on Linux). */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-disk-'))
  const mount = (options: string) =>
    spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'plimsoll-test', folder], { stdio: 'ignore' })
  if (mount(`size=${megabytes}m`).status !== 0) {
    rmSync(folder, { recursive: true })
    return null
  }
  return {
    folder,
    grow: (more) => mount(`remount,size=${more}m`),
    close: () => mount('remount,ro'),
    remove: () => {
      // Lazily: the database driver closes its files when its statements are collected.
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
