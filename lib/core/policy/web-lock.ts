import { canonicalJson } from '../audit/canonical-json'
import { ACTING_POLICY_VALUES } from './acting-values'
import { OVERRIDE_KEYS } from './formats/plimsoll'
import { dottedKey, splitPath, valueAtKeys } from './path'

/**
 * The parts of our own file that pages may change, what is locked in a policy excepted. An intruder in a browser or a
 * session must not be able to run commands, to name who is sent something, or to choose folders and keys: the operator
 * writes that into the file. A part that is not known here is locked.
 */
const FREE_SETTINGS = ['policy', 'overrides', 'prices', 'backups']

/**
 * Numbers and switches of a runtime's file that no policy value is read from by a rule: windows, the provider's
 * compaction.
 */
const FREE_LEAVES =
  /^models\.providers\..+\.models\[\d+\]\.(contextWindow|contextTokens)$|\.params\.(responsesServerCompaction|responsesCompactThreshold|anthropicServerCompaction|anthropicCompactThreshold)$/

/** Whether a value of the policy names an address or a folder, so that only the file itself may change it. */
export function isLockedForPages(path: string): boolean {
  const kind = Object.hasOwn(ACTING_POLICY_VALUES, path) ? ACTING_POLICY_VALUES[path] : undefined
  return kind === 'address' || kind === 'folder'
}

/** A key of a file that a page wanted to change and may not, with the value that it wanted. */
export type LockedChange = { readonly keys: readonly string[]; readonly wanted: unknown }

/**
 * What differs between two versions of our own settings file that no page may change.
 * @param before value of the file as it is
 * @param after value that it is to get
 */
export function lockedChanges(before: unknown, after: unknown): LockedChange[] {
  const differs = (keys: readonly string[]) => {
    const wanted = valueAtKeys(after, keys)
    return canonical(valueAtKeys(before, keys)) === canonical(wanted) ? [] : [{ keys, wanted }]
  }
  const settings = [
    ...new Set([before, after].flatMap((value) => (isMap(value) ? Object.keys(value) : []))),
  ].filter((key) => !FREE_SETTINGS.includes(key))
  const locked = Object.keys(ACTING_POLICY_VALUES).filter(isLockedForPages)
  const changed = [
    ...settings.flatMap((key) => differs([key])),
    ...locked.flatMap((path) => differs(['policy', ...splitPath(path)])),
  ]
  const narrower = { before: lockedOverrides(before), after: lockedOverrides(after) }
  return canonical(narrower.before) === canonical(narrower.after)
    ? changed
    : [...changed, { keys: ['overrides'], wanted: narrower.after }]
}

/**
 * The same for a runtime's own file, of which pages change the numbers, switches and names that the policy is read
 * from, and nothing else: it holds commands and addresses of the runtime besides.
 * @param read keys of the file that policy values are read from, in both versions, with the path of that value
 */
export function foreignChanges(
  before: unknown,
  after: unknown,
  read: readonly { readonly key: string; readonly path: string }[],
): LockedChange[] {
  // A whole entry of a list is named for one number in it.
  const free = read
    .filter(({ key, path }) => !isLockedForPages(path) && !key.endsWith(']'))
    .map(({ key }) => key)
  return changedLeaves(before, after, []).filter(({ keys }) => {
    const leaf = dottedKey(keys)
    return !FREE_LEAVES.test(leaf) && !free.some((key) => isAtOrBelow(leaf, key))
  })
}

function isAtOrBelow(leaf: string, key: string): boolean {
  return leaf === key || leaf.startsWith(`${key}.`) || leaf.startsWith(`${key}[`)
}

/** Paths at which two values differ, down to where one of them is no map or list; `[n]` is a place in a list. */
function changedLeaves(before: unknown, after: unknown, keys: readonly string[]): LockedChange[] {
  if (canonical(before) === canonical(after)) return []
  const left = membersOf(before)
  const right = membersOf(after)
  const comparable = Array.isArray(before) === Array.isArray(after) || isNothing(before) || isNothing(after)
  if (left === null || right === null || !comparable) return [{ keys, wanted: after }]
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return names.flatMap((name) => changedLeaves(own(left, name), own(right, name), [...keys, name]))
}

/** What is in a map or a list, by key or place; null for a single value. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> | null {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, i) => [`[${i}]`, item]))
  if (isMap(value)) return value
  return isNothing(value) ? {} : null
}

/** For each override that names something locked: whom it is about, and what it names. */
function lockedOverrides(settings: unknown): unknown[] {
  const overrides = valueAtKeys(settings, ['overrides'])
  if (!Array.isArray(overrides)) return []
  return overrides.flatMap((override) => {
    const named = Object.keys(ACTING_POLICY_VALUES)
      .filter(isLockedForPages)
      .map((path) => valueAtKeys(override, ['policy', ...splitPath(path)]))
    return named.every(isNothing)
      ? []
      : [[...OVERRIDE_KEYS.map((key) => valueAtKeys(override, [key])), ...named]]
  })
}

function own(map: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Nothing, an empty text, list and map say the same. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return Array.isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0
}

/** The same text for values that say the same, whatever the order of their keys. */
function canonical(value: unknown): string {
  return canonicalJson(withoutNothing(value))
}

/** The value without the keys that say nothing; a place in a list stays, as null. */
function withoutNothing(value: unknown): unknown {
  if (isNothing(value)) return null
  if (Array.isArray(value)) return value.map(withoutNothing)
  if (!isMap(value)) return value
  const said = Object.entries(value).filter(([, member]) => !isNothing(member))
  if (said.length === 0) return null
  return Object.fromEntries(said.map(([key, member]) => [key, withoutNothing(member)]))
}
