import type { PolicyPatch } from './policy'

/** Later patches win; objects merge, everything else replaces. */
export function mergePatches(first: PolicyPatch, second: PolicyPatch): PolicyPatch {
  const merged: { [key: string]: unknown } = { ...first }
  for (const [key, value] of Object.entries(second)) {
    // Only its own keys count: a channel may be called `constructor`.
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined
    merged[key] =
      isPlain(before) && isPlain(value) ? mergePatches(before as PolicyPatch, value as PolicyPatch) : value
  }
  return merged as PolicyPatch
}

/** The same into `target` itself, which belongs to the caller: for what is put together key by key. */
export function mergeInto(target: PolicyPatch, patch: PolicyPatch): void {
  const into = target as { [key: string]: unknown }
  for (const [key, value] of Object.entries(patch)) {
    if (!isPlain(value)) {
      into[key] = value
      continue
    }
    // What is put in may belong to the caller; only objects that were made here are changed.
    const before = Object.hasOwn(into, key) ? into[key] : undefined
    const inner = isPlain(before) ? before : {}
    into[key] = inner
    mergeInto(inner as PolicyPatch, value as PolicyPatch)
  }
}

function isPlain(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
