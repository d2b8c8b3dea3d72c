import { isObject, type JsonObject } from '../../../core/transcript/json'
import type { Bytes } from '../../../core/units/units'
import { numberColumn, numberIn, type SqliteSnapshot, textColumn } from '../../sqlite/read-only'

/** A message of a session, before any of it is read. */
export type MessageKey = {
  readonly id: string
  /** Of its row and those of its parts, as stored. */
  readonly bytes: Bytes
  /** How many parts it has, and when the last of them was written. Changes when a part is written anew. */
  readonly parts: number
  readonly changedAt: number
}

/** The messages of a session in their order. */
export async function messageKeys(snapshot: SqliteSnapshot, sessionId: string): Promise<MessageKey[]> {
  const parts = await snapshot.all(
    `SELECT CAST(message_id AS BLOB) AS message, count(*) AS parts, sum(octet_length(data)) AS bytes,
            max(${numberIn('time_updated')}) AS changed
     FROM part WHERE session_id = ? GROUP BY message_id`,
    sessionId,
  )
  const byMessage = new Map(parts.map((row) => [textColumn(row.message), row]))
  const rows = await snapshot.all(
    `SELECT CAST(id AS BLOB) AS id, octet_length(data) AS bytes FROM message
     WHERE session_id = ? ORDER BY ${numberIn('time_created')}, id`,
    sessionId,
  )
  return rows.map((row) => {
    const id = textColumn(row.id)
    const own = byMessage.get(id)
    return {
      id,
      bytes: (numberColumn(row.bytes) ?? 0) + (numberColumn(own?.bytes) ?? 0),
      parts: numberColumn(own?.parts) ?? 0,
      changedAt: numberColumn(own?.changed) ?? 0,
    }
  })
}

/** A record: what `openCodeEntries` takes, or why it cannot be had. */
export type OpenCodeRecord = JsonObject | { readonly problem: string }

/** The record of the session itself; null when it is not there. */
export async function sessionRecord(snapshot: SqliteSnapshot, sessionId: string): Promise<JsonObject | null> {
  const [row] = await snapshot.all(
    `SELECT CAST(id AS BLOB) AS id, CAST(parent_id AS BLOB) AS parent, CAST(directory AS BLOB) AS directory,
            CAST(title AS BLOB) AS title, ${numberIn('time_created')} AS created FROM session WHERE id = ?`,
    sessionId,
  )
  if (row === undefined) return null
  return {
    session: {
      id: textColumn(row.id),
      parent_id: textColumn(row.parent) || undefined,
      directory: textColumn(row.directory),
      title: textColumn(row.title).slice(0, MAX_TITLE),
      time_created: numberColumn(row.created) ?? undefined,
    },
  }
}

const MAX_TITLE = 1_000

/** The records of some messages, in the order of their keys. */
export async function messageRecords(
  snapshot: SqliteSnapshot,
  sessionId: string,
  keys: readonly MessageKey[],
): Promise<OpenCodeRecord[]> {
  const ids = JSON.stringify(keys.map(({ id }) => id))
  const messages = await snapshot.all(
    `SELECT CAST(id AS BLOB) AS id, CAST(data AS BLOB) AS data FROM message
     WHERE session_id = ? AND id IN (SELECT value FROM json_each(?))`,
    sessionId,
    ids,
  )
  const rows = await snapshot.all(
    `SELECT CAST(id AS BLOB) AS id, CAST(message_id AS BLOB) AS message, CAST(data AS BLOB) AS data FROM part
     WHERE message_id IN (SELECT value FROM json_each(?)) AND session_id = ? ORDER BY id`,
    ids,
    sessionId,
  )
  const parts = new Map<string, JsonObject[]>()
  for (const row of rows) {
    const message = textColumn(row.message)
    const list = parts.get(message) ?? []
    parts.set(message, list)
    list.push(partOf(textColumn(row.data), textColumn(row.id)))
  }
  const texts = new Map(messages.map((row) => [textColumn(row.id), textColumn(row.data)]))
  const records = keys.map(({ id }): OpenCodeRecord => {
    const info = parsed(texts.get(id) ?? '')
    if (typeof info === 'string') return { problem: `message ${id}: ${info}` }
    return { info: { ...info, id }, parts: parts.get(id) ?? [] }
  })
  return withRequests(snapshot, sessionId, records)
}

/** A summary with the part that asked for it, which is another message's. */
async function withRequests(
  snapshot: SqliteSnapshot,
  sessionId: string,
  records: OpenCodeRecord[],
): Promise<OpenCodeRecord[]> {
  const asking = records.map((record) => {
    const { info } = record as JsonObject
    return isObject(info) && info.summary === true && typeof info.parentID === 'string' ? info.parentID : null
  })
  const wanted = asking.filter((id) => id !== null)
  if (wanted.length === 0) return records
  const rows = await snapshot.all(
    `SELECT CAST(message_id AS BLOB) AS message, CAST(data AS BLOB) AS data FROM part
     WHERE session_id = ? AND message_id IN (SELECT value FROM json_each(?)) AND octet_length(data) < ${SMALL}`,
    sessionId,
    JSON.stringify(wanted),
  )
  const compactions = new Map<string, JsonObject>()
  for (const row of rows) {
    const part = parsed(textColumn(row.data))
    if (typeof part !== 'string' && part.type === 'compaction') compactions.set(textColumn(row.message), part)
  }
  return records.map((record, i) => {
    const compaction = compactions.get(asking[i] ?? '')
    return compaction === undefined ? record : { ...record, compaction }
  })
}

/** The part that asks for a compaction is a few words. Bytes. */
const SMALL = 4_096

/** A part that cannot be read is one of a kind that is not known: it is kept, and counted. */
function partOf(text: string, id: string): JsonObject {
  const value = parsed(text)
  return typeof value === 'string' ? { type: `that cannot be read (${value})`, id } : { ...value, id }
}

/** An object, or why the text is none. */
function parsed(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : 'not a JSON object'
  } catch (error) {
    return error instanceof Error ? error.message : 'not JSON'
  }
}
