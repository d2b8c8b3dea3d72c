import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../files/regular-file'

/**
 * Windows refuses to replace a file that another program has open, such as a virus scanner; it is free again in a
 * moment.
 */
const PASSING = ['EPERM', 'EBUSY', 'EACCES']

/** OpenClaw tries as often, and pauses as long, when it writes its index on Windows. Milliseconds. */
const RENAME_WAIT = { tries: 5, pauseMs: 50 } as const

type Rename = (from: string, to: string) => Promise<void>

/**
 * A rename that is tried again where Windows refuses it for a moment. Elsewhere such an error lasts, and is reported at
 * once.
 * @param pause resolves after so many milliseconds
 */
export function renameWithRetry(
  once: Rename,
  platform: NodeJS.Platform = process.platform,
  pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): Rename {
  if (platform !== 'win32') return once
  return async (from, to) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(from, to)
      } catch (error) {
        if (attempt >= RENAME_WAIT.tries || !PASSING.includes(errorCode(error) ?? '')) throw error
        await pause(RENAME_WAIT.pauseMs)
      }
    }
  }
}

/** Puts a file in the place of another one, on this machine. */
export const replaceByRename: Rename = renameWithRetry(rename)
