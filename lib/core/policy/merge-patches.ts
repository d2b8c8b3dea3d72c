import type { PolicyPatch } from './policy'

/** Later patches win; objects merge, everything else replaces. */
export function mergePatches(first: PolicyPatch, second: PolicyPatch): PolicyPatch {
  const merged: { [key: string]: unknown } = { ...first }
  for (const [key, value] of Object.entries(second)) {
    const before = merged[key]
    merged[key] =
      isPlain(before) && isPlain(value) ? mergePatches(before as PolicyPatch, value as PolicyPatch) : value
  }
  return merged as PolicyPatch
}

function isPlain(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
