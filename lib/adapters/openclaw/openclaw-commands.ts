import { realpathSync } from 'node:fs'
import { type Cleanup, readCleanup } from '../../core/maintenance/cleanup'
import { isObject, type JsonObject, stringOf } from '../../core/transcript/json'
import type {
  CleanupRequest,
  CommandReply,
  DatabasePlace,
  OpenClawCommands,
} from '../../engine/openclaw/openclaw-commands'
import { jsonIn, type OpenClawCommand, runOpenClaw, short } from './openclaw-command'

/**
 * `openclaw sessions cleanup` as the operator's OpenClaw has it. The dry run and the change both get `--enforce`,
 * so that one is the plan of the other. A gateway is only asked by the state folder's own configuration: variables that
 * name another one are left out.
 */
export function openClawCommands(command: OpenClawCommand): OpenClawCommands {
  const [program = ''] = command.command
  const run = async (
    { place, active, fixMissing, signal }: CleanupRequest,
    own: readonly string[],
  ): Promise<CommandReply<Cleanup>> => {
    const args = ['sessions', 'cleanup', ...own, '--enforce', '--json', '--agent', place.agent]
    if (active !== null) args.push('--active-key', active)
    if (fixMissing) args.push('--fix-missing')
    const end = await runOpenClaw({ ...command, env: environmentOf(command.env, place) }, args, signal)
    return end.kind === 'ended' ? answerOf(end.stdout, place, program) : end
  }
  return {
    previewCleanup: (request) => run(request, ['--dry-run', '--store', request.place.database]),
    cleanUp: (request, through) =>
      run(request, through === 'gateway' ? [] : ['--store', request.place.database]),
    doctor: async ({ place, signal }) => {
      const env = environmentOf(command.env, place)
      const end = await runOpenClaw({ ...command, env }, ['doctor', '--fix', '--non-interactive'], signal)
      return end.kind === 'ended' ? { kind: 'answered', answer: null } : end
    },
  }
}

const NAMES_A_GATEWAY = ['OPENCLAW_GATEWAY_URL', 'OPENCLAW_GATEWAY_PORT']

function environmentOf(
  env: OpenClawCommand['env'],
  { stateFolder }: DatabasePlace,
): Record<string, string | undefined> {
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !NAMES_A_GATEWAY.includes(name)))
  return stateFolder === null ? rest : { ...rest, OPENCLAW_STATE_DIR: stateFolder }
}

function answerOf(stdout: string, { database }: DatabasePlace, program: string): CommandReply<Cleanup> {
  const body = jsonIn(stdout)
  if (body === null)
    return { kind: 'failed', message: `${program} answered with something else than JSON: ${short(stdout)}` }
  const partial = isObject(body.partialError) ? stringOf(body.partialError.message) : undefined
  if (partial !== undefined)
    return { kind: 'failed', message: `${program} came only half way: ${short(partial)}` }
  const read = readCleanup(aboutOne(body, database))
  if (!read.ok) {
    const message = `${program} answered in a form that this version does not know (${read.problem}): ${short(stdout)}`
    return { kind: 'failed', message }
  }
  return { kind: 'answered', answer: { ...read.cleanup, database: realOf(read.cleanup.database) } }
}

/** Of an answer about several databases, the part about this one. */
function aboutOne(body: JsonObject, database: string): unknown {
  if (!Array.isArray(body.stores)) return body
  return body.stores.find((store) => isObject(store) && realOf(stringOf(store.storePath) ?? '') === database)
}

/** A path without links: a gateway may have been given another way to the same database. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // Not on this machine: then it is another one in any case.
    return path
  }
}
