/** One line of a comparison; numbers count from 1 and are null where a side does not have the line. */
export type DiffLine = {
  readonly kind: 'same' | 'removed' | 'added'
  readonly before: number | null
  readonly after: number | null
  readonly text: string
}

/** A stretch in which two texts differ: lines `from` (excluded) … of each, by index. */
export type Hunk = {
  readonly before: readonly [from: number, to: number]
  readonly after: readonly [from: number, to: number]
}

/** Larger stretches are taken as replaced as a whole: the table below would need more memory than a page has. */
const MAX_CELLS = 4_000_000

export function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Where two lists of lines differ, in order; by longest common subsequence. */
export function diffHunks(before: readonly string[], after: readonly string[]): Hunk[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1
  const a = before.slice(start, before.length - end)
  const b = after.slice(start, after.length - end)
  return middleHunks(a, b).map((hunk) => ({
    before: [hunk.before[0] + start, hunk.before[1] + start],
    after: [hunk.after[0] + start, hunk.after[1] + start],
  }))
}

function middleHunks(a: readonly string[], b: readonly string[]): Hunk[] {
  if (a.length === 0 && b.length === 0) return []
  if (a.length * b.length > MAX_CELLS) return [{ before: [0, a.length], after: [0, b.length] }]
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0)
    }
  }
  const hunks: Hunk[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const fromA = i
    const fromB = j
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) break
      const down = i < a.length ? (common[(i + 1) * width + j] ?? 0) : -1
      const right = j < b.length ? (common[i * width + j + 1] ?? 0) : -1
      if (down >= right) i += 1
      else j += 1
    }
    if (i > fromA || j > fromB) hunks.push({ before: [fromA, i], after: [fromB, j] })
    while (i < a.length && j < b.length && a[i] === b[j]) {
      i += 1
      j += 1
    }
  }
  return hunks
}

/** The whole comparison, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = linesOf(before)
  const b = linesOf(after)
  const lines: DiffLine[] = []
  let i = 0
  const same = (until: number, shift: number) => {
    for (; i < until; i++) lines.push({ kind: 'same', before: i + 1, after: i + shift + 1, text: a[i] ?? '' })
  }
  let shift = 0
  for (const hunk of diffHunks(a, b)) {
    same(hunk.before[0], shift)
    for (; i < hunk.before[1]; i++)
      lines.push({ kind: 'removed', before: i + 1, after: null, text: a[i] ?? '' })
    for (let j = hunk.after[0]; j < hunk.after[1]; j++)
      lines.push({ kind: 'added', before: null, after: j + 1, text: b[j] ?? '' })
    shift = hunk.after[1] - hunk.before[1]
  }
  same(a.length, shift)
  return lines
}

/** A comparison with what is the same left out, but for a few lines around each change. */
export type DiffSection =
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'skipped'; readonly count: number; readonly from: number }

export function diffSections(lines: readonly DiffLine[], around = 3): DiffSection[] {
  const shown = new Set<number>()
  for (const [i, line] of lines.entries()) {
    if (line.kind === 'same') continue
    for (let near = i - around; near <= i + around; near++) shown.add(near)
  }
  const sections: DiffSection[] = []
  for (let i = 0; i < lines.length; ) {
    const start = i
    const visible = shown.has(i)
    while (i < lines.length && shown.has(i) === visible) i += 1
    if (visible) sections.push({ kind: 'lines', lines: lines.slice(start, i) })
    else sections.push({ kind: 'skipped', count: i - start, from: start })
  }
  return sections
}

/** Lines of the new text that are not those of the old one, from 1. */
export function changedLines(before: string, after: string): ReadonlySet<number> {
  const changed = new Set<number>()
  for (const { after: range } of diffHunks(linesOf(before), linesOf(after))) {
    for (let line = range[0]; line < range[1]; line++) changed.add(line + 1)
  }
  return changed
}
