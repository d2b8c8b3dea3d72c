import { append } from '../../lists/long-lists'
import { newId } from '../new-id'
import { ClientLine, type ReportFlaw } from './client-line'

/** What the client says itself where a result is missing. */
const MISSING = '[Tool result missing due to internal error]'

/**
 * Puts calls and results in pairs: a call of the conversation that nothing answers gets a failed result, a result of no
 * call goes, and of two results of one call the second.
 */
export function mendClaudeCodeCalls(lines: ClientLine[], report: ReportFlaw): void {
  const main = lines.filter((line) => !line.side && !line.dropped && line.uuid !== null)
  // Of lines with the same id the last one, as when the tree was mended: that one has no circles.
  const byId = new Map(
    lines.flatMap((line) => (line.uuid === null || line.dropped ? [] : [[line.uuid, line]])),
  )
  const called = new Set(main.flatMap(({ calls }) => calls))
  const onPath = new Set(pathOf(main, byId))
  const answered = new Set<string>()
  const gone = new Map<string, string | null>()
  for (const line of main) {
    if (line.results.length === 0) continue
    const isOrphan = line.results.every((id) => !called.has(id))
    // Only where they are all that it says: what is beside them is not ours to take away.
    const isSecond = onPath.has(line) && line.results.every((id) => answered.has(id))
    if (isOrphan || isSecond) {
      line.dropped = true
      if (line.uuid !== null && byId.get(line.uuid) === line) gone.set(line.uuid, line.parent)
      if (isOrphan) report('orphan-result', line, 'dropped: no call has its id')
      else report('duplicate-result', line, 'dropped: the first result counts')
    } else if (onPath.has(line)) for (const id of line.results) answered.add(id)
  }
  leadOn(lines, gone)
  answerOpen(lines, byId, report)
}

/** What followed a line that went goes on from the line before it. */
function leadOn(lines: readonly ClientLine[], gone: ReadonlyMap<string, string | null>): void {
  if (gone.size === 0) return
  for (const line of lines) {
    // Each step leads to another line, and circles were cut before.
    while (line.parent !== null && gone.has(line.parent)) line.parent = gone.get(line.parent) ?? null
  }
}

/** Puts a failed result behind each call that is sent and that nothing answers. */
function answerOpen(lines: ClientLine[], byId: ReadonlyMap<string, ClientLine>, report: ReportFlaw): void {
  const main = lines.filter((line) => !line.side && !line.dropped && line.uuid !== null)
  const path = pathOf(main, byId)
  const next = new Map(path.map((line, i) => [line, path[i + 1] ?? null]))
  const results = new Set(main.flatMap((line) => line.results))
  const responses = new Set(path.flatMap(({ response }) => response ?? []))
  const ids = new Set(lines.flatMap(({ uuid }) => uuid ?? []))
  const made = new Map<ClientLine, ClientLine>()
  for (const line of main) {
    const isSent = next.has(line) || (line.response !== null && responses.has(line.response))
    const open = isSent ? line.calls.filter((id) => !results.has(id)) : []
    if (open.length === 0) continue
    const result = resultFor(line, open, ids)
    report('missing-result', result, 'a result is put in that says that it is missing')
    made.set(line, result)
    const follower = next.get(line) ?? null
    // Between two blocks of one response it hangs beside, as the results of calls that are made at once do.
    const isSame = follower?.response != null && follower.response === line.response
    if (follower !== null && !isSame) follower.parent = result.uuid
  }
  if (made.size === 0) return
  const all = lines.flatMap((line) => [line, made.get(line) ?? []].flat())
  lines.length = 0
  append(lines, all)
}

/** The lines from the beginning to the last one of the conversation. */
function pathOf(main: readonly ClientLine[], byId: ReadonlyMap<string, ClientLine>): readonly ClientLine[] {
  const path: ClientLine[] = []
  let at = main.at(-1)
  while (at !== undefined) {
    path.push(at)
    at = at.parent === null ? undefined : byId.get(at.parent)
  }
  return path.reverse()
}

/** A line that says that the results of calls are missing, as the client would write it. */
function resultFor(line: ClientLine, open: readonly string[], ids: Set<string>): ClientLine {
  const uuid = uuidFor(`${line.uuid}:${open.join()}`, ids)
  ids.add(uuid)
  const content = open.map((id) => ({
    tool_use_id: id,
    type: 'tool_result',
    content: MISSING,
    is_error: true,
  }))
  const result = new ClientLine(line.line)
  result.type = 'user'
  result.uuid = uuid
  result.parent = line.uuid
  result.written = line.uuid
  result.results = open
  result.made = JSON.stringify({
    parentUuid: line.uuid,
    ...line.like,
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content },
    uuid,
    toolUseResult: `Error: ${MISSING}`,
  })
  return result
}

/** An unused id of the form that the client gives, always the same for the same seed. */
function uuidFor(seed: string, taken: ReadonlySet<string>): string {
  for (let salt = 0; ; salt++) {
    const hex = [0, 1, 2, 3].map((part) => newId(`${part}:${salt}:${seed}`, new Set())).join('')
    const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    if (!taken.has(uuid)) return uuid
  }
}
