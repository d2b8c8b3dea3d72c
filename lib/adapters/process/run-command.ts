import { spawn } from 'node:child_process'
import type { Milliseconds } from '../../core/units/units'

/** Of what a failing command prints, so much is passed on. Characters. */
const MAX_OUTPUT = 300

/** The input of a command. */
export type CommandFacts = { readonly [name: string]: CommandFact | readonly CommandFacts[] }

type CommandFact = string | number | null

export type OwnCommand = {
  /** What it is for, in messages: `hook`. */
  readonly name: string
  readonly command: string
  /** Then it and all that it started is ended. */
  readonly timeoutMs: Milliseconds
}

/**
 * Runs a command of the operator through the shell, as in any configuration file. The facts come as one line of JSON on
 * standard input, never in the command line, where the text of a session could be taken for one. Answers what went
 * wrong, or null.
 */
export function runCommand(
  { name, command, timeoutMs }: OwnCommand,
  facts: CommandFacts,
): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'pipe'], detached: true })
    let output = ''
    const timer = setTimeout(() => {
      endGroup(child.pid)
      resolve(`The ${name} "${command}" was ended after ${timeoutMs / 1000} s.`)
    }, timeoutMs)
    child.stderr.on('data', (chunk: Buffer) => {
      if (output.length < MAX_OUTPUT) output += chunk.toString()
    })
    // A command that does not read its input closes it; that is no failure.
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${JSON.stringify(facts)}\n`)
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve(`The ${name} "${command}" cannot be run: ${error.message}`)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      const said = output.trim().slice(0, MAX_OUTPUT)
      resolve(
        code === 0 ? null : `The ${name} "${command}" ended with ${code}${said === '' ? '' : `: ${said}`}`,
      )
    })
  })
}

/** The shell and all that it started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended on its own.
  }
}
