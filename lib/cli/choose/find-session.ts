import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliError, EXIT, type Io } from '../io'
import { chooseSession, type ListedTranscript } from './choose-session'
import { newestEntryAt, newestSession } from './newest-session'
import type { Sources } from './sources'

const SHOWN_CANDIDATES = 10

/**
 * The transcript that SESSION means: a file, else a session of the stores; without SESSION the one that `sessions`
 * lists first.
 * @throws CliError with candidates when it is not clear, or with what to do when there is none
 */
export async function findSession(
  io: Io,
  sources: Sources,
  wanted: string | undefined,
): Promise<ListedTranscript> {
  if (wanted !== undefined && isFile(resolve(io.cwd, wanted)))
    return sources.transcriptFile(resolve(io.cwd, wanted))
  const all = await sources.listAll()
  if (wanted === undefined) {
    const newest = await newestSession(all, ({ store, transcript }) =>
      newestEntryAt({ outline: sources.outline, full: sources.reader }, store, transcript),
    )
    if (newest !== null) return newest
    throw new CliError(
      EXIT.unreadable,
      'There is no session. "plimsoll stores" tells where they were looked for.',
    )
  }
  const choice = chooseSession(all, wanted)
  switch (choice.kind) {
    case 'one':
      return choice.found
    case 'none':
      throw new CliError(
        EXIT.usage,
        `No session is called ${JSON.stringify(wanted)}, and there is no such file. "plimsoll sessions" lists what there is.`,
        { candidates: [] },
      )
    case 'many':
      throw severalSessions(
        `${JSON.stringify(wanted)} fits ${choice.candidates.length} sessions`,
        choice.candidates,
      )
  }
}

/**
 * The session in use, for a verb that changes it: without SESSION the only one, never just the newest of
 * several. @throws CliError with candidates when there are several, or with what to do when there is none
 */
export async function findOnlySession(io: Io, sources: Sources): Promise<ListedTranscript> {
  const newest = await findSession(io, sources, undefined)
  const named = new Map<string, ListedTranscript>()
  for (const listed of await sources.listAll())
    if (listed.transcript.state === newest.transcript.state && listed.transcript.problem === undefined)
      named.set(listed.transcript.sessionId, listed)
  if (named.size <= 1) return newest
  throw severalSessions(`There are ${named.size} sessions; name the one that is meant`, [...named.values()])
}

function severalSessions(problem: string, candidates: readonly ListedTranscript[]): CliError {
  const names = candidates.slice(0, SHOWN_CANDIDATES).map(nameOf)
  const more = candidates.length - names.length
  return new CliError(EXIT.usage, `${problem}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`, {
    candidates: candidates.map(({ store, transcript }) => ({
      id: transcript.sessionId,
      key: transcript.key,
      store: store.root,
    })),
  })
}

/** With its store: the same key is in several. */
function nameOf({ store, transcript }: ListedTranscript): string {
  const { sessionId, key } = transcript
  return `${sessionId}${key === null ? '' : ` (${key})`} in ${store.root}`
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
