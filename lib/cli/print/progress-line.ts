import type { Io } from '../io'
import { cutToWidth, toTerminal } from './terminal-text'

const REFRESH_MS = 100

/** One line on the terminal that is written over; nothing where standard error is no terminal. */
export type ProgressLine = { show(text: string): void; clear(): void }

export function progressLine(io: Io): ProgressLine {
  const stream = io.stderr as Io['stderr'] & { readonly isTTY?: boolean; readonly columns?: number }
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined }
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show: (text) => {
      const now = performance.now()
      if (now - shownAt < REFRESH_MS) return
      shownAt = now
      stream.write(`\r\u001b[2K${cutToWidth(toTerminal(text), (stream.columns ?? 80) - 1)}`)
    },
    clear: () => {
      if (shownAt > Number.NEGATIVE_INFINITY) stream.write('\r\u001b[2K')
    },
  }
}
