import { append } from '../../core/lists/long-lists'
import { diffHunks, type Hunk, linesOf } from './line-diff'

/** A stretch of a file that two hands changed, or did not; the lines of all three versions. */
export type ThreeWayPart = {
  /** `conflict`: both changed it, and not to the same. */
  readonly kind: 'same' | 'mine' | 'theirs' | 'both' | 'conflict'
  /** Number of the first line in the base, from 1. */
  readonly line: number
  readonly base: readonly string[]
  readonly mine: readonly string[]
  readonly theirs: readonly string[]
}

/** Compares two changed versions of a text with the one that both began from. */
export function threeWay(base: string, mine: string, theirs: string): ThreeWayPart[] {
  const lines = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) }
  const hunks = {
    mine: diffHunks(lines.base, lines.mine),
    theirs: diffHunks(lines.base, lines.theirs),
  }
  const parts: ThreeWayPart[] = []
  const at = { base: 0, mine: 0, theirs: 0 }
  const push = (kind: ThreeWayPart['kind'], to: { base: number; mine: number; theirs: number }) => {
    if (to.base > at.base || to.mine > at.mine || to.theirs > at.theirs) {
      parts.push({
        kind,
        line: at.base + 1,
        base: lines.base.slice(at.base, to.base),
        mine: lines.mine.slice(at.mine, to.mine),
        theirs: lines.theirs.slice(at.theirs, to.theirs),
      })
    }
    Object.assign(at, to)
  }
  const queue = { mine: [...hunks.mine], theirs: [...hunks.theirs] }
  for (;;) {
    const from = Math.min(
      queue.mine[0]?.before[0] ?? Number.POSITIVE_INFINITY,
      queue.theirs[0]?.before[0] ?? Number.POSITIVE_INFINITY,
    )
    if (from === Number.POSITIVE_INFINITY) break
    const taken = { mine: [] as Hunk[], theirs: [] as Hunk[] }
    let to = from
    // Changes that touch each other are one part: whatever overlaps or meets at a line.
    for (let grew = true; grew; ) {
      grew = false
      for (const side of ['mine', 'theirs'] as const) {
        const next = queue[side][0]
        if (next === undefined || next.before[0] > to) continue
        queue[side].shift()
        taken[side].push(next)
        to = Math.max(to, next.before[1])
        grew = true
      }
    }
    const equal = from - at.base
    push('same', { base: from, mine: at.mine + equal, theirs: at.theirs + equal })
    push(kindOf(taken), {
      base: to,
      mine: to + shiftOf(taken.mine, at.mine - at.base),
      theirs: to + shiftOf(taken.theirs, at.theirs - at.base),
    })
    const last = parts.at(-1)
    if (last?.kind === 'conflict' && last.mine.join('\n') === last.theirs.join('\n')) {
      parts[parts.length - 1] = { ...last, kind: 'both' }
    }
  }
  push('same', { base: lines.base.length, mine: lines.mine.length, theirs: lines.theirs.length })
  return parts
}

function kindOf(taken: { mine: readonly Hunk[]; theirs: readonly Hunk[] }): ThreeWayPart['kind'] {
  if (taken.mine.length === 0) return 'theirs'
  return taken.theirs.length === 0 ? 'mine' : 'conflict'
}

/** How far the lines of a side are ahead of those of the base after these changes. */
function shiftOf(hunks: readonly Hunk[], before: number): number {
  const last = hunks.at(-1)
  return last === undefined ? before : last.after[1] - last.before[1]
}

/**
 * Puts the changes of both hands together. Where both changed the same lines, `choose` says whose are taken.
 * @returns null while a conflict is undecided
 */
export function mergeThreeWay(
  parts: readonly ThreeWayPart[],
  choose: (index: number) => 'mine' | 'theirs' | null,
): string | null {
  const lines: string[] = []
  for (const [index, part] of parts.entries()) {
    const side = part.kind === 'conflict' ? choose(index) : part.kind === 'theirs' ? 'theirs' : 'mine'
    if (side === null) return null
    append(lines, part[side])
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}
