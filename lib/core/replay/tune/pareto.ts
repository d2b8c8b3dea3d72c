/** Goals of one candidate, each the more the better. */
export type Goals = readonly number[]

/** Whether a candidate is no worse in any goal, and better in one. */
function dominates(a: Goals, b: Goals): boolean {
  let better = false
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? Number.NEGATIVE_INFINITY
    if (value < other) return false
    if (value > other) better = true
  }
  return better
}

/** The numbers of candidates, the best first: by how many fronts are above them, then by how alone they are in theirs. */
export function ranked(goals: readonly Goals[]): number[] {
  return frontsOf(goals).flatMap((front) => byCrowding(front, goals))
}

/** Candidates that none dominates, then those that only those dominate, and so on. */
export function frontsOf(goals: readonly Goals[]): number[][] {
  let left = goals.map((_, i) => i)
  const fronts: number[][] = []
  while (left.length > 0) {
    const front = left.filter((i) => !left.some((j) => dominates(goals[j] ?? [], goals[i] ?? [])))
    fronts.push(front)
    const taken = new Set(front)
    left = left.filter((i) => !taken.has(i))
  }
  return fronts
}

/** Those at the ends of a goal first, then those with the most room around them; equal ones in their order. */
function byCrowding(front: readonly number[], goals: readonly Goals[]): number[] {
  const room = new Map(front.map((i) => [i, 0]))
  const count = goals[front[0] ?? 0]?.length ?? 0
  for (let goal = 0; goal < count; goal++) {
    const value = (i: number) => goals[i]?.[goal] ?? 0
    const sorted = front.toSorted((a, b) => value(a) - value(b) || a - b)
    const [low, high] = [sorted[0], sorted.at(-1)]
    if (low === undefined || high === undefined) continue
    const span = value(high) - value(low)
    room.set(low, Number.POSITIVE_INFINITY)
    room.set(high, Number.POSITIVE_INFINITY)
    for (let k = 1; k + 1 < sorted.length && span > 0; k++) {
      const [before, at, after] = [sorted[k - 1], sorted[k], sorted[k + 1]]
      if (before === undefined || at === undefined || after === undefined) continue
      room.set(at, (room.get(at) ?? 0) + (value(after) - value(before)) / span)
    }
  }
  return front.toSorted((a, b) => {
    const [x, y] = [room.get(a) ?? 0, room.get(b) ?? 0]
    return x === y ? a - b : y - x
  })
}
