import { wildcard } from '../words/wildcard'

/**
 * Whether a tool's name matches one of a list of patterns, in which `*` matches any letters (OpenClaw's lists of
 * tools). Letters' case does not matter; blank patterns match nothing.
 */
export function toolMatcher(patterns: readonly string[]): (tool: string) => boolean {
  const tests = patterns
    .map((pattern) => pattern.trim().toLowerCase())
    .filter((pattern) => pattern !== '')
    .map(wildcard)
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
