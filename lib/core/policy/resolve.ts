import { DEFAULT_POLICY, NO_CHANNEL_LIMITS } from './default-policy'
import { escapeKey, splitPath, valueAtKeys } from './path'
import type { Policy, PolicyPatch } from './policy'

/** Levels of override, weakest first. */
export const POLICY_LEVELS = ['default', 'preset', 'store', 'agent', 'channel', 'model', 'session'] as const

export type PolicyLevel = (typeof POLICY_LEVELS)[number]

/** One source of values: at which level it is, and what to call it on screen ("preset vs7", a file name …). */
export type PolicyLayer = { readonly level: PolicyLevel; readonly label: string; readonly patch: PolicyPatch }

export type PolicyOrigin = { readonly level: PolicyLevel; readonly label: string }

/** A policy, and for every value (by dotted path) where it comes from. */
export type ResolvedPolicy = {
  readonly policy: Policy
  readonly origin: { readonly [path: string]: PolicyOrigin }
}

/** Parts of a policy whose keys are names the operator chose, so that paths into them may be new. */
const OPEN_RECORDS = new Set(['window.byModel', 'history.channels'])

type Tree = { [key: string]: unknown }

/**
 * Lays the layers over the defaults, weakest first whatever their order in the list; layers of one level keep theirs.
 * Lists and values replace, objects merge. Resolving the result again changes nothing.
 *
 * @example
 * ```ts
 * import { PRESETS, resolvePolicy } from 'plimsoll-agent'
 *
 * const { policy } = resolvePolicy([
 *   { level: 'preset', label: 'memfas', patch: PRESETS.memfas },
 *   { level: 'session', label: 'mine', patch: { lines: { compact: { at: 0.7 } } } },
 * ])
 * ```
 */
export function resolvePolicy(layers: readonly PolicyLayer[]): ResolvedPolicy {
  const origin: { [path: string]: PolicyOrigin } = {}
  const policy = structuredClone(DEFAULT_POLICY) as Policy & Tree
  mark(policy, '', { level: 'default', label: 'default' }, origin)
  const ordered = POLICY_LEVELS.flatMap((level) => layers.filter((layer) => layer.level === level))
  for (const { level, label, patch } of ordered) merge(policy, patch as Tree, '', { level, label }, origin)
  return { policy, origin }
}

function merge(
  target: Tree,
  patch: Tree,
  prefix: string,
  from: PolicyOrigin,
  origin: { [path: string]: PolicyOrigin },
): void {
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const path = prefix === '' ? escapeKey(key) : `${prefix}.${escapeKey(key)}`
    const before = Object.hasOwn(target, key) ? target[key] : undefined
    if (isTree(value)) {
      const into = isTree(before) ? before : newMember(prefix)
      target[key] = into
      merge(into, value, path, from, origin)
    } else {
      target[key] = structuredClone(value)
      origin[path] = from
    }
  }
}

/** What a new member of an open record starts from, so that a patch may name a part of it only. */
function newMember(record: string): Tree {
  return record === 'history.channels' ? structuredClone(NO_CHANNEL_LIMITS) : {}
}

function mark(
  tree: Tree,
  prefix: string,
  from: PolicyOrigin,
  origin: { [path: string]: PolicyOrigin },
): void {
  for (const [key, value] of Object.entries(tree)) {
    const path = prefix === '' ? escapeKey(key) : `${prefix}.${escapeKey(key)}`
    if (isTree(value) && !OPEN_RECORDS.has(path)) mark(value, path, from, origin)
    else origin[path] = from
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a dotted path, or undefined. */
export function valueAt(policy: Policy | PolicyPatch, path: string): unknown {
  return valueAtKeys(policy, splitPath(path))
}

/** A patch that sets the value at a dotted path. */
export function patchAt(path: string, value: unknown): PolicyPatch {
  return splitPath(path).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as PolicyPatch
}
