/**
 * A pattern of stars with the name that it fits least: a search that tries every way to share the letters out among the
 * stars takes time that grows with the power of `stars`.
 */
export function starPattern(
  stars: number,
  letters: number,
): { readonly pattern: string; readonly name: string } {
  return { pattern: `${'*a'.repeat(stars)}*b`, name: 'a'.repeat(letters) }
}

/** Settings of a store with an override whose pattern never ends on the session key `starPattern().name`. */
export function starOverrides(stars: number): string {
  const { pattern } = starPattern(stars, 0)
  return JSON.stringify({ overrides: [{ session: pattern, policy: { history: { maxTurns: 3 } } }] })
}
