import { faultOf } from '../../core/policy/fault-of'
import { addressQuery } from '../text/address-query'
import type { PolicyChanges } from './policy-edit'

/** More values than this do not travel in an address. */
const MAX_VALUES = 100

/** The address of the policy screen with values to try; nothing is saved by opening it. */
export function policyLink(changes: PolicyChanges): string {
  const params = new URLSearchParams()
  for (const [path, value] of Object.entries(changes))
    params.append('set', `${path}=${JSON.stringify(value)}`)
  return `/policies${addressQuery(params)}`
}

/** The values that an address carries; what is no allowed value of the policy is left out. */
export function parsePolicyLink(values: readonly string[]): PolicyChanges {
  const changes: { [path: string]: unknown } = {}
  for (const item of values.slice(0, MAX_VALUES)) {
    const cut = item.indexOf('=')
    const value = cut < 0 ? undefined : parsed(item.slice(cut + 1))
    const path = item.slice(0, cut)
    if (value !== undefined && faultOf(path, value) === null) changes[path] = value
  }
  return changes
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
