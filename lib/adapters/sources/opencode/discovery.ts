import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { type Candidate, fromHome, type Surroundings, userHome } from '../../discovery/surroundings'
import type { SourceDiscovery } from '../source'

/** `opencode.db`, and `opencode-<channel>.db` of releases that are no stable ones. */
const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/

/** OpenCode: `$XDG_DATA_HOME/opencode/opencode.db`, or where `OPENCODE_DB` says (lib/docs/opencode.md#places). */
export const openCodeDiscovery: SourceDiscovery = {
  places,
  sessionsIn: (folder) => folder,
  owns: (folder) => path.basename(folder) === 'opencode' && databasesIn(folder).length > 0,
  isNamed: (file) => DATABASE.test(path.basename(file)),
  // It writes no lines.
  knows: () => false,
}

function places({ env, home }: Surroundings): Candidate[] {
  const own = userHome({ env, home })
  const data = env.XDG_DATA_HOME ? fromHome(env.XDG_DATA_HOME, own) : path.join(own, '.local', 'share')
  const folder = path.join(data, 'opencode')
  const why = env.XDG_DATA_HOME ? 'environment' : 'known'
  const named = env.OPENCODE_DB && env.OPENCODE_DB !== ':memory:' ? env.OPENCODE_DB : null
  return [
    ...(named === null ? [] : [candidate(path.resolve(folder, fromOwn(named, own)), 'environment')]),
    // Without a database there may be files of releases before 1.2, which a newer one takes over.
    ...(existsSync(folder) ? [candidate(folder, why)] : []),
  ]
}

/** A name without a folder lies in the data folder. */
function fromOwn(value: string, home: string): string {
  return value.startsWith('~') ? fromHome(value, home) : value
}

function candidate(target: string, why: Candidate['why']): Candidate {
  return { path: target, kind: 'opencode', why }
}

/** The databases of a store: its root, or those in it; by name. */
export function databasesIn(root: string): string[] {
  try {
    return readdirSync(root)
      .filter((name) => DATABASE.test(name))
      .sort()
      .map((name) => path.join(root, name))
  } catch {
    // Absent or closed to us: whoever examines the folder says so. A file has no names in it.
    return existsSync(root) && DATABASE.test(path.basename(root)) ? [root] : []
  }
}
