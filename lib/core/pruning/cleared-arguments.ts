import { isObject } from '../transcript/json'

/** Replaces a long argument of a call. */
export const ARGUMENT_PLACEHOLDER = '[Old tool input cleared]'

/** Shorter texts stay: paths, names and flags say what was done, and take next to nothing. Characters. */
const SHORT = 120
/** Arguments that are nested deeper than tools nest them are cleared as a whole. */
const MAX_DEPTH = 8

/**
 * Arguments of a call without their long texts, the same value where there are none. Arguments that a runtime keeps as
 * JSON text stay JSON text, and a free-form text that is no JSON stays as it is.
 */
export function clearedArguments(value: unknown): unknown {
  if (typeof value !== 'string') return isObject(value) ? cleared(value, 0) : value
  if (value.length <= SHORT) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) ? JSON.stringify(cleared(parsed, 0)) : value
  } catch {
    return value
  }
}

/** Whether something was cleared in these arguments before. */
export function isCleared(text: string): boolean {
  return text.includes(ARGUMENT_PLACEHOLDER)
}

function cleared(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > SHORT ? ARGUMENT_PLACEHOLDER : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return ARGUMENT_PLACEHOLDER
  if (Array.isArray(value)) return value.map((part) => cleared(part, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleared(part, depth + 1)]))
}
