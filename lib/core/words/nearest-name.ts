/**
 * The known name that a misspelt one most probably means; null where none is near. Letters that were left out, added,
 * changed or swapped count one each; case and separators count nothing.
 */
export function nearestName(given: string, known: readonly string[]): string | null {
  const wanted = plain(given)
  let best: { readonly name: string; readonly distance: number } | null = null
  for (const name of known) {
    const distance = distanceOf(wanted, plain(name))
    if (distance <= mostFor(wanted.length) && (best === null || distance < best.distance))
      best = { name, distance }
  }
  return best?.name ?? null
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '')
}

/** Changes after which a name is another one. */
function mostFor(length: number): number {
  return length <= 3 ? 1 : length <= 6 ? 2 : 3
}

/** Damerau-Levenshtein distance, of neighbours swapped once. */
function distanceOf(a: string, b: string): number {
  let [before, row]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((row?.[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row?.[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before?.[j - 2] ?? 0) + 1)
      next.push(least)
    }
    ;[before, row] = [row ?? [], next]
  }
  return row?.[b.length] ?? 0
}
