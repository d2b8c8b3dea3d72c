import path from 'node:path'
import { type Candidate, fromHome, type Surroundings, userHome } from '../../discovery/surroundings'
import type { SourceDiscovery } from '../source'

/** Lines that begin files and have no place in the tree. */
const FIRST_TYPES = new Set([
  'summary',
  'file-history-snapshot',
  'queue-operation',
  'mode',
  'permission-mode',
])

/**
 * Claude Code: `<config>/projects/<folder>/<session>.jsonl`, and sub-agents below `<session>/subagents`; before 2.x they
 * are beside the session (lib/docs/claude-code-and-codex.md#claude-code).
 */
export const claudeCodeDiscovery: SourceDiscovery = {
  places,
  sessionsIn: (folder) => (path.basename(folder) === 'projects' ? folder : projectsIn(folder)),
  owns: (folder) => path.basename(folder) === 'projects',
  isNamed: () => false,
  knows: (line) => {
    const { type, uuid, sessionId, leafUuid, messageId } = line
    if (typeof type !== 'string') return false
    if (typeof sessionId === 'string' && (typeof uuid === 'string' || FIRST_TYPES.has(type))) return true
    return (
      (type === 'summary' && typeof leafUuid === 'string') ||
      (FIRST_TYPES.has(type) && messageId !== undefined)
    )
  },
}

function projectsIn(folder: string): string {
  return /^\.?claude$/.test(path.basename(folder)) ? path.join(folder, 'projects') : folder
}

/** `CLAUDE_CONFIG_DIR`, else `~/.claude` and the place that newer releases use. */
function places({ env, home }: Surroundings): Candidate[] {
  const own = userHome({ env, home })
  const named = env.CLAUDE_CONFIG_DIR?.split(',').map((folder) => folder.trim()) ?? []
  const configured = named
    .filter((folder) => folder !== '')
    .map((folder): Candidate => candidate(path.join(fromHome(folder, own), 'projects'), 'environment'))
  const config = env.XDG_CONFIG_HOME ? fromHome(env.XDG_CONFIG_HOME, own) : path.join(own, '.config')
  return [
    ...configured,
    candidate(path.join(own, '.claude', 'projects'), 'known'),
    candidate(path.join(config, 'claude', 'projects'), 'known'),
  ]
}

function candidate(folder: string, why: Candidate['why']): Candidate {
  return { path: folder, kind: 'claude-code', why }
}
