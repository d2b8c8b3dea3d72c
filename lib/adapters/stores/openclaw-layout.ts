import { type Dirent, opendirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { SourceProblem } from '../../engine/read/source-problem'
import { asSourceProblem, errorCode, isInside } from '../files/regular-file'

export const AGENT_DATABASE = 'openclaw-agent.sqlite'

/** Where OpenClaw keeps the sessions of one agent. Absolute paths; none of them need exist. */
export type AgentPlace = {
  readonly agent: string | null
  /** JSONL transcripts and `sessions.json`. */
  readonly sessions: string | null
  /** What an import into SQLite put aside. */
  readonly imports: string | null
  readonly database: string | null
  /** The agent's model catalogue. */
  readonly models: string | null
}

export type Layout = {
  readonly places: readonly AgentPlace[]
  /** The one file that the root is; null for folders. */
  readonly only: string | null
  /** The state folder, where it is known; its `openclaw.json` configures the agents. */
  readonly stateFolder: string | null
  /** Agents that could not be read. */
  readonly problems: readonly SourceProblem[]
}

/**
 * Finds the agents of a store root, which may be a state folder, one agent's folder, a sessions folder, an agent
 * database or a single transcript. Reads no more than the list of agents.
 *
 * @throws SourceProblem when the root itself cannot be read.
 */
export function openClawLayout(root: string): Layout {
  let isFile: boolean
  try {
    isFile = !statSync(root).isDirectory()
  } catch (error) {
    throw asSourceProblem(error, root)
  }
  if (isFile) return fileLayout(root)
  if (has(root, 'agents')) return stateLayout(root)
  const stateFolder = stateFolderAbove(root)
  if (has(root, 'sessions') || has(root, path.join('agent', AGENT_DATABASE))) {
    return { places: [agentPlace(root)], only: null, stateFolder, problems: [] }
  }
  return { places: [folderPlace(root)], only: null, stateFolder, problems: [] }
}

function fileLayout(file: string): Layout {
  const folder = path.dirname(file)
  const place = file.endsWith('.sqlite')
    ? { ...agentPlace(path.dirname(folder)), sessions: null, imports: null, database: file }
    : { ...folderPlace(folder), database: null }
  return { places: [place], only: file, stateFolder: stateFolderAbove(folder), problems: [] }
}

function stateLayout(root: string): Layout {
  const agents = path.join(root, 'agents')
  const problems: SourceProblem[] = []
  const places: AgentPlace[] = []
  for (const entry of listFolder(agents, problems)) {
    const folder = path.join(agents, entry.name)
    if (isFolderInside(root, folder, entry, problems)) places.push(agentPlace(folder))
  }
  // Before there were agents, sessions were in the state folder itself.
  places.push({ ...folderPlace(path.join(root, 'sessions')), agent: 'main', database: null })
  return { places, only: null, stateFolder: root, problems }
}

function agentPlace(folder: string): AgentPlace {
  return {
    agent: path.basename(folder),
    sessions: path.join(folder, 'sessions'),
    imports: path.join(folder, 'session-sqlite-import-archive'),
    database: path.join(folder, 'agent', AGENT_DATABASE),
    models: path.join(folder, 'agent', 'models.json'),
  }
}

/** A folder that holds transcripts (or a database) directly. */
function folderPlace(folder: string): AgentPlace {
  const owner = path.dirname(folder)
  const owned = path.basename(path.dirname(owner)) === 'agents'
  return {
    agent: owned ? path.basename(owner) : null,
    sessions: folder,
    imports: null,
    database: path.join(folder, AGENT_DATABASE),
    models: owned ? path.join(owner, 'agent', 'models.json') : null,
  }
}

/** `<state>/agents/<id>[/sessions]` → `<state>`. */
export function stateFolderAbove(folder: string): string | null {
  for (const candidate of [path.dirname(folder), path.dirname(path.dirname(folder))]) {
    if (path.basename(candidate) === 'agents') return path.dirname(candidate)
  }
  return null
}

/** The entries of a folder; none when it is not there, none and a problem when it cannot be read. */
export function listFolder(folder: string, problems: SourceProblem[]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    noteUnlisted(folder, error, problems)
    return []
  }
}

/** Whether a folder has an entry of such a name. Lists it no further than to the first one: it may hold thousands. */
export function hasEntry(
  folder: string,
  isWanted: (name: string) => boolean,
  problems: SourceProblem[],
): boolean {
  try {
    const open = opendirSync(folder)
    try {
      for (let entry = open.readSync(); entry !== null; entry = open.readSync())
        if (isWanted(entry.name)) return true
    } finally {
      open.closeSync()
    }
  } catch (error) {
    noteUnlisted(folder, error, problems)
  }
  return false
}

/** A folder that is not there is no problem. */
function noteUnlisted(folder: string, error: unknown, problems: SourceProblem[]): void {
  const code = errorCode(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') problems.push(asSourceProblem(error, folder))
}

/** Whether an entry is a folder, or a link to one that does not lead out of the root. */
export function isFolderInside(
  root: string,
  folder: string,
  entry: Pick<Dirent, 'isDirectory' | 'isSymbolicLink'>,
  problems: SourceProblem[],
): boolean {
  if (entry.isDirectory()) return true
  if (!entry.isSymbolicLink()) return false
  try {
    const real = realpathSync(folder)
    if (!statSync(real).isDirectory()) return false
    if (isInside(root, real)) return true
    problems.push(
      new SourceProblem(
        'outside',
        folder,
        `${folder} is a link that leads out of the store, to ${real}; it is not followed. Name that place as a separate store to read it.`,
      ),
    )
  } catch (error) {
    // A link to nothing is no agent.
    if (errorCode(error) !== 'ENOENT') problems.push(asSourceProblem(error, folder))
  }
  return false
}

function has(folder: string, name: string): boolean {
  try {
    return statSync(path.join(folder, name), { throwIfNoEntry: false }) !== undefined
  } catch {
    // No permission: the list of the folder says so.
    return false
  }
}

/** Refuses a folder inside an agent (`sessions`, the database's) that is a link leading out of the root. */
export function checkInside(root: string, target: string): SourceProblem | null {
  try {
    const real = realpathSync(target)
    if (isInside(root, real)) return null
    return new SourceProblem(
      'outside',
      target,
      `${target} leads out of the store, to ${real}; it is not followed. Name that place as a separate store to read it.`,
    )
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? null : asSourceProblem(error, target)
  }
}
