/** An unused id, always the same for the same seed: a repair that is planned twice is the same repair. */
export function newId(seed: string, taken: ReadonlySet<string>, prefix = ''): string {
  for (let salt = 0; ; salt++) {
    const id = `${prefix}${digest(`${salt}:${seed}`)}`
    if (!taken.has(id)) return id
  }
}

/** Eight hex digits, like the ids that runtimes give (FNV-1a). */
function digest(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
