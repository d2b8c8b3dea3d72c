import { joinPath } from '../../core/policy/path'
import type { Policy } from '../../core/policy/policy'

/** Dotted paths of all values of a policy, those of the operator's own tables too. */
export function policyPaths(policy: Policy): string[] {
  const walk = (node: unknown, keys: readonly string[]): string[] =>
    typeof node === 'object' && node !== null && !Array.isArray(node) && Object.keys(node).length > 0
      ? Object.entries(node).flatMap(([key, value]) => walk(value, [...keys, key]))
      : [joinPath(keys)]
  return walk(policy, [])
}
