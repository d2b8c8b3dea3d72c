import { execFile } from 'node:child_process'
import { isObject, type JsonObject, stringOf } from '../core/transcript/json'
import type { Gateway, GatewayReply } from '../engine/gateway-port'

/** No answer is longer. Bytes. */
const MAX_OUTPUT = 1024 * 1024
/** Of what a failing command prints, so much is told. Characters. */
const MAX_MESSAGE = 300
/** Beyond the time that the command is given to answer in, until it is ended. Milliseconds. */
const GRACE = 5_000

export type OpenClawGatewayOptions = {
  /** A program with its first arguments. */
  readonly command: readonly string[]
  readonly url: string | null
  readonly timeoutMs: number
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * OpenClaw's gateway by its own command, `openclaw gateway call sessions.compact` (its method takes `key` and `agentId`,
 * no focus). Nothing of it goes through a shell; a token is not in its arguments, where every user of the machine could
 * read it.
 */
export function openClawGateway({ command, url, timeoutMs, env }: OpenClawGatewayOptions): Gateway {
  const [program = '', ...first] = command
  return {
    compact: ({ key, agent, signal }) => {
      const params = JSON.stringify({ key, ...(agent === null ? {} : { agentId: agent }) })
      const own = ['gateway', 'call', 'sessions.compact', '--params', params, '--timeout', String(timeoutMs)]
      const args = [...first, ...own, '--json', ...(url === null ? [] : ['--url', url])]
      const options = {
        env: { ...env, NODE_ENV: 'production' as const },
        timeout: timeoutMs + GRACE,
        killSignal: 'SIGKILL' as const,
        maxBuffer: MAX_OUTPUT,
        windowsHide: true,
        ...(signal === undefined ? {} : { signal }),
      }
      return new Promise<GatewayReply>((resolve) => {
        execFile(program, args, options, (error, stdout, stderr) => {
          if (signal?.aborted) resolve({ kind: 'stopped' })
          else if (error === null) resolve(replyOf(stdout, program))
          else resolve({ kind: 'failed', message: failureOf(error, program, stderr || stdout, timeoutMs) })
        })
      })
    },
  }
}

function replyOf(stdout: string, program: string): GatewayReply {
  const body = jsonIn(stdout)
  if (body === null)
    return { kind: 'failed', message: `${program} answered with something else than JSON: ${short(stdout)}` }
  const reason = stringOf(body.reason) ?? null
  if (body.ok === true && typeof body.compacted === 'boolean')
    return { kind: 'answered', compacted: body.compacted, reason }
  // It calls a session that needs no compaction a failure as well.
  if (body.compacted === false && reason !== null && NOTHING_TO_DO.test(reason))
    return { kind: 'answered', compacted: false, reason }
  return { kind: 'failed', message: `The gateway did not compact: ${short(JSON.stringify(body))}` }
}

/** What OpenClaw's own commands take for no failure (2026.7 and 2026.9). */
const NOTHING_TO_DO =
  /nothing to compact|no real conversation messages|below threshold|already under target|already[ _]compacted/i

/** The object at the end of what a command prints; notes of its own may stand before it. */
function jsonIn(stdout: string): JsonObject | null {
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

function failureOf(
  error: Error & { code?: unknown; killed?: boolean },
  program: string,
  said: string,
  timeoutMs: number,
): string {
  if (error.code === 'ENOENT')
    return `There is no program "${program}". Set "gateway.command" in the settings to OpenClaw's own command.`
  if (error.killed === true)
    return `${program} did not end within ${(timeoutMs + GRACE) / 1000} s, and was ended.`
  return `${program} ended with ${String(error.code)}: ${short(said)}`
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_MESSAGE ? `…${line.slice(-MAX_MESSAGE)}` : line || 'nothing'
}
