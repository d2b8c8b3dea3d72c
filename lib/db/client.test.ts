import { afterEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database'
import { openClient } from './client'
import { DatabaseUrlError, databasePath } from './database-url'

let database: TestDatabase | null = null
afterEach(async () => {
  await database?.destroy()
  database = null
})

const at = new Date(Date.UTC(2026, 10, 21, 12, 0, 0, 123))

async function writeOneOfEach(prisma: TestDatabase['prisma']): Promise<number> {
  await prisma.store.create({
    data: { id: 's', kind: 'pi', era: 'jsonl', root: '/r', label: 'r', state: 'ok', firstSeenAt: at },
  })
  const session = await prisma.session.create({
    data: {
      id: 'a',
      storeId: 's',
      sessionId: 'x',
      path: '/r/x',
      state: 'live',
      bytes: 5_000_000_000n,
      updatedAt: at,
    },
  })
  const sessionRow = session.row
  await prisma.entryBlock.create({
    data: { sessionRow, firstSeq: 0, count: 1, callsBefore: 0, factsJson: '[{}]' },
  })
  await prisma.oddEntry.create({ data: { sessionRow, seq: 0, line: 1, bytes: 2, type: 'unreadable' } })
  await prisma.callBlock.create({
    data: { sessionRow, firstN: 1, count: 1, totalsJson: '[10]', windowsJson: '[20]', callsJson: '[]' },
  })
  await prisma.failedCall.create({ data: { sessionRow, n: 1, seq: 0, at, stopReason: 'error' } })
  await prisma.compaction.create({
    data: { sessionRow, seq: 0, kind: 'reset', afterCall: 0, fromHook: true },
  })
  await prisma.sessionDay.create({
    data: {
      sessionRow,
      day: '2026-11-21',
      model: 'm',
      calls: 1,
      inputTokens: 1n,
      outputTokens: 1n,
      cacheReadTokens: 0n,
      cacheWriteTokens: 0n,
      costUnknownCalls: 0,
      categoriesJson: '[]',
    },
  })
  await prisma.meta.create({ data: { key: 'k', value: 'v' } })
  return sessionRow
}

describe('the database client', () => {
  it('reads back every model that it wrote, through the migrated tables', async () => {
    database = createTestDatabase()
    const { prisma } = database
    await writeOneOfEach(prisma)
    const session = await prisma.session.findUniqueOrThrow({
      where: { id: 'a' },
      include: {
        entryBlocks: true,
        oddEntries: true,
        callBlocks: true,
        failedCalls: true,
        compactionRows: true,
        days: true,
        store: true,
      },
    })
    expect(session.bytes).toBe(5_000_000_000n)
    expect(session.updatedAt).toEqual(at)
    expect(session.entryBlocks).toMatchObject([{ firstSeq: 0, count: 1 }])
    expect(session.oddEntries).toMatchObject([{ line: 1, rawType: null }])
    expect(session.callBlocks).toMatchObject([{ totalsJson: '[10]' }])
    expect(session.failedCalls).toMatchObject([{ at, n: 1 }])
    expect(session.compactionRows[0]).toMatchObject({ fromHook: true })
    expect(session.days[0]).toMatchObject({ day: '2026-11-21', costUsd: null })
    expect(session.store.firstSeenAt).toEqual(at)
    expect(await prisma.meta.findMany()).toEqual([{ key: 'k', value: 'v' }])
  })

  it('stores times as milliseconds since the epoch, which bulk writes rely on', async () => {
    database = createTestDatabase()
    await writeOneOfEach(database.prisma)
    expect(database.connection.run('SELECT "updatedAt", typeof("updatedAt") FROM "Session"').rows).toEqual([
      [at.getTime(), 'integer'],
    ])
  })

  it('deletes what belongs to a session with the session', async () => {
    database = createTestDatabase()
    const { prisma } = database
    await writeOneOfEach(prisma)
    await prisma.store.delete({ where: { id: 's' } })
    expect(await prisma.entryBlock.count()).toBe(0)
    expect(await prisma.sessionDay.count()).toBe(0)
  })

  it('rolls a failed transaction back, and lets a bulk write wait for one that is open', async () => {
    database = createTestDatabase()
    const { prisma, connection } = database
    let bulk: Promise<unknown> = Promise.resolve()
    const failing = prisma.$transaction(async (tx) => {
      await tx.meta.create({ data: { key: 'a', value: '1' } })
      bulk = connection.write(() => connection.run('INSERT INTO "Meta" VALUES (?, ?)', ['b', '2']))
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await bulk
    expect(await prisma.meta.findMany()).toEqual([{ key: 'b', value: '2' }])
  })

  it('sets WAL, a busy timeout and foreign keys, also after a transaction', async () => {
    database = createTestDatabase()
    const { prisma, connection } = database
    await prisma.$transaction([prisma.meta.create({ data: { key: 'a', value: '1' } })])
    expect(connection.run('PRAGMA journal_mode').rows).toEqual([['wal']])
    expect(connection.run('PRAGMA busy_timeout').rows).toEqual([[5000]])
    expect(connection.run('PRAGMA foreign_keys').rows).toEqual([[1]])
    expect(connection.run('PRAGMA synchronous').rows).toEqual([[1]])
  })

  it('answers the same client for the same URL', () => {
    database = createTestDatabase()
    expect(openClient(database.url).prisma).toBe(database.prisma)
  })

  it('refuses a URL that is not a file, by name', () => {
    expect(() => databasePath('mysql://x')).toThrow(DatabaseUrlError)
    expect(databasePath('file:/a/b.db')).toBe('/a/b.db')
  })
})
