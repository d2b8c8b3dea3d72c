/**
 * An option of `createContext`, or something handed to a context, that cannot be used. The message names the option, the
 * value and what to do.
 * @example
 * ```ts
 * import { ContextOptionError, createContext } from 'plimsoll-agent'
 *
 * try {
 *   createContext({ model: 'claude-sonnet-4-5', window: Number.NaN })
 * } catch (error) {
 *   if (error instanceof ContextOptionError) console.error(error.option, error.message)
 * }
 * ```
 */
export class ContextOptionError extends Error {
  readonly code = 'CONTEXT_OPTION'

  constructor(
    /** Its name, with dots where it is a part of another one: `policy.lines.compact.at`. */
    readonly option: string,
    message: string,
  ) {
    super(message)
    this.name = 'ContextOptionError'
  }
}

/** Characters of a value that a message shows. */
const SHOWN = 60

/** A value as an error shows it. */
export function shownValue(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  // JSON has no word for these.
  if (['number', 'bigint', 'symbol', 'undefined'].includes(typeof value)) return String(value)
  if (Array.isArray(value)) return `a list of ${value.length}`
  const text = typeof value === 'object' && value !== null ? keysOf(value) : JSON.stringify(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

function keysOf(value: object): string {
  const keys = Object.keys(value)
  return keys.length === 0 ? 'an empty object' : `an object with ${keys.join(', ')}`
}
