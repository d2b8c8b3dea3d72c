import type { KnobActs } from './knobs/knob'
import { knobAt, knobPaths } from './knobs/knob-at'
import { valueAtKeys } from './path'
import type { PolicyFile } from './reading'

/** What a value of a settings file does besides being a number, a switch or a name. */
type ActingKind = KnobActs | 'command' | 'variable'

/** A value of a settings file that acts. */
export type ActingValue = {
  /** Dotted path in the file, e.g. `hooks.beforeCompaction`, `overrides[0].policy.logs.path`. */
  readonly key: string
  readonly kind: ActingKind
  /** As it is in the file. */
  readonly value: unknown
}

/** Values of a policy that name who is asked, where texts go, or a folder that is read and written. */
export const ACTING_POLICY_VALUES: Readonly<Record<string, KnobActs>> = Object.fromEntries(
  knobPaths().flatMap((path) => {
    const kind = knobAt(path)?.acts ?? null
    return kind === null ? [] : [[path, kind]]
  }),
)

/** The same for the rest of our own file. */
const ACTING_SETTINGS: Readonly<Record<string, ActingKind>> = {
  stores: 'folder',
  workspaces: 'folder',
  agentMemory: 'folder',
  'hooks.beforeCompaction': 'command',
  'hooks.afterCompaction': 'command',
  'health.command': 'command',
  'health.webhook': 'address',
  'gateway.command': 'command',
  'gateway.url': 'address',
  'knowledge.surrealdb.url': 'address',
  'knowledge.surrealdb.passwordEnv': 'variable',
  keys: 'variable',
}

/**
 * What acts in a settings file of ours, in the order of commands, addresses, models, folders and environment variables.
 * @param settings the file's value, as its parser has it
 */
export function actingValues(settings: unknown): ActingValue[] {
  const overrides = valueAtKeys(settings, ['overrides'])
  const found = [
    ...pick(settings, ACTING_SETTINGS, ''),
    ...pick(valueAtKeys(settings, ['policy']), ACTING_POLICY_VALUES, 'policy.'),
    ...(Array.isArray(overrides) ? overrides : []).flatMap((override, i) =>
      pick(valueAtKeys(override, ['policy']), ACTING_POLICY_VALUES, `overrides[${i}].policy.`),
    ),
  ]
  const order: readonly ActingKind[] = ['command', 'address', 'model', 'folder', 'variable']
  return order.flatMap((kind) => found.filter((value) => value.kind === kind))
}

/**
 * What acts in a file as a policy is read from it: formats of others have their own keys for the same values.
 * @param file as `readPolicy` has it
 */
export function actingPolicyValues({ patch, overrides, places }: PolicyFile): ActingValue[] {
  const keyed = (path: string) => places[path]?.key ?? path
  return [
    ...pick(patch, ACTING_POLICY_VALUES, '').map((found) => ({ ...found, key: keyed(found.key) })),
    ...overrides.flatMap((override, i) =>
      pick(override.patch, ACTING_POLICY_VALUES, `overrides[${i}].policy.`),
    ),
  ]
}

function pick(from: unknown, keys: Readonly<Record<string, ActingKind>>, prefix: string): ActingValue[] {
  return Object.entries(keys).flatMap(([key, kind]) => {
    const value = valueAtKeys(from, key.split('.'))
    return isSaid(value) ? [{ key: prefix + key, kind, value }] : []
  })
}

/** Nothing, a switch that is off, an empty text and an empty list name nothing. */
function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  return !(Array.isArray(value) && value.length === 0)
}
