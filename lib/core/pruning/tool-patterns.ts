/**
 * Whether a tool's name matches one of a list of patterns, in which `*` stands for any letters (OpenClaw's lists of
 * tools). Letters' case does not matter; blank patterns match nothing.
 */
export function toolMatcher(patterns: readonly string[]): (tool: string) => boolean {
  const tests = patterns
    .map((pattern) => pattern.trim().toLowerCase())
    .filter((pattern) => pattern !== '')
    .map(matcherOf)
  if (tests.length === 0) return () => false
  const known = new Map<string, boolean>()
  return (tool) => {
    const found = known.get(tool)
    if (found !== undefined) return found
    const name = tool.trim().toLowerCase()
    const matches = tests.some((test) => test(name))
    known.set(tool, matches)
    return matches
  }
}

/** Walks the pieces between the stars, each at its first place behind the one before: no pattern is slow on any name. */
function matcherOf(pattern: string): (name: string) => boolean {
  const pieces = pattern.split('*')
  if (pieces.length === 1) return (name) => name === pattern
  const [first = ''] = pieces
  const last = pieces.at(-1) ?? ''
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false
    const end = name.length - last.length
    let at = first.length
    for (const piece of pieces.slice(1, -1)) {
      const found = name.indexOf(piece, at)
      if (found < 0 || found + piece.length > end) return false
      at = found + piece.length
    }
    return true
  }
}
