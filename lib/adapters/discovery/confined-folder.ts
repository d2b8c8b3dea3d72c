import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isInside } from '../files/regular-file'

/**
 * The real path of a folder that need not be there yet: links in the part that is there are resolved. Null where that
 * cannot be known, as with a link to nothing: what is made there later would lie elsewhere.
 * @param folder absolute path
 */
export function realFolder(folder: string): string | null {
  const wanted = path.resolve(folder)
  let there = wanted
  while (!isThere(there)) {
    const above = path.dirname(there)
    if (above === there) return null
    there = above
  }
  try {
    return path.join(realpathSync.native(there), path.relative(there, wanted))
  } catch {
    return null
  }
}

/** A link counts as being there, wherever it leads; what is closed to us does as well. */
function isThere(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    // A file where a folder is expected: nothing is below it.
    return !(error instanceof Error && 'code' in error && error.code === 'ENOTDIR')
  }
}

/**
 * The real path of a folder when it lies in one of these; null when it leads out of all of them.
 * @param folder absolute path
 * @param roots absolute paths; one that is not there holds nothing
 */
export function confinedFolder(folder: string, roots: readonly string[]): string | null {
  const real = realFolder(folder)
  if (real === null) return null
  const holds = roots.some((root) => {
    const realRoot = realFolder(root)
    return realRoot !== null && isInside(realRoot, real)
  })
  return holds ? real : null
}
