import { knobNodeAt } from './knobs/knob-at'
import { knobSchema } from './knobs/knob-schema'
import { allowedAt } from './knobs/knob-words'

/** Checks one value for its path; returns what is wrong with it in words, or null. */
export function faultOf(path: string, value: unknown): string | null {
  const node = knobNodeAt(path)
  if (node === null) return 'there is no such setting'
  const result = knobSchema(node).safeParse(value)
  if (result.success) return null
  const issue = result.error.issues[0]
  return `${notAllowed(value, allowedAt(path))}${issue === undefined ? '' : ` (${issue.message})`}`
}

/** That a value must be another one. @param allowed what it must be, in words */
export function notAllowed(value: unknown, allowed: string): string {
  return `${shown(value)} is not allowed here: ${allowed}`
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'a group' : String(value)
}
