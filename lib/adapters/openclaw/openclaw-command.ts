import { spawn } from 'node:child_process'
import { isObject, type JsonObject } from '../../core/transcript/json'
import type { Milliseconds } from '../../core/units/units'
import { withFullStop } from '../../core/words/full-stop'

/** No answer is longer. Bytes. */
const MAX_OUTPUT = 4 * 1024 * 1024
/** Of what a failing command prints, so much is passed on. Characters. */
const MAX_MESSAGE = 300
/** Beyond the time that the command is given to answer in, until it is ended. Milliseconds. */
const GRACE = 5_000

export type OpenClawCommand = {
  /** A program with its first arguments. */
  readonly command: readonly string[]
  readonly timeoutMs: Milliseconds
  readonly env: Readonly<Record<string, string | undefined>>
}

export type CommandEnd =
  | { readonly kind: 'ended'; readonly stdout: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped' }

/**
 * Runs OpenClaw's own command with these arguments, without a shell. One that takes too long, or is not wanted any
 * more, is ended with all that it started.
 */
export function runOpenClaw(
  { command, timeoutMs, env }: OpenClawCommand,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<CommandEnd> {
  const [program = '', ...first] = command
  if (signal?.aborted) return Promise.resolve({ kind: 'stopped' })
  return new Promise((resolve) => {
    const child = spawn(program, [...first, ...args], {
      env: { ...env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    const output = { stdout: '', stderr: '' }
    const end = (result: CommandEnd) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(result)
    }
    const giveUp = (result: CommandEnd) => {
      endGroup(child.pid, () => child.kill('SIGKILL'))
      // What it started may keep its output open for good.
      child.stdout.destroy()
      child.stderr.destroy()
      end(result)
    }
    const stop = () => giveUp({ kind: 'stopped' })
    const seconds = (timeoutMs + GRACE) / 1000
    const timer = setTimeout(
      () => giveUp({ kind: 'failed', message: `${program} did not end within ${seconds} s, and was ended.` }),
      timeoutMs + GRACE,
    )
    signal?.addEventListener('abort', stop)
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8')
      child[name].on('data', (text: string) => {
        output[name] += text
        if (output[name].length > MAX_OUTPUT)
          giveUp({ kind: 'failed', message: `${program} printed more than any answer holds, and was ended.` })
      })
    }
    child.on('error', (error) => end({ kind: 'failed', message: startFailure(error, program) }))
    child.on('close', (code, by) => {
      if (code === 0) end({ kind: 'ended', stdout: output.stdout })
      else {
        const said = short(output.stderr || output.stdout)
        end({ kind: 'failed', message: `${program} ended with ${code ?? by}: ${said}` })
      }
    })
  })
}

function startFailure(error: Error & { code?: unknown }, program: string): string {
  return error.code === 'ENOENT'
    ? `There is no program "${program}". Set "gateway.command" in the settings to OpenClaw's own command.`
    : `${program} cannot be run: ${withFullStop(error.message)} Look at "gateway.command" in the settings.`
}

/** A command and all that it started. */
function endGroup(pid: number | undefined, alone: () => void): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // No group (Windows), or it has ended on its own.
    alone()
  }
}

/** The object at the end of what a command prints; the command's notes may precede it. */
export function jsonIn(stdout: string): JsonObject | null {
  const lines = stdout.split('\n')
  const from = lines.findIndex((line) => line.startsWith('{'))
  if (from < 0) return null
  try {
    const value: unknown = JSON.parse(lines.slice(from).join('\n'))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** What a command printed, on one line and bounded: its end, where the reason is. */
export function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_MESSAGE ? `…${line.slice(-MAX_MESSAGE)}` : line || 'nothing'
}
