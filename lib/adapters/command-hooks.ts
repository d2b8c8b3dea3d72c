import { spawn } from 'node:child_process'
import type { CompactionHooks, HookFacts } from '../engine/compaction-hooks'

/** Of what a failing command prints, so much is told. Characters. */
const MAX_OUTPUT = 300

export type CommandHooksOptions = {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly timeoutMs: number
}

/**
 * Runs the operator's own commands around a compaction, through the shell as in any configuration file. The facts come
 * as one line of JSON on standard input, never in the command line, where the text of a session could be taken for one.
 */
export function commandHooks({ before, after, timeoutMs }: CommandHooksOptions): CompactionHooks {
  return {
    run: async (event, facts) => {
      const problems: string[] = []
      for (const command of event === 'before' ? before : after) {
        const problem = await runCommand(command, { ...facts, event: `${event}_compaction` }, timeoutMs)
        if (problem !== null) problems.push(problem)
      }
      return problems
    },
  }
}

function runCommand(command: string, facts: HookFacts, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'pipe'], detached: true })
    let output = ''
    const timer = setTimeout(() => {
      endGroup(child.pid)
      resolve(`The hook "${command}" was ended after ${timeoutMs / 1000} s.`)
    }, timeoutMs)
    child.stderr.on('data', (chunk: Buffer) => {
      if (output.length < MAX_OUTPUT) output += chunk.toString()
    })
    // A command that does not read its input closes it; that is no failure.
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${JSON.stringify(facts)}\n`)
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve(`The hook "${command}" cannot be run: ${error.message}`)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      const said = output.trim().slice(0, MAX_OUTPUT)
      resolve(code === 0 ? null : `The hook "${command}" ended with ${code}${said === '' ? '' : `: ${said}`}`)
    })
  })
}

/** The shell and all that it started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
