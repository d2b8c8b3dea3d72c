/** Something the palette offers. */
export type PaletteItem = {
  readonly id: string
  readonly label: string
  /** Further words it is found by. */
  readonly about: string
}

/** Items whose label or description contains every word typed, those whose label begins with the text first. */
export function matchItems<T extends PaletteItem>(items: readonly T[], typed: string): readonly T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  const start = words[0] ?? ''
  return items
    .filter((item) => {
      const text = `${item.label} ${item.about}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .sort((a, b) => startsWith(b, start) - startsWith(a, start))
}

function startsWith(item: PaletteItem, start: string): number {
  return item.label.toLowerCase().startsWith(start) ? 1 : 0
}
