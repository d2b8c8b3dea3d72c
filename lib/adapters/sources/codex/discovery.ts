import path from 'node:path'
import { type Candidate, fromHome, type Surroundings, userHome } from '../../discovery/surroundings'
import type { SourceDiscovery } from '../source'
import { sessionOfRollout } from './rollout-name'

/** Kinds of lines that no other runtime writes in this way: with all of it under `payload`. */
const ENVELOPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted'])

/** Codex: `$CODEX_HOME/sessions/<year>/<month>/<day>/rollout-….jsonl` (lib/docs/claude-code-and-codex.md#codex). */
export const codexDiscovery: SourceDiscovery = {
  places,
  sessionsIn: (folder) => (path.basename(folder) === '.codex' ? path.join(folder, 'sessions') : folder),
  owns: (folder) =>
    path.basename(folder) === 'archived_sessions' || path.basename(path.dirname(folder)) === '.codex',
  isNamed: (file) => sessionOfRollout(file) !== null,
  knows: ({ type, payload, id, instructions, git, record_type: record }) => {
    if (typeof type === 'string') return ENVELOPES.has(type) && typeof payload === 'object'
    const isFirst = typeof id === 'string' && (instructions !== undefined || git !== undefined)
    return isFirst || record === 'state'
  },
}

function places({ env, home }: Surroundings): Candidate[] {
  const own = userHome({ env, home })
  const folder = env.CODEX_HOME ? fromHome(env.CODEX_HOME, own) : path.join(own, '.codex')
  const why = env.CODEX_HOME ? 'environment' : 'known'
  return ['sessions', 'archived_sessions'].map((name) => ({
    path: path.join(folder, name),
    kind: 'codex',
    why,
  }))
}
