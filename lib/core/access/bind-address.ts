import type { AccessRules } from './request-guard'

/** Shorter secrets can be guessed by trying. Characters. */
export const MIN_TOKEN_LENGTH = 16

export type BindDecision =
  | { readonly ok: true; readonly rules: AccessRules; readonly loopback: boolean }
  | { readonly ok: false; readonly message: string }

/**
 * Whether the dashboard may be served at `host`, and to whom. Loopback needs nothing; every other address needs a
 * token, because whoever reaches it would read all transcripts.
 * @param host name or address to bind to, e.g. `127.0.0.1`, `0.0.0.0`, `::1`, `box.lan`
 */
export function decideBind({ host, token }: { host: string; token: string | null }): BindDecision {
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
  const loopback = name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
  if (token !== null && (token.length < MIN_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(token))) {
    return {
      ok: false,
      message: `PLIMSOLL_TOKEN must have at least ${MIN_TOKEN_LENGTH} printable characters and no spaces.`,
    }
  }
  if (!loopback && token === null) {
    return {
      ok: false,
      message: `${host} can be reached from other machines, and transcripts hold secrets: set PLIMSOLL_TOKEN (at least ${MIN_TOKEN_LENGTH} characters) to serve there, or leave --host out to serve on this machine only.`,
    }
  }
  const anyAddress = name === '0.0.0.0' || name === '::'
  const hosts = anyAddress ? [] : [name.includes(':') ? `[${name}]` : name]
  return { ok: true, rules: { hosts, anyAddress, token }, loopback }
}
