import { decideBind } from '../core/access/bind-address'
import type { AccessRules } from '../core/access/request-guard'

/** What `serve` hands to the web server's process, and what a server started in another way falls back to. */
export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 4747

type AccessEnv = {
  /** Address the dashboard is bound to; set by `serve`. */
  readonly PLIMSOLL_HOST?: string
  /** Secret that requests must carry; required for every address but loopback. */
  readonly PLIMSOLL_TOKEN?: string
}

/**
 * Access rules from the environment.
 * @throws Error when the address needs a token and there is none: better no answer than an open door.
 */
export function readAccessRules(env: AccessEnv): AccessRules {
  const decision = decideBind({ host: env.PLIMSOLL_HOST || DEFAULT_HOST, token: env.PLIMSOLL_TOKEN || null })
  if (!decision.ok) throw new Error(decision.message)
  return decision.rules
}
