import { joinPath, splitPath } from '../path'
import type { Knob, KnobNode } from './knob'
import { POLICY_KNOBS } from './policy-knobs'

/** What is at a dotted policy path: a knob, a group of them or a table; null when nothing does. */
export function knobNodeAt(path: string): KnobNode | null {
  let at: KnobNode | null = POLICY_KNOBS
  for (const key of splitPath(path)) {
    // Written into an object, this key would change what the object inherits.
    if (at === null || key === '__proto__' || at.node === 'knob') return null
    if (at.node === 'table') at = at.row
    // Only its own keys count: every object has a `constructor` that is no setting.
    else at = Object.hasOwn(at.members, key) ? (at.members[key] ?? null) : null
  }
  return at
}

/** The knob at a dotted path, of a row in a table too; null when no single value is there. */
export function knobAt(path: string): Knob | null {
  const node = knobNodeAt(path)
  return node?.node === 'knob' ? node : null
}

/**
 * Dotted paths of all knobs below a path, in the order of a policy; `*` matches each name that the operator chooses.
 */
export function knobPaths(section = ''): string[] {
  const walk = (node: KnobNode, keys: readonly string[]): string[] => {
    if (node.node === 'knob') return [joinPath(keys)]
    if (node.node === 'table') return walk(node.row, [...keys, '*'])
    return Object.entries(node.members).flatMap(([key, member]) => walk(member, [...keys, key]))
  }
  const from = section === '' ? POLICY_KNOBS : knobNodeAt(section)
  return from === null ? [] : walk(from, section === '' ? [] : splitPath(section))
}
