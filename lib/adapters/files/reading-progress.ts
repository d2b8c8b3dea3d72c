import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import type { Bytes, Milliseconds } from '../../core/units/units'

const shape = z.object({
  /** When this reading began, and when this was written. */
  startedAt: z.number(),
  at: z.number(),
  /** Sessions with something new, and those of them that are read to their end. */
  sessions: z.number(),
  finished: z.number(),
  bytes: z.number(),
  bytesRead: z.number(),
})

/** How far the reader of stores is, for pages, which are made in another process. */
export type ReadingProgress = z.infer<typeof shape>

type Counts = {
  readonly sessions: number
  readonly finished: number
  readonly bytes: Bytes
  readonly bytesRead: Bytes
}

/** Where the reader of a database keeps it. */
export function progressFile(databaseFile: string): string {
  return `${databaseFile}.reading.json`
}

/** A reading that takes less is over before a page has said so. */
const WORTH_SAYING_MS: Milliseconds = 1_000
/** Pages look no more often. */
const AGAIN_AFTER_MS: Milliseconds = 500

/**
 * Keeps a small file beside the database while a long reading goes on. It only informs: where it cannot be written the
 * reading goes on without it.
 */
export class ReadingNotes {
  private readonly file: string
  private readonly now: () => Milliseconds
  private startedAt: Milliseconds | null = null
  private writtenAt = 0

  constructor(file: string, now: () => Milliseconds) {
    this.file = file
    this.now = now
    // Of a reading that was killed.
    this.clear()
  }

  /** Called as often as one likes. */
  note({ sessions, finished, bytes, bytesRead }: Counts): void {
    const at = this.now()
    this.startedAt ??= at
    if (finished >= sessions) {
      this.clear()
      return
    }
    if (at - this.startedAt < WORTH_SAYING_MS || at - this.writtenAt < AGAIN_AFTER_MS) return
    this.writtenAt = at
    const progress: ReadingProgress = { startedAt: this.startedAt, at, sessions, finished, bytes, bytesRead }
    try {
      writeFileSync(`${this.file}.tmp`, JSON.stringify(progress), { mode: 0o600 })
      renameSync(`${this.file}.tmp`, this.file)
    } catch {
      // A full disk is said by who writes the database.
    }
  }

  /** The reading is over, whatever came of it. */
  clear(): void {
    this.startedAt = null
    this.writtenAt = 0
    try {
      rmSync(this.file, { force: true })
    } catch {
      // Its time says how old it is.
    }
  }
}

/** What was noted last; null when there is nothing, or nothing that can be read. */
export function readProgress(file: string): ReadingProgress | null {
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
