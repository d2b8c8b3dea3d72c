import { stringOf } from '../../core/transcript/json'
import type { Gateway, GatewayReply } from '../../engine/openclaw/gateway-port'
import { jsonIn, type OpenClawCommand, runOpenClaw, short } from './openclaw-command'

export type OpenClawGatewayOptions = OpenClawCommand & { readonly url: string | null }

/**
 * OpenClaw's gateway by its own command, `openclaw gateway call sessions.compact` (its method takes `key` and `agentId`,
 * no focus). Nothing of it goes through a shell; a token is not in its arguments, where every user of the machine could
 * read it.
 */
export function openClawGateway({ url, ...command }: OpenClawGatewayOptions): Gateway {
  const [program = ''] = command.command
  return {
    compact: async ({ key, agent, signal }) => {
      const params = JSON.stringify({ key, ...(agent === null ? {} : { agentId: agent }) })
      const timeout = String(command.timeoutMs)
      const args = ['gateway', 'call', 'sessions.compact', '--params', params, '--timeout', timeout, '--json']
      const end = await runOpenClaw(command, [...args, ...(url === null ? [] : ['--url', url])], signal)
      return end.kind === 'ended' ? replyOf(end.stdout, program) : end
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
