/** A span as 32 bits, by which sessions are compared without their texts: FNV-1a over the UTF-16 units, mixed once. */
export function spanHash(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  // The last characters reach the low bits only.
  hash ^= hash >>> 15
  return Math.imul(hash, 0x85ebca6b) >>> 0
}

/** Distinct hashes in rising order, those of the smallest value where there are more than so many. */
export function sortedHashes(hashes: Uint32Array, most = Number.POSITIVE_INFINITY): Uint32Array<ArrayBuffer> {
  const sorted = Uint32Array.from(hashes).sort()
  let count = 0
  for (let i = 0; i < sorted.length && count < most; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i] as number
  return sorted.slice(0, count)
}
