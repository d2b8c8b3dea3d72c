import type { ClientLine, ReportFlaw } from './client-line'

/**
 * Lets every line follow one that is there, and takes lines away that are in the file a second time. Where the file says
 * the same id of different lines the client takes the last one, and so does this.
 * @param gone parents of lines that cannot be read, by their ids
 */
export function mendClaudeCodeTree(
  lines: readonly ClientLine[],
  gone: ReadonlyMap<string, string | null>,
  report: ReportFlaw,
): void {
  const byId = new Map<string, ClientLine>()
  for (const line of lines) {
    if (line.uuid === null) continue
    const known = byId.get(line.uuid)
    if (known !== undefined && known.print === line.print) {
      line.dropped = true
      report('duplicate-entry', line, `dropped: it is the same as line ${known.line}`)
    } else byId.set(line.uuid, line)
  }
  /** The last line of the conversation, and of each sub-agent, so far. */
  const before = { main: null as ClientLine | null, side: null as ClientLine | null }
  for (const line of lines) {
    if (line.uuid === null || line.dropped) continue
    const branch = line.side ? 'side' : 'main'
    if (line.parent !== null && !byId.has(line.parent))
      follow(line, keptAncestor(line.parent, gone, byId), before[branch], report)
    before[branch] = line
  }
  cutCircles(lines, byId, report)
}

/** @param ancestor undefined: nothing is known of the parent */
function follow(
  line: ClientLine,
  ancestor: string | null | undefined,
  before: ClientLine | null,
  report: ReportFlaw,
): void {
  if (ancestor !== undefined) {
    line.parent = ancestor
    report('broken-parent', line, 'follows what the line that cannot be read followed')
    return
  }
  line.parent = before?.uuid ?? null
  const fix = before === null ? 'becomes the beginning' : `follows line ${before.line}, the entry before it`
  report('broken-parent', line, fix)
}

/** The nearest ancestor of a line that is gone; null: the beginning. */
function keptAncestor(
  id: string,
  gone: ReadonlyMap<string, string | null>,
  byId: ReadonlyMap<string, ClientLine>,
): string | null | undefined {
  const seen = new Set<string>()
  let at: string | null | undefined = id
  while (at !== null && at !== undefined && !byId.has(at)) {
    if (seen.has(at)) return undefined
    seen.add(at)
    at = gone.get(at)
  }
  return at
}

/** Parents that lead back to where they began are parted at the line of the circle that comes first. */
function cutCircles(
  lines: readonly ClientLine[],
  byId: ReadonlyMap<string, ClientLine>,
  report: ReportFlaw,
): void {
  const done = new Set<ClientLine>()
  const places = new Map(lines.map((line, i) => [line, i]))
  const placeOf = (line: ClientLine) => places.get(line) ?? 0
  for (const start of lines) {
    const path = new Set<ClientLine>()
    let at: ClientLine | undefined = start.uuid === null ? undefined : start
    while (at !== undefined && !done.has(at) && !path.has(at)) {
      path.add(at)
      at = at.parent === null ? undefined : byId.get(at.parent)
    }
    if (at !== undefined && path.has(at)) {
      const all = [...path]
      const circle = all.slice(all.indexOf(at))
      const first = circle.reduce((one, other) => (placeOf(other) < placeOf(one) ? other : one))
      const inside = new Set(circle)
      // What is walked and done leads out of this circle, so that no new one is closed.
      const before = lines
        .slice(0, placeOf(first))
        .findLast(
          (line) =>
            line.uuid !== null &&
            byId.get(line.uuid) === line &&
            line.side === first.side &&
            !inside.has(line),
        )
      first.parent = before !== undefined && done.has(before) ? before.uuid : null
      report('cycle', first, first.parent === null ? 'becomes a beginning' : `follows line ${before?.line}`)
    }
    for (const line of path) done.add(line)
  }
}
