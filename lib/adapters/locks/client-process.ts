import path from 'node:path'
import { isOurSign } from './client-sign'

/** What a process is to a store: `gateway` serves sessions, `run` is any other program of that runtime, null is neither. */
export type ClientRole = 'gateway' | 'run' | null

const NAMES = '(?:openclaw|clawdbot|moltbot|moldbot)'
/** Running clients show a title in place of their arguments: `openclaw`, `openclaw-agent`, `openclaw-gateway` … */
const TITLE = new RegExp(`^${NAMES}(?:-([a-z]+))?$`)
/** Before they have set it, Node's program and the script are seen. */
const SCRIPT = new RegExp(`(?:^|/)${NAMES}(?:\\.mjs|/(?:dist|src)/(?:entry|index)\\.[jt]s)?$`)
const INTERPRETER = /^(?:node|bun|deno|tsx)(?:\d+)?$/
const PI_SCRIPT = /(?:^|\/)(?:pi|pi-coding-agent\/dist\/cli\.js)$/

/** Whether a process is OpenClaw, under its name of today or an earlier one. Stricter than its own rule for locks. */
export function openClawRole(argv: readonly string[]): ClientRole {
  if (isOurSign(argv)) return null
  const [program = '', ...rest] = argv.map(normal)
  const title = TITLE.exec(path.posix.basename(program))
  if (title !== null) return title[1] === 'gateway' || rest.includes('gateway') ? 'gateway' : 'run'
  if (!runsScript(program, rest, SCRIPT)) return null
  return rest.includes('gateway') ? 'gateway' : 'run'
}

/** Whether a process is pi. */
export function isPi(argv: readonly string[]): boolean {
  const [program = '', ...rest] = argv.map(normal)
  return path.posix.basename(program) === 'pi' || runsScript(program, rest, PI_SCRIPT)
}

function runsScript(program: string, rest: readonly string[], script: RegExp): boolean {
  if (!INTERPRETER.test(path.posix.basename(program))) return false
  const file = rest.find((argument) => !argument.startsWith('-'))
  return file !== undefined && script.test(file)
}

function normal(argument: string): string {
  return argument
    .trim()
    .replaceAll('\\', '/')
    .toLowerCase()
    .replace(/\.(bat|cmd|exe)$/, '')
}
