import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const BIN = fileURLToPath(new URL('../lib/cli/bin.cjs', import.meta.url))

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Running = {
  readonly ended: Promise<Ended>
  readonly pid: number
  /** Resolves when the standard output holds the text. */
  printed(text: string): Promise<void>
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
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (stdout.includes(text)) resolve()
        }
        listeners.add(look)
        look()
        void ended.then((end) => reject(new Error(`ended before it printed ${text}: ${end.stderr}`)))
      }),
    kill: (signal) => void child.kill(signal),
  }
}
