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
  return `${shown(value)} is not allowed here: ${allowedAt(path)}${issue === undefined ? '' : ` (${issue.message})`}`
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : Array.isArray(value) ? 'a list' : String(value)
}
