import type { Cursor } from '../read/ports'
import { LogFollower, type UnreadLog } from './follow-logs'
import type { LogBatch, LogFolder, LogReader } from './log-ports'

/** The logs in the database. */
export interface LogDatabase {
  /** Where each file was read to. */
  cursors(): readonly Cursor[]
  /** Rows and cursor of a part, in one transaction. */
  write(batch: LogBatch): Promise<void>
  /**
   * Notes which folders and files there are now: names move on, and what is gone from the disk leaves the database.
   * Answers whether that changed anything.
   */
  note(folders: readonly LogFolder[], unread: readonly UnreadLog[]): Promise<boolean>
}

export type TailReport = {
  readonly records: number
  readonly broken: number
  /** Something in the database is another now. */
  readonly changed: boolean
}

/**
 * Brings the logs in the database up to date with those on disk, as they grow: work is proportional to what is new, and
 * one that ends at any moment goes on from there the next time.
 */
export class LogTail {
  private follower: LogFollower | null = null

  constructor(
    private readonly reader: LogReader,
    private readonly database: LogDatabase,
  ) {}

  async read(signal?: AbortSignal): Promise<TailReport> {
    this.follower ??= new LogFollower(this.reader, null, this.database.cursors())
    const { follower } = this
    let [records, broken, changed] = [0, 0, false]
    try {
      for await (const batch of follower.read()) {
        await this.database.write(batch)
        records += batch.records.length
        broken += batch.broken.length
        changed = true
        if (signal?.aborted) break
      }
    } catch (error) {
      // What the follower has read was not written: begin again from what the database has.
      this.follower = null
      throw error
    }
    const noted = await this.database.note(follower.folders, follower.problems)
    return { records, broken, changed: changed || noted }
  }
}
