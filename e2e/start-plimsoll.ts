import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'

export const BIN = fileURLToPath(new URL('../lib/cli/bin.cjs', import.meta.url))

/** The token of all dashboards that this worker starts: what its browsers and requests carry. */
export const TOKEN = randomBytes(24).toString('base64url')

/** What a request carries that is let in. */
export const SIGNED_IN = { headers: { Authorization: `Bearer ${TOKEN}` } } as const

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Running = {
  readonly ended: Promise<Ended>
  readonly pid: number
  /** Resolves with the first match in the standard output, as soon as there is one. */
  printed(wanted: RegExp): Promise<RegExpExecArray>
  /** What it wrote to standard error so far. */
  complaints(): string
  kill(signal: NodeJS.Signals): void
}

/** Starts the built command with a clean environment. */
export function startPlimsoll(
  args: readonly string[],
  home: string,
  env: Record<string, string> = {},
): Running {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOME: home,
      PLIMSOLL_HOME: `${home}/state`,
      PLIMSOLL_TOKEN: TOKEN,
      ...(process.env.PLIMSOLL_DIST ? { PLIMSOLL_DIST: process.env.PLIMSOLL_DIST } : {}),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const listeners = new Set<() => void>()
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    for (const listener of listeners) listener()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
  return {
    ended,
    pid: child.pid ?? 0,
    printed: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = wanted.exec(stdout)
          if (found) resolve(found)
        }
        listeners.add(look)
        look()
        void ended.then((end) => reject(new Error(`ended before it printed ${wanted}: ${end.stderr}`)))
      }),
    complaints: () => stderr,
    kill: (signal) => void child.kill(signal),
  }
}
