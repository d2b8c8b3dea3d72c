import { realFolder } from '../adapters/discovery/confined-folder'
import { knownPlaces } from '../adapters/discovery/known-places'
import { openClawCommands } from '../adapters/openclaw/openclaw-commands'
import { openClawGateway } from '../adapters/openclaw/openclaw-gateway'
import { databaseCensus } from '../adapters/stores/database-census'
import type { CleanPorts, PlanPorts } from '../engine/openclaw/clean-database'
import type { Gateway } from '../engine/openclaw/gateway-port'
import type { DatabasePlace, OpenClawCommands } from '../engine/openclaw/openclaw-commands'
import type { Writer } from '../engine/write/write-ports'
import type { Setup, Variables } from './open'
import { storeTrust } from './stores/store-trust'

/** OpenClaw's gateway as the settings name it; null when they do not. */
export function openGateway({ settings }: Setup, variables: Variables): Gateway | null {
  const { gateway } = settings
  if (gateway === null) return null
  const { command, url, timeoutSeconds } = gateway
  return openClawGateway({ command, url, timeoutMs: timeoutSeconds * 1000, env: variables })
}

/**
 * OpenClaw's own commands as the settings name them; null when they do not. They run with the settings of the state folder
 * that a store lies in, and these name programs: so only for the folders where this account's OpenClaw keeps its state,
 * and for those that the operator lets have it.
 */
export function openCommands(setup: Setup, variables: Variables): OpenClawCommands | null {
  const { gateway } = setup.settings
  if (gateway === null) return null
  const { command, timeoutSeconds } = gateway
  const commands = openClawCommands({ command, timeoutMs: timeoutSeconds * 1000, env: variables })
  const refused = (place: DatabasePlace) => foreignState(setup, variables, place)
  return {
    previewCleanup: async (request) => refused(request.place) ?? commands.previewCleanup(request),
    cleanUp: async (request, through) =>
      refused(request.place) ??
      (through === 'gateway' ? withoutState(request.place) : null) ??
      commands.cleanUp(request, through),
    doctor: async (request) =>
      refused(request.place) ?? withoutState(request.place) ?? commands.doctor(request),
  }
}

type Refused = { readonly kind: 'failed'; readonly message: string }

/**
 * Why OpenClaw is not run for a store where it is given no database, or null: without a state folder it would change the
 * operator's own one instead.
 */
function withoutState({ stateFolder, database }: DatabasePlace): Refused | null {
  if (stateFolder !== null) return null
  const message = `OpenClaw’s own command would change the state folder of your OpenClaw, and not ${database}: no state folder can be found that this database belongs to. Nothing was run. Put the database where OpenClaw keeps it: in agents/NAME/agent below a state folder.`
  return { kind: 'failed', message }
}

/** Why OpenClaw is not run with the settings of a store, or null. Without a state folder it has the operator's own ones. */
function foreignState(setup: Setup, variables: Variables, { stateFolder }: DatabasePlace): Refused | null {
  if (stateFolder === null) return null
  const own = knownPlaces({ env: variables, home: setup.environment.userHome })
    .filter(({ kind }) => kind === 'openclaw')
    .map(({ path }) => realFolder(path))
  if (own.includes(realFolder(stateFolder))) return null
  if (storeTrust(setup, stateFolder, [{ kind: 'openclaw', root: stateFolder }]).allowed.openclaw) return null
  const line = `stores: [{ path: ${JSON.stringify(stateFolder)}, allow: { openclaw: true } }]`
  const message = `OpenClaw’s own command would run with the settings in ${stateFolder}, which name programs that it starts, and your OpenClaw does not keep its state there. Nothing was run. If that folder is yours, add this to your settings: ${line}`
  return { kind: 'failed', message }
}

/** What it takes to ask OpenClaw what it would do to one of its databases. */
export function planPorts(commands: OpenClawCommands): PlanPorts {
  return { commands, census: databaseCensus() }
}

/** What it takes to have OpenClaw change one of its databases, and to see that it did. */
export function cleanPorts(commands: OpenClawCommands, writer: Writer): CleanPorts {
  return { ...writer, ...planPorts(commands) }
}
