import type { Io } from '../io'
import { toSafeJson, toTerminal } from './terminal-text'

/** Writes a text as it is and waits until it has left; a reader that went away (`| head`) ends the output quietly. */
export function write(stream: Io['stdout'], text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error)
      else resolve()
    })
  })
}

/** The one JSON document of a verb. */
export function writeJson(io: Io, value: unknown): Promise<void> {
  return write(io.stdout, `${toSafeJson(value)}\n`)
}

/** A line for the reader on stderr. */
export function note(io: Io, text: string): Promise<void> {
  return write(io.stderr, `${toTerminal(text)}\n`)
}
