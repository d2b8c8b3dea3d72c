import { coldPlaces, withColdPlaces } from '../../compose/cold/cold'
import type { ChunkLife } from '../../core/logs/chunk-life'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import { maskValue } from '../../core/logs/mask-value'
import { maskSecrets } from '../../core/redaction/secrets'
import { chunkLives, isAbout } from '../../engine/cold/chunk-lives'
import { LIFE_STATES } from '../../view/activity/chunk-life'
import { formatCount } from '../../view/text/format'
import { absoluteTimeUtc } from '../../view/text/time'
import { policiesFor } from '../choose/chosen-policy'
import { rootsOf } from '../choose/cold-places'
import { type LogOptions, readLogs } from '../choose/read-logs'
import { setupOrFail } from '../choose/setup-or-fail'
import { EXIT, type ExitCode, type Io } from '../io'
import { timeJson } from '../print/figure-json'
import { note, write, writeJson } from '../print/output'
import { renderTable } from '../print/table'
import { toTerminal } from '../print/terminal-text'

/**
 * Tells the life of a chunk, as far as drop log, cold storage and recovery log know of it: from the drop to the expiry.
 * The same id in several sessions are several chunks.
 */
export async function chunkLife(
  io: Io,
  options: LogOptions & { readonly chunkId: string },
): Promise<ExitCode> {
  const { chunkId, session, ...others } = options
  const records: AnyLogRecord[] = []
  // Lines that name no session may be about this one: chosen between lives, not between lines.
  await readLogs(io, others, ['drops', 'recovery'], ({ record }) => {
    if (isAbout(record, chunkId)) records.push(record)
  })
  const setup = setupOrFail(io)
  const places = coldPlaces(setup, await policiesFor(io, options))
  const stored = await withColdPlaces(setup, places, (finder) => finder.named(chunkId))
  const lives = await chunkLives(chunkId, { records, stored }, Date.now())
  const found = lives.filter(({ sessionId }) => sessionId?.startsWith(session ?? '') ?? !session)
  if (options.json) await writeJson(io, { chunkId, lives: found.map(lifeJson) })
  else await write(io.stdout, found.map(lifeText).join('\n'))
  if (found.length > 0) return EXIT.done
  await note(
    io,
    `Neither logs nor cold storage (${rootsOf(places)}) know a chunk ${JSON.stringify(chunkId)}.`,
  )
  return EXIT.usage
}

function lifeJson({ recoverableUntil, events, ...life }: ChunkLife) {
  return {
    ...life,
    recoverableUntil: timeJson(recoverableUntil),
    events: events.map(({ what, at, facts }) => ({
      what,
      at: timeJson(at),
      ...(maskValue('', facts, maskSecrets) as typeof facts),
    })),
  }
}

function lifeText({ chunkId, sessionId, tokens, state, recoverableUntil, events }: ChunkLife): string {
  const until = recoverableUntil === null ? '' : `, kept until ${absoluteTimeUtc(recoverableUntil)}`
  const size = tokens === null ? 'of unknown size' : `of ${formatCount(tokens)} tokens`
  const whose = sessionId === null ? 'an unknown session' : `session ${maskSecrets(sessionId)}`
  const title = `Chunk ${maskSecrets(chunkId)} ${size} of ${whose}: ${LIFE_STATES[state]}${until}`
  const table = renderTable(events, [
    { title: 'TIME (UTC)', cell: ({ at }) => (at === null ? '?' : absoluteTimeUtc(at)) },
    { title: 'WHAT', cell: ({ what }) => what },
    {
      title: 'HOW',
      cell: ({ facts }) =>
        Object.entries(facts)
          .filter(([, value]) => value !== null)
          .map(([name, value]) => `${name}=${maskSecrets(String(value))}`)
          .join(' '),
      max: 120,
    },
  ])
  return `${toTerminal(title)}\n${table}`
}
