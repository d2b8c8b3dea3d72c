import type { Bytes } from '../units/units'
/** A configuration file larger than this is none: it is neither read nor written. Bytes. */
export const MOST_CONFIG_BYTES = 1024 * 1024

/** Why a configuration file is too large, and what to do, without a full stop; null when it is not. */
export function sizeProblem(path: string, bytes: Bytes): string | null {
  if (bytes <= MOST_CONFIG_BYTES) return null
  return `${path} has ${bytes} bytes; no configuration is larger than ${MOST_CONFIG_BYTES}. Take out of it what is no setting`
}

/** The same for a text that is to be written. */
export function textSizeProblem(path: string, text: string): string | null {
  return sizeProblem(path, new TextEncoder().encode(text).length)
}
