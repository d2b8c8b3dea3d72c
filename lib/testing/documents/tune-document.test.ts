import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { foundStore } from '../../adapters/discovery/found-store'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { openCatalogue, pricesEdition } from '../../compose/replay/lab'
import { replayPool } from '../../compose/replay/replay-pool'
import type { ExperimentResult } from '../../core/replay/experiment-result'
import { EVERY_SESSION } from '../../core/replay/experiment-spec'
import { NO_PRICES } from '../../core/tokens/own-prices'
import { experimentHash } from '../../engine/replay/experiments'
import type { ReplayCandidate } from '../../engine/replay/replay-ports'
import { runTune, type TuneRun } from '../../engine/replay/run-tune'
import { seededTranscript } from '../builders/seeded-transcript'
import { readSetup } from '../read-setup'
import { buildReplayWorker } from '../replay-worker'
import { sharedFolder, writeFiles } from '../store-folder'
import { checkVerb, documentWorld, setTimes } from './document-world'

const SESSIONS = Array.from({ length: 12 }, (_, number) => number)

describe('a whole tuning of a few sessions that are always the same', () => {
  const folder = sharedFolder()
  const world = documentWorld('tune', folder)
  const root = join(folder, 'pi')
  let worker = ''
  let hash = ''
  beforeAll(() => {
    const built = buildReplayWorker()
    worker = built.file
    writeFiles(folder, Object.fromEntries(SESSIONS.map((n) => [`pi/s${n}.jsonl`, seededTranscript(n)])))
    setTimes(folder)
    return built.remove
  })

  /** The same tuning in separate threads. */
  async function tune(threads: number, how: Partial<TuneRun>): Promise<ExperimentResult | null> {
    const read = readSetup(world.env, folder)
    if (!read.ok) throw new Error(read.problems.join(' '))
    const store = foundStore('pi', 'jsonl', root, 'pi', 'ok')
    const listed: ReplayCandidate[] = []
    for await (const transcript of createStoreReader().list(store))
      listed.push({ store, transcript, title: transcript.sessionId, calls: null, updatedAt: 1 })
    const work = { databaseFile: null, archive: join(folder, 'archive'), prices: NO_PRICES }
    const ports = {
      candidates: () => listed,
      policies: await openCatalogue(read.setup, [store]),
      executor: replayPool(worker, work, threads),
      prices: pricesEdition(NO_PRICES),
    }
    return runTune(ports, { sessions: EVERY_SESSION }, { report: () => undefined, ...how })
  }

  it('is the golden document', async () => {
    const document = await checkVerb(world, 'tune', ['tune', '--store', root])
    expect(document.tune.picks.map(({ pick }: { pick: string }) => pick)).toEqual([
      'safe',
      'balanced',
      'cheap',
    ])
    hash = document.hash
  })

  it('comes to the same in one thread, stopped in the third stage, and from there in two', async () => {
    const stop = new AbortController()
    let saved: unknown = null
    const stopped = await tune(1, {
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
    const result = await tune(2, { saved, report: (stage) => stages.add(stage) })
    expect([...stages]).toEqual(['prepare', 'all', 'around', 'knobs', 'test', 'evidence'])
    expect(result === null ? null : experimentHash(result)).toBe(hash)
  })
})
