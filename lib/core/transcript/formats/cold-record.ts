import { isObject, stringOf } from '../json'

/**
 * Takes the transcript line out of one line of an OpenClaw cold archive, which wraps each in
 * `{"kind":"event","row":{"seq":…,"event_json":"…"}}`. Null for records of other kinds (header, identity, index …),
 * which are not part of the transcript; a line that is no such record is returned as it is.
 */
export function lineOfColdRecord(text: string): string | null {
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch {
    return text
  }
  if (!isObject(record) || stringOf(record.kind) === undefined) return text
  if (record.kind !== 'event') return null
  return (isObject(record.row) ? stringOf(record.row.event_json) : undefined) ?? text
}
