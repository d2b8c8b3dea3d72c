import { isObject, type JsonObject } from '../transcript/json'

/** Whose transcript a file is, by its first entry, when it is neither pi's nor OpenClaw's; null when it may be. */
export function foreignFormat(first: JsonObject): string | null {
  if (first.type === 'session_meta' && isObject(first.payload)) return 'Codex'
  if (first.type === undefined && 'instructions' in first && 'timestamp' in first) return 'Codex'
  if (first.record_type === 'state') return 'Codex'
  if ('parentUuid' in first || 'leafUuid' in first || CLAUDE_TYPES.has(String(first.type)))
    return 'Claude Code'
  if (typeof first.traceSchema === 'string') return 'OpenClaw’s run traces'
  return null
}

/** Types of lines with which files of Claude Code begin when it is not a message. */
const CLAUDE_TYPES = new Set([
  'file-history-snapshot',
  'queue-operation',
  'permission-mode',
  'summary',
  'custom-title',
  'ai-title',
  'agent-name',
  'last-prompt',
])
