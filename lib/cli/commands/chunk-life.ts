import { type ChunkLife, ChunkLives } from '../../core/logs/chunk-life'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import { maskValue } from '../../core/logs/mask-value'
import { maskSecrets } from '../../core/redaction/secrets'
import { formatCount } from '../../view/format'
import { absoluteTimeUtc } from '../../view/time'
import { coldPlaces, policiesInForce, rootsOf, withColdPlaces } from '../cold-places'
import { timeJson } from '../figure-json'
import { EXIT, type ExitCode, type Io } from '../io'
import { note, write, writeJson } from '../output'
import { type LogOptions, readLogs } from '../read-logs'
import { setupOrFail } from '../setup-or-fail'
import { renderTable } from '../table'
import { toTerminal } from '../terminal-text'

/**
 * Tells the life of a chunk, as far as drop log, cold storage and recovery log know of it: from the drop to the expiry.
 * The same id in several sessions are several chunks.
 */
export async function chunkLife(
  io: Io,
  options: LogOptions & { readonly chunkId: string },
): Promise<ExitCode> {
  const { chunkId, session, ...others } = options
  const lives = new ChunkLives()
  // Lines that name no session may tell of this one: chosen between lives, not between lines.
  await readLogs(io, others, ['drops', 'recovery'], ({ record }) => {
    if (isAbout(record, chunkId)) lives.logged(record)
  })
  const places = coldPlaces(io, await policiesInForce(io, options))
  const stored = await withColdPlaces(setupOrFail(io), places, (finder) => finder.named(chunkId))
  for (const { sessionId, at, tokens, reason, until } of stored)
    lives.stored({ chunkId, sessionId, at, tokens, reason, recoverableUntil: until })
  const found = lives
    .lives(Date.now())
    .filter(({ sessionId }) => sessionId?.startsWith(session ?? '') ?? !session)
  if (options.json) await writeJson(io, { chunkId, lives: found.map(lifeJson) })
  else await write(io.stdout, found.map(lifeText).join('\n'))
  if (found.length > 0) return EXIT.done
  await note(
    io,
    `Neither logs nor cold storage (${rootsOf(places)}) know a chunk ${JSON.stringify(chunkId)}.`,
  )
  return EXIT.usage
}

function isAbout(record: AnyLogRecord, chunkId: string): boolean {
  if (record.kind !== 'drops' && record.kind !== 'recovery') return false
  if (record.chunkId === chunkId) return true
  return record.kind === 'recovery' && record.chunkIds?.includes(chunkId) === true
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

const STATES: { readonly [S in ChunkLife['state']]: string } = {
  'in-context': 'in its context',
  cold: 'in cold storage',
  expired: 'expired',
  purged: 'purged',
  gone: 'dropped, and not in cold storage',
}

function lifeText({ chunkId, sessionId, tokens, state, recoverableUntil, events }: ChunkLife): string {
  const until = recoverableUntil === null ? '' : `, kept until ${absoluteTimeUtc(recoverableUntil)}`
  const size = tokens === null ? 'of unknown size' : `of ${formatCount(tokens)} tokens`
  const whose = sessionId === null ? 'an unknown session' : `session ${maskSecrets(sessionId)}`
  const title = `Chunk ${maskSecrets(chunkId)} ${size} of ${whose}: ${STATES[state]}${until}`
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
