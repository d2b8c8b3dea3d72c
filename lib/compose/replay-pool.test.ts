import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { foundStore } from '../adapters/discovery/found-store'
import { createStoreReader } from '../adapters/stores/store-reader'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { EVERY_SESSION } from '../core/replay/experiment-spec'
import { NO_PRICES } from '../core/tokens/own-prices'
import { preparedSessions } from '../db/commands/prepared-sessions'
import { refusedNeeds } from '../db/commands/refused-needs'
import { policyCatalogue } from '../engine/replay/policy-choice'
import type { ReplayCandidate } from '../engine/replay/replay-ports'
import { runReplay } from '../engine/replay/run-replay'
import { runTune, type TuneRun } from '../engine/replay/run-tune'
import { forgetfulSession } from '../testing/builders/forgetful-session'
import { createTestDatabase, type TestDatabase } from '../testing/database'
import { sharedFolder, writeFiles } from '../testing/store-folder'
import { replayPool } from './replay-pool'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = sharedFolder()
let worker = ''
let database: TestDatabase
let candidates: ReplayCandidate[] = []

beforeAll(async () => {
  // Inside the checkout, so that the packages left out of the bundle are found.
  const built = mkdtempSync(join(ROOT, 'node_modules', '.plimsoll-replay-'))
  writeFileSync(join(built, 'package.json'), '{"type":"module"}')
  buildSync({
    absWorkingDir: ROOT,
    ...{ entryPoints: ['lib/compose/replay-worker.ts'], outdir: built, bundle: true, format: 'esm' },
    ...{ platform: 'node', target: 'node20', logLevel: 'warning' },
    external: ['libsql', '@libsql/*', '@prisma/*', 'js-tiktoken', 'js-tiktoken/*'],
    banner: {
      js: `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`,
    },
  })
  worker = join(built, 'replay-worker.js')
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
    rmSync(built, { recursive: true, force: true })
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

  it('tune to the same three picks, tested on sessions that were not learnt on', async () => {
    const tune = (file: string | null, threads: number, how: Partial<TuneRun> = {}) => {
      const executor = replayPool(file, setup(), threads)
      const ports = { candidates: () => candidates, policies, executor, prices: 'list' }
      return runTune(ports, { sessions: EVERY_SESSION }, { report: () => undefined, ...how })
    }
    const one = await tune(worker, 1)
    expect(one?.tune?.picks.map(({ pick }) => pick)).toEqual(['safe', 'balanced', 'cheap'])
    const { train = 0, test = 0 } = one?.tune?.split ?? {}
    expect([train + test, one?.sessions.length]).toEqual([5, test])
    expect(one?.policies.map(({ role }) => role)).toContain('tuned')

    // Stopped in its third stage, it goes on there with another number of threads.
    const stop = new AbortController()
    let saved: unknown = null
    const stopped = await tune(worker, 1, {
      signal: stop.signal,
      report: (stage) => {
        if (stage === 'all') stop.abort()
      },
      keep: async (progress) => {
        saved = JSON.parse(JSON.stringify(progress))
      },
    })
    expect(stopped).toBeNull()
    const stages = new Set<string>()
    const report = (stage: string) => stages.add(stage)
    expect(await tune(worker, 2, { saved, report })).toEqual(one)
    expect([...stages]).toEqual(['prepare', 'all', 'around', 'knobs', 'test', 'evidence'])
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

  it('prepare a session again when its source has changed', async () => {
    const [first] = candidates
    if (first === undefined) throw new Error('no session')
    const { id, stamp } = first.transcript
    const key = (size: number) => `${stamp.dev}:${stamp.ino}:${size}:${stamp.mtimeMs}`
    expect(preparedSessions(database.connection).read(id, key(stamp.size))).not.toBeNull()
    expect(preparedSessions(database.connection).read(id, key(stamp.size + 1))).toBeNull()
  })

  it('stop when they are told to, and say of a session that is gone why it could not be read', async () => {
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
