import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { SOURCES } from '../sources/sources'
import { type Candidate, fromHome, type Surroundings, userHome } from './surroundings'

/** Folders of OpenClaw under its earlier names. */
const LEGACY_FOLDERS = ['.clawdbot', '.moldbot', '.moltbot']

/** Environment variables that name a state folder; the last two were honoured by early releases. */
const STATE_VARIABLES = ['OPENCLAW_STATE_DIR', 'CLAWDBOT_STATE_DIR', 'MOLTBOT_STATE_DIR']

/** Where the runtimes keep sessions on this machine (lib/docs/openclaw.md#places). */
export function knownPlaces(surroundings: Surroundings): Candidate[] {
  return distinct([
    ...openClawPlaces(surroundings),
    ...piPlaces(surroundings),
    ...SOURCES.flatMap(({ discovery }) => discovery.places(surroundings)),
  ])
}

/** OPENCLAW_HOME, HOME, USERPROFILE, else the system's answer. */
export function openClawHome({ env, home }: Surroundings): string {
  const base = userHome({ env, home })
  return env.OPENCLAW_HOME ? fromHome(env.OPENCLAW_HOME, base) : base
}

function openClawPlaces(surroundings: Surroundings): Candidate[] {
  const { env } = surroundings
  const home = openClawHome(surroundings)
  const named = STATE_VARIABLES.flatMap((name): Candidate[] => {
    const value = env[name]
    return value ? [{ path: fromHome(value, home), kind: 'openclaw', why: 'environment' }] : []
  })
  const known = ['.openclaw', ...LEGACY_FOLDERS, ...profiles(home)].map(
    (name): Candidate => ({ path: path.join(home, name), kind: 'openclaw', why: 'known' }),
  )
  return [...named, ...known]
}

/** `openclaw --profile x` keeps its state in `~/.openclaw-x`. */
function profiles(home: string): string[] {
  try {
    return readdirSync(home)
      .filter((name) => name.startsWith('.openclaw-'))
      .sort()
  } catch {
    // A home that cannot be listed has no profiles to offer; its other places are probed one by one.
    return []
  }
}

function piPlaces(surroundings: Surroundings): Candidate[] {
  const { env } = surroundings
  const home = userHome(surroundings)
  const places: Candidate[] = []
  const add = (place: string, why: Candidate['why'], namedBy?: string) =>
    places.push({ path: place, kind: 'pi', why, ...(namedBy === undefined ? {} : { namedBy }) })
  if (env.PI_CODING_AGENT_SESSION_DIR) add(fromHome(env.PI_CODING_AGENT_SESSION_DIR, home), 'environment')
  const agentFolder = env.PI_CODING_AGENT_DIR
    ? fromHome(env.PI_CODING_AGENT_DIR, home)
    : path.join(home, '.pi', 'agent')
  const configured = piSessionDir(agentFolder)
  if (configured !== null) add(fromHome(configured, home), 'known', agentFolder)
  add(path.join(agentFolder, 'sessions'), env.PI_CODING_AGENT_DIR ? 'environment' : 'known')
  if (env.PI_CODING_AGENT_DIR) add(path.join(home, '.pi', 'agent', 'sessions'), 'known')
  return places
}

/** `sessionDir` of pi's settings; null when it is not set. */
function piSessionDir(agentFolder: string): string | null {
  const file = path.join(agentFolder, 'settings.json')
  if (!existsSync(file)) return null
  try {
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const value =
      typeof settings === 'object' && settings !== null && 'sessionDir' in settings
        ? settings.sessionDir
        : undefined
    return typeof value === 'string' && value !== '' ? value : null
  } catch {
    // pi itself goes on with its defaults then.
    return null
  }
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter((candidate) => {
    const fresh = !seen.has(candidate.path)
    seen.add(candidate.path)
    return fresh
  })
}
