import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Milliseconds } from '../../core/units/units'

/** How a child process ended. */
export type ChildEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

export type Child = {
  readonly ended: Promise<ChildEnd>
  /** Asks it to end, and makes it end when it does not within `graceMs`. */
  stop(graceMs?: Milliseconds): Promise<ChildEnd>
}

/**
 * Starts one of our own processes. Its standard input is a pipe that ends with us, so that it can notice our death; its
 * output comes line by line.
 */
export function startChild(options: {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onLine: (line: string, from: 'stdout' | 'stderr') => void
}): Child {
  const child = spawn(process.execPath, options.args, {
    cwd: options.cwd,
    env: { ...options.env, NODE_ENV: 'production', PLIMSOLL_CHILD: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  readLines(child.stdout, (line) => options.onLine(line, 'stdout'))
  readLines(child.stderr, (line) => options.onLine(line, 'stderr'))
  // However we end, it does not go on: it may be too busy to notice that its standard input has ended.
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  // A child that is gone already cannot be written to; its end is reported below.
  child.stdin.on('error', () => {})
  const ended = new Promise<ChildEnd>((resolve) => {
    child.on('close', (code, signal) => {
      process.off('exit', killNow)
      resolve({ code, signal })
    })
    child.on('error', (error) => {
      process.off('exit', killNow)
      options.onLine(error.message, 'stderr')
      resolve({ code: null, signal: null })
    })
  })
  return { ended, stop: (graceMs = 5_000) => stopChild(child, ended, graceMs) }
}

async function stopChild(
  child: ChildProcess,
  ended: Promise<ChildEnd>,
  graceMs: Milliseconds,
): Promise<ChildEnd> {
  if (child.exitCode !== null || child.signalCode !== null) return ended
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  const end = await ended
  clearTimeout(timer)
  return end
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine)
}
