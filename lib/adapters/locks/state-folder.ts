import { existsSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import JSON5 from 'json5'
import * as z from 'zod'
import { fromHome } from '../discovery/surroundings'
import { JsonFiles } from '../files/json-file'
import { isInside } from '../files/regular-file'

const CONFIG_NAMES = ['openclaw.json', 'clawdbot.json', 'moldbot.json', 'moltbot.json']
const STATE_VARIABLES = ['OPENCLAW_STATE_DIR', 'CLAWDBOT_STATE_DIR', 'MOLTBOT_STATE_DIR']
const STATE_NAME = /^\.(?:openclaw(?:-.+)?|clawdbot|moldbot|moltbot)$/
const DEFAULT_PORT = 18_789

type Environment = Readonly<Record<string, string | undefined>>

/** The few settings that say where a runtime can be reached, and where it keeps sessions. */
type Settings = {
  readonly port: number | null
  /** `remote`: the gateway is on another machine. */
  readonly mode: string | null
  readonly store: string | null
  readonly writeLock: unknown
  readonly maintenance: unknown
  readonly version: string | null
}

const shape = z.object({
  gateway: z
    .object({
      port: z.number().int().min(1).max(65_535).nullable().catch(null),
      mode: z.string().nullable().catch(null),
    })
    .catch({ port: null, mode: null }),
  session: z
    .object({
      store: z.string().min(1).nullable().catch(null),
      writeLock: z.unknown().optional(),
      maintenance: z.unknown().optional(),
    })
    .catch({ store: null }),
  meta: z
    .object({ lastTouchedVersion: z.string().nullable().catch(null) })
    .catch({ lastTouchedVersion: null }),
})

const NOTHING: Settings = {
  port: null,
  mode: null,
  store: null,
  writeLock: undefined,
  maintenance: undefined,
  version: null,
}
const files = new JsonFiles<Settings>((text) => {
  const { gateway, session, meta } = shape.parse(JSON5.parse(text))
  return {
    port: gateway.port,
    mode: gateway.mode,
    version: meta.lastTouchedVersion,
    writeLock: undefined,
    maintenance: undefined,
    ...session,
  }
})

/** The OpenClaw state folder that a transcript belongs to, going up from it; null for a file that is elsewhere. */
export function stateFolderOf(file: string): string | null {
  let folder = path.dirname(file)
  for (let up = 0; up < 4; up++) {
    if (STATE_NAME.test(path.basename(folder)) || configFile(folder) !== null) return folder
    folder = path.dirname(folder)
  }
  return null
}

/** TCP port of the gateway that serves a state folder. */
export function gatewayPort(folder: string): number {
  return settings(folder).port ?? DEFAULT_PORT
}

/** Whether a state folder's gateway is on another machine (`gateway.mode`). */
export function isGatewayRemote(folder: string): boolean {
  return settings(folder).mode === 'remote'
}

/** `session.writeLock` of a state folder's configuration, unchecked. */
export function writeLockSettings(folder: string): unknown {
  return settings(folder).writeLock
}

/** `session.maintenance` of a state folder's configuration, unchecked, and the version that last wrote it. */
export function maintenanceSettings(folder: string): Pick<Settings, 'maintenance' | 'version'> {
  const { maintenance, version } = settings(folder)
  return { maintenance, version }
}

/** Whether a runtime with this environment keeps the transcript (a real path) in its own state folder. */
export function ownsTranscript(environment: Environment, file: string): boolean {
  return stateFolders(environment).some((folder) => {
    const real = realFolder(folder)
    return real !== null && (isInside(real, file) || keepsElsewhere(real, environment, file))
  })
}

/**
 * State folders that a process with this environment may use. Without a variable that names one, every one in its home
 * counts: a profile is chosen by an argument, which a running client no longer shows.
 */
function stateFolders(environment: Environment): string[] {
  const base = environment.HOME || environment.USERPROFILE || ''
  const home = environment.OPENCLAW_HOME ? fromHome(environment.OPENCLAW_HOME, base) : base
  const named = STATE_VARIABLES.flatMap((name) => environment[name]?.trim() || [])
  if (named.length > 0) return named.map((folder) => fromHome(folder, home))
  if (home === '') return []
  return listNames(home)
    .filter((name) => STATE_NAME.test(name))
    .map((name) => path.join(home, name))
}

/** `session.store` may lead out of the state folder; `{agentId}` in it matches any agent. */
function keepsElsewhere(folder: string, environment: Environment, file: string): boolean {
  const { store } = settings(folder)
  if (store === null) return false
  const home = environment.HOME || environment.USERPROFILE || ''
  const wanted = path.dirname(fromHome(store, home)).split(path.sep)
  const actual = path.dirname(file).split(path.sep)
  return (
    wanted.length === actual.length &&
    wanted.every((part, at) => part.includes('{agentId}') || part === actual[at])
  )
}

function settings(folder: string): Settings {
  const file = configFile(folder)
  return (file === null ? null : files.get(file).value) ?? NOTHING
}

function configFile(folder: string): string | null {
  return CONFIG_NAMES.map((name) => path.join(folder, name)).find((file) => existsSync(file)) ?? null
}

function realFolder(folder: string): string | null {
  try {
    return realpathSync.native(folder)
  } catch {
    // Not there: nothing is kept in it.
    return null
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
