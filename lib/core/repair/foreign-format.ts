import { isObject, type JsonObject } from '../transcript/json'
import type { ClientForm } from './clients/client-findings'

/** A transcript of another program: its name, and whose check can look at it (null: none). */
export type ForeignFormat = { readonly name: string; readonly form: ClientForm | null }

const CODEX: ForeignFormat = { name: 'Codex', form: 'codex' }
const CLAUDE_CODE: ForeignFormat = { name: 'Claude Code', form: 'claude-code' }

/** Whose transcript a file is, by its first entry, when it is neither pi's nor OpenClaw's; null when it may be. */
export function foreignFormat(first: JsonObject): ForeignFormat | null {
  if (ENVELOPES.has(String(first.type)) && isObject(first.payload)) return CODEX
  if (first.type === undefined && 'instructions' in first && 'timestamp' in first) return CODEX
  if (first.record_type === 'state') return CODEX
  if ('parentUuid' in first || 'leafUuid' in first || CLAUDE_TYPES.has(String(first.type))) return CLAUDE_CODE
  if (typeof first.sessionId === 'string' && typeof first.type === 'string') return CLAUDE_CODE
  if (typeof first.traceSchema === 'string') return { name: 'OpenClaw’s run traces', form: null }
  return null
}

const ENVELOPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted'])

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
