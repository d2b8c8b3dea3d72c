import type { ColdChunk } from '../engine/cold-store'
import { timeJson } from './figure-json'
import { CliError, EXIT } from './io'

/**
 * The chunk that an id means: of several in one session, which was dropped again and again, the newest. Of several
 * sessions, `session` must tell whose. @throws CliError when there is none, or it is not clear
 */
export function chooseChunk(
  named: readonly ColdChunk[],
  { id, session, root }: { readonly id: string; readonly session: string | undefined; readonly root: string },
): ColdChunk {
  const newest = new Map<string, ColdChunk>()
  for (const chunk of named) {
    const known = newest.get(chunk.sessionId)
    if (known === undefined || (chunk.at ?? 0) > (known.at ?? 0)) newest.set(chunk.sessionId, chunk)
  }
  const own = session === undefined ? undefined : newest.get(session)
  const [only, ...more] = own === undefined ? newest.values() : [own]
  if (only === undefined)
    throw new CliError(
      EXIT.usage,
      `There is no chunk ${JSON.stringify(id)} in ${root}. "plimsoll cold-storage list" tells what there is.`,
    )
  if (more.length === 0) return only
  const candidates = [only, ...more].map(({ sessionId, at }) => ({ session: sessionId, at: timeJson(at) }))
  throw new CliError(
    EXIT.usage,
    `${JSON.stringify(id)} is the name of ${candidates.length} chunks. Say whose with --session: ${candidates.map((candidate) => candidate.session).join(', ')}`,
    { candidates },
  )
}
