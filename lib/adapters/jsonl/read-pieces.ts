import { closeSync, constants, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

const PIECE = 1024 * 1024

/** So many pieces are taken at once; then others get their turn. */
const IN_A_ROW = 8

/** Never waits for the other end of a pipe, never follows a link. Windows knows neither. */
const CAREFULLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** The bytes of a file in order. Each piece is valid until the next one is asked for: all share one buffer. */
export async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
  const fd = openSync(path, CAREFULLY)
  try {
    const buffer = Buffer.allocUnsafeSlow(PIECE)
    for (let piece = 1; ; piece++) {
      const read = readSync(fd, buffer, 0, PIECE, null)
      if (read === 0) return
      yield buffer.subarray(0, read)
      if (piece % IN_A_ROW === 0) await setImmediate()
    }
  } finally {
    closeSync(fd)
  }
}
