import { isObject, type JsonObject, numberOf, stringOf } from '../../transcript/json'
import { SAID, type Translate, type TranslatedEntry } from '../../transcript/reading/translated'
import { answerEntries } from './answers'
import { summaryEntries } from './compactions'
import { spokenEntries } from './prompts'

/**
 * Entries of one record of an OpenCode session: the session itself (`session`), or a message (`info`) with its parts
 * (`parts`) and, for a summary, the part that asked for it (`compaction`). Its database has no lines; a record is put
 * together of its rows (lib/docs/opencode.md#records).
 */
export const openCodeEntries: Translate = (record) => {
  const { session, info } = record
  if (isObject(session)) return sessionEntries(session)
  if (!isObject(info)) return [{ type: '(none)' }]
  const entries = messageEntries(info, partsOf(record), record.compaction)
  const id = stringOf(info.id)
  const timestamp = isObject(info.time) ? numberOf(info.time.created) : undefined
  return entries.map((entry, i) => ({
    ...(id !== undefined && { id: i === 0 ? id : `${id}#${i + 1}` }),
    ...(timestamp !== undefined && { timestamp }),
    ...entry,
  }))
}

function messageEntries(
  info: JsonObject,
  parts: readonly JsonObject[],
  compaction: unknown,
): readonly TranslatedEntry[] {
  switch (info.role) {
    case 'user':
      return spokenEntries(parts)
    case 'assistant':
      return info.summary === true
        ? summaryEntries(info, parts, isObject(compaction) ? compaction : null)
        : answerEntries(info, parts)
    default:
      return [{ type: `message of ${stringOf(info.role) ?? '(none)'}` }]
  }
}

function partsOf({ parts }: JsonObject): JsonObject[] {
  return Array.isArray(parts) ? parts.filter(isObject) : []
}

/** Version 1 of our form: entries follow one another, and a message has no parent. */
function sessionEntries(session: JsonObject): TranslatedEntry[] {
  const { id, directory, parent_id: parent, title, time_created: timestamp } = session
  const parentSession = stringOf(parent)
  return [
    {
      type: 'session',
      version: 1,
      id,
      cwd: directory,
      timestamp,
      ...(parentSession && { parentSession, [SAID]: { agentOf: parentSession } }),
    },
    { type: 'session_info', name: title, appendMode: 'side' },
  ]
}
