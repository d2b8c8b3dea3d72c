import { isObject, type JsonObject } from '../transcript/json'
import type { BlockCheck, BlockTable, Misfit } from './form-rules'

const MAX_SHOWN = 60

/** A value as an error shows it: short, with its kind. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value === 'string') {
    const text = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value
    return JSON.stringify(text)
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? `a list of ${value.length}` : `a value of type ${typeof value}`
}

export function misfit(field: string, value: unknown, expected: Misfit['expected']): Misfit {
  return { field, found: shown(value), expected }
}

/** A misfit by which another form is recognised. */
export function otherForm(field: string, value: unknown, expected: Misfit['expected']): Misfit {
  return { ...misfit(field, value, expected), isOther: true }
}

/** The names as a sentence has them: `a, b or c`. */
export function either(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`
}

/** Whether one of the fields is there whose names belong to another form; null and undefined are no fields. */
export function foreignField(message: JsonObject, fields: readonly string[], form: string): Misfit | null {
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] as string
    if (message[field] !== undefined && message[field] !== null)
      return otherForm(field, message[field], `no field ${field} in messages of ${form}`)
  }
  return null
}

export function roleMisfit(message: JsonObject, roles: ReadonlySet<unknown>): Misfit | null {
  return roles.has(message.role) ? null : otherForm('role', message.role, [...roles].map(String))
}

/** The first block that the table does not have, or that the check refuses. */
export function blocksMisfit(
  blocks: readonly unknown[],
  place: string,
  table: BlockTable,
  check: BlockCheck = () => null,
): Misfit | null {
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at]
    if (!isObject(block)) return misfit(`${place}[${at}]`, block, 'a block: an object with a type')
    const { type } = block
    if (typeof type !== 'string' || !Object.hasOwn(table, type))
      return misfit(`${place}[${at}].type`, type, Object.keys(table))
    const wrong = check(block, type)
    if (wrong !== null) return { ...wrong, field: `${place}[${at}].${wrong.field}` }
  }
  return null
}

/** Content that is a text or a list of known blocks. */
export function contentMisfit(content: unknown, table: BlockTable, check?: BlockCheck): Misfit | null {
  if (typeof content === 'string') return null
  if (!Array.isArray(content)) return misfit('content', content, 'a text or a list of blocks')
  return blocksMisfit(content, 'content', table, check)
}

/** The first of the fields that is no text. */
export function missingText(block: JsonObject, fields: readonly string[]): Misfit | null {
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] as string
    if (typeof block[field] !== 'string') return misfit(field, block[field], 'a text')
  }
  return null
}
