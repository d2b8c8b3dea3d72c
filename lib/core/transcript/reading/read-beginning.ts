import { parseObject, stringOf } from '../json'

/** What the beginning of an entry's line says about its place in the tree. */
export type Beginning = {
  readonly id: string
  readonly parentId: string | null
  readonly timestamp?: string
  /** Of the message in it. */
  readonly role?: string
}

// Values of one piece, whole: what begins in a text that is cut off says nothing.
const FIELD =
  /\s*[{,]\s*("(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|null|true|false|-?[\d.eE+-]+))(?=\s*[,}])/y
const ROLE = /\s*,\s*"message"\s*:\s*\{\s*"role"\s*:\s*"([^"\\]+)"/y

/** Entries that are no part of the tree, or move in it by more than their place. */
const WITHOUT_PLACE = new Set<unknown>(['session', 'leaf'])

/**
 * Place, time and role of an entry whose line is too long to be read, from the first characters of it: pi and OpenClaw
 * write them before the content. Null when they are not there.
 */
export function readBeginning(text: string): Beginning | null {
  const fields: string[] = []
  let end = 0
  for (FIELD.lastIndex = 0; ; end = FIELD.lastIndex) {
    const [, field] = FIELD.exec(text) ?? []
    if (field === undefined) break
    fields.push(field)
  }
  ROLE.lastIndex = end
  const [, role] = ROLE.exec(text) ?? []
  const { type, id, parentId, timestamp } = parseObject(`{${fields.join()}}`) ?? {}
  if (typeof type !== 'string' || WITHOUT_PLACE.has(type) || typeof id !== 'string') return null
  if (parentId !== null && typeof parentId !== 'string') return null
  return { id, parentId, timestamp: stringOf(timestamp), role }
}
