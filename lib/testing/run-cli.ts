import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { main } from '../cli/main'

export type CliRun = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** An environment whose settings are in the folder's `plimsoll.json`. */
export function settledIn(folder: string): Record<string, string> {
  return {
    HOME: folder,
    PLIMSOLL_HOME: join(folder, 'state'),
    PLIMSOLL_CONFIG: join(folder, 'plimsoll.json'),
  }
}

/** Runs a command line in this process, with an environment that holds nothing but what is given. */
export async function runCli(
  argv: readonly string[],
  options: {
    readonly env?: Record<string, string>
    readonly cwd?: string
    readonly stop?: AbortSignal
    readonly pause?: (ms: number) => Promise<void>
    /** What is on standard input. */
    readonly stdin?: string
    /** Standard output is a terminal. */
    readonly isTerminal?: boolean
    /** Called with what is written to standard error, as it is written. */
    readonly onError?: (text: string) => void
    /** Folder of the package; the checkout, if nothing is said. */
    readonly root?: string
  } = {},
): Promise<CliRun> {
  const stdout = Object.assign(new Sink(), options.isTerminal === true ? { isTTY: true } : {})
  const stderr = new Sink(options.onError)
  const code = await main({
    argv,
    env: options.env ?? {},
    stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
    stdout,
    stderr,
    cwd: options.cwd ?? process.cwd(),
    root: options.root ?? fileURLToPath(new URL('../..', import.meta.url)),
    untilStopped: () => options.stop ?? AbortSignal.abort(),
    pause: options.pause,
  })
  return { code, stdout: stdout.text, stderr: stderr.text }
}

class Sink extends Writable {
  text = ''

  constructor(private readonly onText: (text: string) => void = () => {}) {
    super()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    this.onText(chunk.toString())
    done()
  }
}
