import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openConnection } from '../../db/open-connection'
import { countCauses, findCause, findFindingGroups } from '../../db/queries/finding-causes'
import { type FindingsFilter, findFindings } from '../../db/queries/findings'
import { readLiveStamp } from '../../db/queries/live-stamp'
import { findStoreHealth } from '../../db/queries/store-summaries'
import { ClaudeCodeBuilder } from '../../testing/builders/foreign-lines'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { readSetup } from '../../testing/read-setup'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { ingestOnce, watchAll } from '../open'
import type { Setup } from '../setup'
import { openStoreJudge, StoresNotJudged } from './store-findings'

const DAY = 86_400_000
const HOUR = 3_600_000
const PAGE = { skip: 0, limit: 50 }
const OLD = '.claude/projects/-w/old.jsonl'
const LOCKED = 'openclaw/agents/main/sessions/locked.jsonl'

let folder: string
let setup: Setup
let env: Record<string, string>
let database: { connection: ReturnType<typeof openConnection> }

function talk(): string {
  const builder = new ClaudeCodeBuilder()
  builder.user('List the berths.')
  builder.answer('m1', { type: 'text', text: 'Two.' }, { input: 5, read: 1000, write: 300, output: 7 })
  return builder.text()
}

/** A lock that a process of ours holds, or one that has ended. */
function lock(isLeft: boolean, since = Date.now()): void {
  const pid = isLeft ? 2 ** 30 : process.ppid
  writeFileSync(
    join(folder, `${LOCKED}.lock`),
    JSON.stringify({ pid, createdAt: new Date(since).toISOString() }),
  )
}

function readSettings(): void {
  env = {
    HOME: join(folder, 'home'),
    PLIMSOLL_HOME: join(folder, 'state'),
    PLIMSOLL_STORES: ['.claude/projects', 'openclaw'].map((name) => join(folder, name)).join(':'),
  }
  const read = readSetup(env, folder)
  if (!read.ok) throw new Error(read.problems.join())
  setup = read.setup
}

beforeEach(async () => {
  folder = temporaryFolder()
  const builder = new TranscriptBuilder({ id: 'locked' })
  builder.user('Go.')
  builder.assistant('Gone.', { usage: { input: 100, output: 10 } })
  writeFiles(folder, {
    [OLD]: talk(),
    '.claude/projects/-w/older.jsonl': talk(),
    [LOCKED]: builder.text(),
    'home/x': '',
  })
  for (const [name, days] of [
    ['old', 25],
    ['older', 27],
  ] as const) {
    const before = new Date(Date.now() - days * DAY)
    utimesSync(join(folder, `.claude/projects/-w/${name}.jsonl`), before, before)
  }
  readSettings()
  lock(true, Date.now() - 2 * DAY)
  expect(await ingestOnce(setup, env)).toMatchObject({ ok: true })
  database = { connection: openConnection(file()) }
})
afterEach(() => database.connection.close())

const file = () => join(folder, 'state', 'plimsoll.db')
const ofStores = (filter: FindingsFilter = {}) =>
  findFindings(database, filter, PAGE).rows.filter(({ store }) => store !== null)
const kinds = (filter: FindingsFilter = {}) => ofStores(filter).map(({ finding }) => finding.kind)

/** Roots of stores with why they could not be judged. */
const faults = () =>
  findStoreHealth(database).flatMap(({ root, findingsProblem }) =>
    findingsProblem === null ? [] : [[root, findingsProblem]],
  )

async function judge(now: number, which: ReadonlySet<string> | null = null): Promise<void> {
  const judging = openStoreJudge(setup, file())
  await judging.judge(which, now).finally(() => judging.close())
}

