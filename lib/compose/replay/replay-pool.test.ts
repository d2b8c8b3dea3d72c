import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { foundStore } from '../../adapters/discovery/found-store'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { EVERY_SESSION } from '../../core/replay/experiment-spec'
import { NO_PRICES } from '../../core/tokens/own-prices'
import { preparedSessions } from '../../db/commands/prepared-sessions'
import { refusedNeeds } from '../../db/commands/refused-needs'
import { policyCatalogue } from '../../engine/replay/policy-choice'
import type { ReplayCandidate } from '../../engine/replay/replay-ports'
import { runReplay } from '../../engine/replay/run-replay'
import { forgetfulSession } from '../../testing/builders/forgetful-session'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { buildReplayWorker } from '../../testing/replay-worker'
import { sharedFolder, writeFiles } from '../../testing/store-folder'
import { replayPool } from './replay-pool'

const folder = sharedFolder()
let worker = ''
let database: TestDatabase
let candidates: ReplayCandidate[] = []

beforeAll(async () => {
  const built = buildReplayWorker()
  worker = built.file
  writeFiles(folder, Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`pi/s${n}.jsonl`, forgetfulSession(n)])))
  database = createTestDatabase()
  const store = foundStore('pi', 'jsonl', join(folder, 'pi'), 'pi', 'ok')
  for await (const transcript of createStoreReader().list(store))
    candidates = [
      ...candidates,
      { store, transcript, title: transcript.sessionId, calls: null, updatedAt: 1 },
    ]
  const { connection } = database
  connection.run(
    `INSERT INTO "Store" ("id", "kind", "era", "root", "label", "state", "firstSeenAt") VALUES (?, 'pi', 'jsonl', '/', 'pi', 'ok', 1)`,
    [store.id],
  )
  for (const { transcript } of candidates)
    connection.run(
      `INSERT INTO "Session" ("id", "storeId", "sessionId", "path", "state") VALUES (?, ?, ?, ?, 'live')`,
      [transcript.id, store.id, transcript.sessionId, transcript.path],
    )
  return async () => {
    built.remove()
    await database.destroy()
  }
})

const setup = () => ({ databaseFile: database.file, archive: join(folder, 'archive'), prices: NO_PRICES })
const runtime = { owner: 'pi', era: 'jsonl', version: null, files: [], own: null } as const
const policies = policyCatalogue({ runtimeOf: () => runtime, draftOf: () => DEFAULT_POLICY })
const spec = { sessions: EVERY_SESSION, policies: ['in-force', 'everything', 'keep-turns-5', 'oracle'] }

function run(file: string | null, threads: number, signal?: AbortSignal) {
  const executor = replayPool(file, setup(), threads)
  const ports = { candidates: () => candidates, policies, executor, prices: 'list' }
  return runReplay(ports, spec, { signal, report: () => undefined })
}

describe('threads that replay', () => {
  it('give the same result, one, two, or none beside the caller', async () => {
    const one = await run(worker, 1)
    expect(one?.sessions).toHaveLength(5)
    expect(one?.problems).toEqual([])
    expect(one?.policies.find(({ name }) => name === 'keep-turns-5')?.unmet).toBeGreaterThan(0)
    expect(await run(worker, 2)).toEqual(one)
    expect(await run(null, 1)).toEqual(one)
  })

  it('keep what they made ready, and go by what the operator said is no need', async () => {
    const before = await run(worker, 2)
    const kept = database.connection.run('SELECT COUNT(*) FROM "PreparedSession"').rows
    expect(kept).toEqual([[5]])
    const regret = before?.policies.find(({ name }) => name === 'keep-turns-5')?.regrets[0]
    if (regret === undefined) throw new Error('nothing is missed')
    const { transcriptId, callEntry: entry, text } = regret
    await refusedNeeds(database.connection).refuse({ transcriptId, entry, text }, 1)
    const after = await run(worker, 2)
    const isIt = (one: typeof regret) => one.transcriptId === transcriptId && one.text === text
    expect(after?.policies.flatMap(({ regrets }) => regrets.filter(isIt))).toEqual([])
    expect(
      after?.sessions.find((one) => one.transcriptId === transcriptId)?.excluded.refused,
    ).toBeGreaterThan(0)
  })

  it('go by it also when sessions were made ready again: by a newer version, and of a longer transcript', async () => {
    const marks = refusedNeeds(database.connection)
    const refusedIn = async (id: string) => {
      const result = await run(null, 1)
      const session = result?.sessions.find(({ transcriptId }) => transcriptId === id)
      return { calls: session?.calls, refused: session?.excluded.refused, needs: session?.needs }
    }
    const [first] = candidates
    if (first === undefined) throw new Error('no session')
    const { id, path } = first.transcript
    const number = Number(/s(\d)\.jsonl$/.exec(path)?.[1])
    for (const one of marks.of(id)) await marks.takeBack(one)
    const before = await run(null, 1)
    const regret = before?.policies
      .find(({ name }) => name === 'keep-turns-5')
      ?.regrets.find(({ transcriptId }) => transcriptId === id)
    if (regret === undefined) throw new Error('nothing is missed')
    const { callEntry: entry, text } = regret
    const { needs = 0 } = await refusedIn(id)

    // As an older version wrote the path.
    await marks.refuse({ transcriptId: id, entry, text: `./${text}` }, 1)
    const kept = await refusedIn(id)
    expect(kept.refused).toBeGreaterThan(0)
    expect(kept.needs).toBe(needs - 1)
    database.connection.run(`UPDATE "PreparedSession" SET "version" = "version" - 1`)
    expect(await refusedIn(id)).toEqual(kept)

    writeFiles(folder, { [`pi/s${number}.jsonl`]: forgetfulSession(number, 3) })
    for await (const transcript of createStoreReader().list(first.store))
      candidates = candidates.map((one) =>
        one.transcript.id === transcript.id ? { ...one, transcript } : one,
      )
    const grown = await refusedIn(id)
    expect(grown.calls).toBe((kept.calls ?? 0) + 3)
    expect(grown.refused).toBeCloseTo(kept.refused ?? 0, 6)
  })

  it('prepare a session again when its source has changed', async () => {
    const [first] = candidates
    if (first === undefined) throw new Error('no session')
    const { id, stamp } = first.transcript
    const key = (size: number) => `${stamp.dev}:${stamp.ino}:${size}:${stamp.mtimeMs}`
    expect(preparedSessions(database.connection).read(id, key(stamp.size))).not.toBeNull()
    expect(preparedSessions(database.connection).read(id, key(stamp.size + 1))).toBeNull()
  })

  it('stop when they are stopped, and say of a session that is gone why it could not be read', async () => {
    expect(await run(worker, 2, AbortSignal.abort())).toBeNull()
    const [first, ...others] = candidates
    if (first === undefined) throw new Error('no session')
    const gone = { ...first.transcript, id: 'gone', path: join(folder, 'pi', 'gone.jsonl') }
    candidates = [...others, { ...first, transcript: gone }]
    const result = await run(worker, 2)
    expect(result?.sessions).toHaveLength(4)
    expect(result?.problems).toMatchObject([{ transcriptId: 'gone' }])
  })
})
