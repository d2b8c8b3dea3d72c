/** Windows that are counted apart; rarer ones are gathered by size. */
const WINDOWS_APART = 24
/** Steps per doubling in which rarer windows are gathered. */
const STEPS_PER_OCTAVE = 4

/**
 * Which window a session is counted with: its own where many have it, else the size that represents it, at most 10 % off.
 * @param sessions all that are counted, with their windows in tokens
 */
export function windowGroups(
  sessions: readonly { readonly window: number }[],
): (window: number) => { readonly window: number; readonly exact: boolean } {
  const counts = new Map<number, number>()
  for (const { window } of sessions) counts.set(window, (counts.get(window) ?? 0) + 1)
  const common = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, WINDOWS_APART)
  const apart = new Set(common.map(([window]) => window))
  return (window) =>
    apart.has(window) ? { window, exact: true } : { window: gathered(window), exact: false }
}

function gathered(window: number): number {
  return Math.round(2 ** (Math.round(Math.log2(window) * STEPS_PER_OCTAVE) / STEPS_PER_OCTAVE))
}
