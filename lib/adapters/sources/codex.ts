import path from 'node:path'
import { codexEntries } from '../../core/sources/codex/entries'
import { type Candidate, fromHome, type Surroundings, userHome } from '../discovery/surroundings'
import type { Source, SourceFile } from './source'

/** Kinds of lines that no other runtime writes in this way: with all of it under `payload`. */
const ENVELOPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted'])

/** `rollout-<time>-<uuid>.jsonl` */
const ROLLOUT = /^rollout-.*?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i

/** Codex: `$CODEX_HOME/sessions/<year>/<month>/<day>/rollout-….jsonl` (lib/docs/claude-code-and-codex.md#codex). */
export const codex: Source = {
  kind: 'codex',
  name: 'Codex',
  translate: codexEntries,
  places,
  sessionsIn: (folder) => (path.basename(folder) === '.codex' ? path.join(folder, 'sessions') : folder),
  owns: (folder) =>
    path.basename(folder) === 'archived_sessions' || path.basename(path.dirname(folder)) === '.codex',
  isNamed: (file) => ROLLOUT.test(path.basename(file, '.jsonl')),
  describe,
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

function describe(root: string, file: string): SourceFile {
  const stem = path.basename(file, '.jsonl')
  const isArchived = path.relative(root, file).split(path.sep).includes('archived_sessions')
  return {
    sessionId: ROLLOUT.exec(stem)?.[1] ?? stem,
    key: null,
    agent: null,
    state: isArchived ? 'backup' : 'live',
    ofAgent: false,
  }
}
