import { decideBind } from '../core/access/bind-address'
import type { AccessRules } from '../core/access/request-guard'
import { DEFAULT_HOST } from './env'

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
