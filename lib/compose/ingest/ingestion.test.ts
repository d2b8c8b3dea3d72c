import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchPath } from '../../db/open-ingest'
import { LocalConnection } from '../../db/sqlite/local-connection'
import { SearchIndex } from '../../db/sqlite/search-index'
import { seededRandom } from '../../demo/random'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { bundleChild, type ChildProgram } from '../../testing/child'
import { MIGRATIONS } from '../../testing/database'
import { dumpDatabase } from '../../testing/dump-database'
import { sharedFolder } from '../../testing/store-folder'

/**
 * Kills that hit a child while it was importing; others come too early or too late to hurt, and are not counted.
 * PLIMSOLL_KILLS makes a longer run, as `npm run fuzz` does.
 */
const KILLS = Number(process.env.PLIMSOLL_KILLS ?? 16)
const SESSIONS = 8
const WORDS = ['walrus', 'harbour', 'needle', 'answer', '7']

const folder = sharedFolder()
let program: ChildProgram
beforeAll(() => {
  program = bundleChild('lib/testing/children/import-store.ts', {
    'import-worker': 'lib/compose/ingest/import-worker.ts',
  })
})
afterAll(() => {
  program.remove()
})

/** A session with turns, branches, a compaction and rubbish; `part` 0 begins it, others go on. */
function writePart(store: string, session: number, part: number): void {
  const builder = new TranscriptBuilder({ id: `s${session}` })
  const prefix = `p${part}-`
  let last: string | null = part === 0 ? null : `p${part - 1}-29`
  for (let i = 0; i < 30; i++) {
    const over = { id: `${prefix}${i}`, parentId: last }
    const usage = { input: 1000 + i * 50, output: 20, cost: 0.01 }
    if (i === 11) builder.raw('{"broken')
    if (i % 3 === 0) builder.user(`walrus ${i} in harbour ${session}`, over)
    else if (i === 13) builder.compaction('the needle so far', `${prefix}4`, over)
    else if (i === 20) builder.user('a branch', { ...over, parentId: `${prefix}15` })
    else builder.assistant(`answer ${i}`, { usage, over })
    last = `${prefix}${i}`
  }
  const text = builder.lines.slice(part === 0 ? 0 : 1).join('\n')
  const file = join(store, `s${session}.jsonl`)
  if (part === 0) writeFileSync(file, `${text}\n`)
  else appendFileSync(file, `${text}\n`)
}

function contentOf(database: string) {
  const connection = new LocalConnection(database)
  const search = new SearchIndex(new LocalConnection(searchPath(database)))
  try {
    const idOf = new Map(
      connection.run('SELECT "row", "id" FROM "Session"').rows.map(([row, id]) => [row, id]),
    )
    const found = WORDS.map((word) =>
      search.find(word, 10_000).map(({ sessionRow, seq }) => `${idOf.get(sessionRow)} ${seq}`),
    )
    return { rows: dumpDatabase(connection), found: found.map((hits) => hits.sort()) }
  } finally {
    connection.close()
    search.close()
  }
}

const alone = (database: string, store: string) => program.startAlone([database, store, MIGRATIONS])
const threaded = (database: string, store: string) => program.start([database, store, MIGRATIONS])

/** Milliseconds that an import of the store takes from its first transaction on. */
async function timeImport(database: string, store: string): Promise<number> {
  const child = alone(database, store)
  await child.says('started')
  const start = performance.now()
  await child.says('finished')
  return performance.now() - start
}

async function importWhole(database: string, store: string, run = alone): Promise<string> {
  const child = run(database, store)
  expect(await child.ended).toBe(0)
  return child.output()
}

describe('an import that is killed', () => {
  it(
    `ends in the rows of an uninterrupted one, after ${KILLS} kills in the middle of it`,
    async () => {
      const random = seededRandom(20_261_121)
      const store = mkdtempSync(join(folder, 'store-'))
      for (let session = 0; session < SESSIONS; session++) writePart(store, session, 0)
      const duration = await timeImport(join(folder, 'timed.db'), store)
      let database = join(folder, 'killed-0.db')
      let starts = 0
      let kills = 0
      let part = 1
      while (kills < KILLS) {
        const child = alone(database, store)
        const says = child.says('started').catch(() => undefined)
        // Sometimes while it starts, mostly while it imports.
        if (random.next() < 0.1) await new Promise((resolve) => setTimeout(resolve, random.next() * 100))
        else await says.then(() => new Promise((resolve) => setTimeout(resolve, random.next() * duration)))
        child.process.kill('SIGKILL')
        await child.ended
        starts += 1
        const finished = child.output().includes('finished')
        if (child.output().includes('started') && !finished) kills += 1
        if (!finished) continue
        // Everything was read: let all sessions grow, and now and then begin with an empty database.
        if (part % 4 === 0) database = join(folder, `killed-${starts}.db`)
        for (let session = 0; session < SESSIONS; session++) writePart(store, session, part)
        part += 1
      }
      await importWhole(database, store)
      const clean = join(folder, 'clean.db')
      await importWhole(clean, store)
      const content = contentOf(database)
      expect(content).toEqual(contentOf(clean))
      expect(content.rows.Session?.map(({ entries }) => entries)).toEqual(
        Array.from({ length: SESSIONS }, () => part * 31 + 1),
      )
    },
    120_000 + KILLS * 20_000,
  )

  it('begins again when the search index is lost or belongs to another database', async () => {
    const store = mkdtempSync(join(folder, 'store-'))
    writePart(store, 0, 0)
    const database = join(folder, 'lost.db')
    await importWhole(database, store)
    const before = contentOf(database)
    rmSync(searchPath(database))
    expect(await importWhole(database, store)).toContain('finished 32 in 0 threads')
    expect(contentOf(database)).toEqual(before)
    expect(await importWhole(database, store)).toContain('finished 0')
  })

  it('ends in the same rows when threads share the work, killed or not', async () => {
    const store = mkdtempSync(join(folder, 'store-'))
    const sessions = 420
    for (let session = 0; session < sessions; session++) writePart(store, session, 0)
    const clean = join(folder, 'one-thread.db')
    await importWhole(clean, store)
    const whole = join(folder, 'threads.db')
    expect(await importWhole(whole, store, threaded)).toMatch(
      new RegExp(`finished ${sessions * 32} in [2-9] threads`),
    )
    const content = contentOf(clean)
    expect(contentOf(whole)).toEqual(content)
    const killed = join(folder, 'threads-killed.db')
    for (let kills = 0; kills < 5; kills++) {
      const child = threaded(killed, store)
      await child.says('started').catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 100 + kills * 60))
      child.process.kill('SIGKILL')
      await child.ended
    }
    await importWhole(killed, store, threaded)
    expect(contentOf(killed)).toEqual(content)
  })
})
