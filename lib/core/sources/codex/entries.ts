import { isObject, type JsonObject, numberOf, stringOf } from '../../transcript/json'
import { SAID, type Said, type Translate, type TranslatedEntry } from '../../transcript/reading/translated'
import { itemEntries } from './items'
import { usageEntry } from './usage'

/** Kinds of lines that hold nothing of the conversation (lib/docs/claude-code-and-codex.md#codex). */
const ASIDE: ReadonlySet<string> = new Set(['world_state', 'inter_agent_communication_metadata'])

/** Entries of one line of a Codex rollout: enveloped, or flat as releases before 0.30 wrote them (lib/docs/claude-code-and-codex.md#codex). */
export const codexEntries: Translate = (line) => {
  const payload = isObject(line.payload) ? line.payload : null
  const entries = payload === null ? flatEntries(line) : envelopedEntries(line, payload)
  const { timestamp } = line
  return timestamp === undefined ? entries : entries.map((entry) => ({ timestamp, ...entry }))
}

function envelopedEntries({ type }: JsonObject, payload: JsonObject): readonly TranslatedEntry[] {
  switch (type) {
    case 'session_meta':
      return metaEntries(payload)
    case 'turn_context':
      return [{ type: 'model_change', modelId: payload.model }]
    case 'response_item':
      return itemEntries(payload)
    case 'event_msg':
      return eventEntries(payload)
    case 'token_usage_record':
      return usageEntry(payload.usage, payload.thread_token_usage, payload.response_id, undefined)
    case 'compacted':
      return compactedEntries(payload)
    default:
      return ASIDE.has(stringOf(type) ?? '') ? [] : [{ type: stringOf(type) ?? '(none)' }]
  }
}

/** Before 0.30: the session's own fields on the first line, then items as they are, and states of the client. */
function flatEntries(line: JsonObject): readonly TranslatedEntry[] {
  if (line.record_type !== undefined) return []
  const type = stringOf(line.type)
  if (type !== undefined) return itemEntries(line)
  return stringOf(line.id) === undefined ? [{ type: '(none)' }] : metaEntries(line)
}

/** Who the session is, and its system prompt where that is written down. */
function metaEntries(meta: JsonObject): TranslatedEntry[] {
  const { id, cwd, model_provider: provider } = meta
  const agentOf = parentOf(meta.source)
  const said: Said = agentOf === undefined ? {} : { agentOf }
  const header = { type: 'session', version: 1, id, cwd, provider, [SAID]: said }
  const system = isObject(meta.base_instructions)
    ? stringOf(meta.base_instructions.text)
    : stringOf(meta.instructions)
  if (system === undefined) return [header]
  const fixed = { system, tools: '' }
  return [header, { type: 'custom', customType: 'codex:instructions', [SAID]: { fixed } }]
}

/** The session that a sub-agent works for. */
function parentOf(source: unknown): string | undefined {
  const subagent = isObject(source) && isObject(source.subagent) ? source.subagent : {}
  const spawn = isObject(subagent.thread_spawn) ? subagent.thread_spawn : {}
  return stringOf(spawn.parent_thread_id)
}

function eventEntries(event: JsonObject): readonly TranslatedEntry[] {
  if (event.type === 'token_count') {
    const info = isObject(event.info) ? event.info : {}
    return usageEntry(
      info.last_token_usage,
      info.total_token_usage,
      undefined,
      numberOf(info.model_context_window),
    )
  }
  if (event.type === 'thread_name_updated') return [{ type: 'session_info', name: event.thread_name }]
  // Everything else repeats what items say, or is of the client's own running.
  return []
}

/**
 * A compaction: what is sent from here on is written out in full. The summary of one that the provider made is
 * encrypted.
 */
function compactedEntries({ message, replacement_history: history }: JsonObject): TranslatedEntry[] {
  const boundary: TranslatedEntry = { type: 'compaction', summary: message, [SAID]: { bare: true } }
  const items = Array.isArray(history) ? history.filter(isObject).flatMap(itemEntries) : []
  return [boundary, ...items]
}
