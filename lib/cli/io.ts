import type { Readable, Writable } from 'node:stream'

/** Everything a command touches outside itself; injected, so that tests need no process. */
export type Io = {
  /** Arguments after the program's name. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly cwd: string
  /** For verbs that stay: aborted by Ctrl-C, by SIGTERM, or when the process that started us has gone. */
  readonly untilStopped: () => AbortSignal
  /** For verbs that come again: waits so many milliseconds, or until the signal; absent: by the system's clock. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Folder of the package. */
  readonly root: string
}

/** Exit codes of all verbs (README, "Command line"). */
export const EXIT = {
  done: 0,
  /** A check says no. */
  no: 1,
  /** Wrong use: unknown verb, option or session. */
  usage: 2,
  /** Refused: locked, live, changed, not allowed. */
  refused: 3,
  /** The input cannot be read. */
  unreadable: 4,
  /** A fault of ours. */
  fault: 5,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends a command with a message for the reader; everything else that is thrown counts as a fault. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: ExitCode
  readonly details: Readonly<Record<string, unknown>>

  /** @param details more facts for `--json`, e.g. candidates */
  constructor(exit: ExitCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.exit = exit
    this.details = details
  }
}

/** Each verb is its own bundle, with its own copy of the class. */
export function isCliError(error: unknown): error is CliError {
  return error instanceof Error && error.name === 'CliError' && 'exit' in error
}
