import { mkdirSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Milliseconds } from '../../core/units/units'

/**
 * Folder in the state folder through which our processes wake each other, and the note that asks for a check of all
 * stores.
 */
const FOLDER = 'signals'
const LOOK_AGAIN = 'look-again'

function signalsFolder(home: string): string {
  const folder = join(home, FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Asks the process that reads the stores to look at all of them now. @param now milliseconds since the epoch */
export function requestRescan(home: string, now: Milliseconds): void {
  writeFileSync(join(signalsFolder(home), LOOK_AGAIN), `${now}\n`)
}

/**
 * Calls `listener` whenever another process asks for a check, until the answer is called. Where folders cannot be
 * watched, no change is heard, and the next check comes when it is due.
 */
export function onRescanRequest(home: string, listener: () => void): () => void {
  try {
    const watcher = watch(signalsFolder(home), (_event, name) => {
      if (name === LOOK_AGAIN) listener()
    })
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    return () => undefined
  }
}