describe('findings of stores in the database', () => {
  it('are there after an import, among the others, by store, session, kind, cause and severity', () => {
    expect(kinds().sort()).toEqual(['deleted-soon', 'stale-lock'])
    const [lockFound] = ofStores({ kind: 'stale-lock' })
    if (lockFound?.store == null) throw new Error('no lock was found')
    expect(lockFound).toMatchObject({
      session: { sessionId: 'locked', agent: 'main' },
      store: { kind: 'openclaw', root: join(folder, 'openclaw') },
      goneAt: null,
    })
    const { finding, session, store } = lockFound
    expect(kinds({ session: session.id })).toEqual(['stale-lock'])
    expect(kinds({ store: store.id })).toEqual(['stale-lock'])
    expect(kinds({ severity: 'high' })).toEqual([])
    expect(findCause(database, store.id, finding.id)).toBe(finding.cause)
    const groups = findFindingGroups(database, {}, PAGE)
    expect(groups.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['deleted-soon', 'stale-lock']))
    expect(groups.find(({ kind }) => kind === 'stale-lock')?.worst.store).toEqual(store)
    const counts = countCauses(database, {})
    expect(counts.high + counts.medium + counts.low).toBe(groups.length)
    const paged = groups.map((_, skip) => findFindingGroups(database, {}, { skip, limit: 1 })[0])
    expect(paged).toEqual(groups)
    const muted = { only: false, ids: [finding.id], causes: [] }
    expect(kinds({ muted })).toEqual(['deleted-soon'])
    expect(findFindingGroups(database, { muted: { ...muted, only: true } }, PAGE)).toHaveLength(1)
  })

  it('name the transcripts that they are about, with the moment', () => {
    const [due] = ofStores({ kind: 'deleted-soon' })
    expect(
      due?.finding.evidence.transcripts?.map(({ at }) => Math.round(((at ?? 0) - Date.now()) / DAY)),
    ).toEqual([3, 5])
  })

  it('come and go by the clock and by what lies beside the files, and say since when', async () => {
    const before = readLiveStamp(database).stores
    const [found] = ofStores({ kind: 'stale-lock' })
    await judge(Date.now() + 60_000)
    // Nothing to be shown anew, and seen first when it was.
    expect(readLiveStamp(database).stores).toBe(before)
    await judge(Date.now() + 2 * HOUR)
    expect(ofStores({ kind: 'stale-lock' })).toMatchObject([
      { foundAt: found?.foundAt, finding: { firstSeen: found?.finding.firstSeen } },
    ])
    expect(readLiveStamp(database).stores).toBe(before)
    rmSync(join(folder, `${LOCKED}.lock`))
    const gone = Date.now() + 3 * HOUR
    await judge(gone)
    expect(kinds()).toEqual(['deleted-soon'])
    expect(ofStores({ which: 'gone' })).toMatchObject([{ finding: { kind: 'stale-lock' }, goneAt: gone }])
    expect(readLiveStamp(database).stores).not.toBe(before)
    // A lock that a living process holds becomes one without any file changing.
    lock(false)
    await judge(Date.now())
    expect(kinds({ kind: 'stale-lock' })).toEqual([])
    await judge(Date.now() + 2 * HOUR)
    expect(ofStores({ kind: 'stale-lock' })).toMatchObject([{ finding: { severity: 'low' }, goneAt: null }])
  })

  it('of a store that is not there any more go, and those of others stay where only some are read', async () => {
    rmSync(join(folder, 'openclaw'), { recursive: true })
    env = { ...env, PLIMSOLL_STORES: join(folder, '.claude/projects') }
    expect(await ingestOnce(setup, env, { named: [join(folder, '.claude/projects')] })).toMatchObject({
      ok: true,
    })
    expect(kinds().sort()).toEqual(['deleted-soon', 'stale-lock'])
    readSettings()
    env = { ...env, PLIMSOLL_STORES: join(folder, '.claude/projects') }
    const read = readSetup(env, folder)
    if (!read.ok) throw new Error(read.problems.join())
    setup = read.setup
    expect(await ingestOnce(setup, env)).toMatchObject({ ok: true })
    expect(kinds()).toEqual(['deleted-soon'])
  })

  it('of one store stay as they are when it cannot be judged, and the others are judged all the same', async () => {
    rmSync(join(folder, `${LOCKED}.lock`))
    const judging = openStoreJudge(setup, file())
    const [first] = ofStores({ kind: 'deleted-soon' })
    // What is kept of it is damaged.
    const { rows } = database.connection.run('SELECT "findingJson" FROM "StoreFinding" WHERE "id" = ?', [
      first?.finding.id ?? '',
    ])
    const damage = (json: string) =>
      database.connection.write(() =>
        database.connection.run('UPDATE "StoreFinding" SET "findingJson" = ? WHERE "id" = ?', [
          json,
          first?.finding.id ?? '',
        ]),
      )
    await damage('[')
    const judged = judging.judge(null, Date.now() + HOUR)
    await expect(judged).rejects.toThrow(StoresNotJudged)
    await expect(judged).rejects.toMatchObject({ problems: [{ root: join(folder, '.claude/projects') }] })
    const before = readLiveStamp(database).stores
    expect(faults()).toEqual([[join(folder, '.claude/projects'), expect.stringContaining('JSON')]])
    await expect(judging.judge(null, Date.now() + HOUR)).rejects.toThrow(StoresNotJudged)
    // The same answer is no news.
    expect(readLiveStamp(database).stores).toBe(before)
    await damage(String(rows[0]?.[0]))
    expect(kinds()).toEqual(['deleted-soon'])
    // It is tried again, whether or not something has changed.
    await judging.judge(null, Date.now() + HOUR)
    expect(kinds()).toEqual(['deleted-soon'])
    expect(faults()).toEqual([])
    expect(readLiveStamp(database).stores).not.toBe(before)
    judging.close()
  })

  it('are there where a folder beside a store cannot be read, and the store says so until it can', async () => {
    const memory = join(folder, 'openclaw', 'workspace', 'memory')
    mkdirSync(join(folder, 'openclaw', 'workspace'))
    symlinkSync(memory, memory)
    await judge(Date.now() + HOUR)
    expect(kinds()).toContain('stale-lock')
    expect(faults()).toEqual([
      [join(folder, 'openclaw'), expect.stringContaining(`The folder ${memory} cannot be read (ELOOP`)],
    ])
    rmSync(memory)
    await judge(Date.now() + HOUR)
    expect(faults()).toEqual([])
  })

  it('are left alone for ten minutes where nothing has come or gone', async () => {
    rmSync(join(folder, `${LOCKED}.lock`))
    const judging = openStoreJudge(setup, file())
    const start = Date.now() + HOUR
    await judging.judge(null, start)
    expect(kinds()).toEqual(['deleted-soon'])
    const forget = () =>
      database.connection.write(() => database.connection.run('DELETE FROM "StoreFinding"', []))
    await forget()
    await judging.judge(null, start + 9 * 60_000)
    expect(kinds()).toEqual([])
    await judging.judge(null, start + 10 * 60_000)
    expect(kinds()).toEqual(['deleted-soon'])
    await forget()
    // A lock came beside a transcript of the other store: that one is judged, and this one is not.
    lock(true, Date.now() - 2 * DAY)
    await judging.judge(null, start + 11 * 60_000)
    expect(kinds()).toEqual(['stale-lock'])
    judging.close()
  })

  it('X16: follow a lock that comes and goes while the stores are watched', async () => {
    rmSync(join(folder, `${LOCKED}.lock`))
    const stop = new AbortController()
    const problems: string[] = []
    const watching = watchAll(setup, env, {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'problem') problems.push(event.message)
      },
    })
    const are = (wanted: string[]) => expect.poll(() => kinds().sort(), { timeout: 20_000 }).toEqual(wanted)
    await are(['deleted-soon'])
    lock(true)
    await are(['deleted-soon', 'stale-lock'])
    rmSync(join(folder, `${LOCKED}.lock`))
    await are(['deleted-soon'])
    stop.abort()
    await watching
    expect(problems).toEqual([])
  })
})
