import type { Bytes } from '../../core/units/units'
import { LocalConnection } from './local-connection'
import type { WriteGate } from './write-gate'

/** So much of transcripts becomes some ten megabytes of log. Bytes. */
const KEEP_AFTER = 128 * 1024 * 1024

/**
 * Puts what threads have written into a database's log into its file, in a thread that has time for it: none of the
 * writers has to stop and wait for the disk.
 */
export class LogKeeper {
  readonly #connection: LocalConnection
  readonly #gate: WriteGate
  #waiting = 0

  constructor(databaseFile: string, gate: WriteGate) {
    this.#connection = new LocalConnection(databaseFile)
    this.#gate = gate
  }

  /**
   * To be called after a transaction. Blocks this thread when it is time, the writers only for a moment.
   * @param bytes of transcripts that went into it
   */
  keep(bytes: Bytes): void {
    this.#waiting += bytes
    if (this.#waiting < KEEP_AFTER) return
    this.#waiting = 0
    this.#empty()
    // The log begins anew only when nothing is left in it: now comes what was written in the meantime.
    this.#gate.enter()
    try {
      this.#empty()
    } finally {
      this.#gate.leave()
    }
  }

  close(): void {
    this.#connection.close()
  }

  #empty(): void {
    this.#connection.run('PRAGMA wal_checkpoint(PASSIVE)')
  }
}
