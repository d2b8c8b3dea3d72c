import type { AccessRules } from './request-guard'

/** Shorter secrets can be guessed by trying. Characters. */
const MIN_TOKEN_LENGTH = 16

export type BindDecision =
  | { readonly ok: true; readonly rules: AccessRules; readonly loopback: boolean }
  | { readonly ok: false; readonly message: string }

/**
 * Whether the dashboard may be served at `host`, and to whom. On loopback the token that was made for this state folder
 * is enough; every other address needs one that the operator chose, because any visitor may try it.
 * @param host name or address to bind to, e.g. `127.0.0.1`, `0.0.0.0`, `::1`, `box.lan`
 * @param token the one that the operator chose, null when there is none
 * @param open the operator lets every account on this machine in without any
 */
export function decideBind({
  host,
  token,
  open,
}: {
  host: string
  token: string | null
  open: boolean
}): BindDecision {
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
  const loopback = name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
  const refuse = (message: string): BindDecision => ({ ok: false, message })
  if (token !== null && (token.length < MIN_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(token))) {
    return refuse(`PLIMSOLL_TOKEN must have at least ${MIN_TOKEN_LENGTH} printable characters and no spaces.`)
  }
  if (open && token !== null) {
    return refuse('PLIMSOLL_TOKEN and --open-to-local-users contradict each other: leave one of them out.')
  }
  if (!loopback && open) {
    return refuse(
      `--open-to-local-users lets in everybody who reaches the server, and ${host} can be reached from other machines: leave one of them out.`,
    )
  }
  if (!loopback && token === null) {
    return refuse(
      `${host} can be reached from other machines, and transcripts hold secrets: set PLIMSOLL_TOKEN (at least ${MIN_TOKEN_LENGTH} characters) to serve there, or leave --host out to serve on this machine only.`,
    )
  }
  const anyAddress = name === '0.0.0.0' || name === '::'
  const hosts = anyAddress ? [] : [name.includes(':') ? `[${name}]` : name]
  return { ok: true, rules: { hosts, anyAddress }, loopback }
}
