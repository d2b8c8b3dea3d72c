import { readdirSync, readFileSync } from 'node:fs'

/** How many file-system watches this process holds; null where the system does not tell (all but Linux). */
export function inotifyWatches(): number | null {
  try {
    return readdirSync('/proc/self/fdinfo').reduce((sum, fd) => sum + watchesOf(fd), 0)
  } catch {
    return null
  }
}

function watchesOf(fd: string): number {
  try {
    return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').match(/^inotify wd:/gm)?.length ?? 0
  } catch {
    // Closed since it was listed.
    return 0
  }
}
