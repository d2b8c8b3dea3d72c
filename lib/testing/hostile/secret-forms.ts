import { NAMED_FORMS } from './named-forms'
import { PROVIDER_FORMS, type SecretForm } from './provider-forms'

/** Every way of writing a credential down that is known to be covered, or that ought to be. */
export const SECRET_FORMS: readonly SecretForm[] = [...PROVIDER_FORMS, ...NAMED_FORMS]

/** Length of the shortest stretch of a credential that counts as readable. */
const READABLE = 6

/**
 * A stretch of the credential that can be read in a text; null when it is covered. Lines of a key are looked at one by
 * one, and escapes that JSON adds do not hide it.
 */
export function readableStretch(shown: string, secret: string): string | null {
  for (const piece of secret.split(/[^A-Za-z0-9]+/)) {
    for (let at = 0; at + READABLE <= piece.length; at++) {
      const stretch = piece.slice(at, at + READABLE)
      if (shown.includes(stretch)) return stretch
    }
  }
  return null
}
