/** What people write where a credential would stand: variables, examples, names of other things. */
const PLACEHOLDER =
  /^[$%{<[(*•.…]|^(?:your|my|the|some|example|placeholder|changeme|redacted|dummy|fake|undefined|null|true|false|none|string|required|optional|process\.env|env[:.]|os\.environ|secretref|test)|x{4}|\*{3}|\.{3}|…|•{2}|<|\$\{/i

const PASSWORD = /^pass/i

/**
 * Whether what is assigned to a name like `password` or `apiKey` looks like a credential rather than like code, an
 * example or prose. Unquoted values are mostly code: of them only such with letters and digits mixed are taken.
 */
export function isLikelyCredential(name: string, value: string, isQuoted: boolean): boolean {
  if (PLACEHOLDER.test(value) || /\s/.test(value.trim())) return false
  const hasDigit = /\d/.test(value)
  const hasLetter = /[A-Za-z]/.test(value)
  if (PASSWORD.test(name)) return isQuoted || (hasDigit && hasLetter && !isCode(value))
  if (value.length < 12 || !hasDigit || !hasLetter) return false
  return isQuoted || !isCode(value)
}

/** `config.apiKey2`, `http://…`, `path/to/it`, `A::b`. */
function isCode(value: string): boolean {
  return /^[A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)+$|:\/\/|::|^\.{0,2}\/|^[a-z][a-z_-]*\/|->/.test(value)
}
