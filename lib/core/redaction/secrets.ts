import { commandPasswords } from './command-passwords'
import { type CredentialRange, coverRanges, joinRanges } from './credential-range'
import { namedValues } from './named-values'
import { placedValues } from './placed-values'
import { providerTokens } from './provider-tokens'
import { unescaped } from './unescaped'

/** Further than this from a piece of a text, nothing is examined to cover what is in it. */
const MARGIN = 16_384

/** JSON in JSON in JSON is read; deeper is for no reader. */
const DEEPEST = 4

/**
 * Where credentials are in a text, by their form, by the name before them or by their place; ascending, apart from each
 * other. A text that holds escapes is also read without them, level by level: in `"a\ntoken"` the `n` is no letter of
 * it.
 */
export function credentialRanges(text: string): CredentialRange[] {
  return joinRanges(rangesAt(text, 0))
}

function rangesAt(text: string, depth: number): CredentialRange[] {
  const found = [providerTokens, placedValues, commandPasswords, namedValues].flatMap((find) => find(text))
  const inside = depth < DEEPEST ? unescaped(text) : null
  if (inside === null) return found
  const { before } = inside
  for (const { start, end } of rangesAt(inside.text, depth + 1))
    found.push({ start: before(start), end: before(end) })
  return found
}

/**
 * The text with every credential covered, as long as before.
 *
 * @example
 * ```ts
 * import { maskSecrets } from 'plimsoll-agent'
 *
 * maskSecrets('export API_KEY=…')
 * ```
 */
export function maskSecrets(text: string): string {
  return coverRanges(text, credentialRanges(text))
}

/** The piece `start` to `end` of a text with what is part of a credential covered; as if all of it had been. */
export function maskedSlice(text: string, start: number, end: number): string {
  const from = beforeEscape(text, Math.max(0, start - MARGIN))
  return maskSecrets(text.slice(from, end + MARGIN)).slice(start - from, end - from)
}

/** A place that does not tear an escape. */
function beforeEscape(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < 64 && text[start - 1] === '\\') start -= 1
  return start
}
