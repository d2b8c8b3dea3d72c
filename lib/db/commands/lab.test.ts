import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { experimentRows } from './experiments'
import { preparedSessions } from './prepared-sessions'
import { refusedNeeds } from './refused-needs'

let database: TestDatabase
beforeEach(() => {
  database = createTestDatabase()
  const { connection } = database
  connection.run(
    `INSERT INTO "Store" ("id", "kind", "era", "root", "label", "state", "firstSeenAt") VALUES ('s', 'pi', 'jsonl', '/s', 's', 'ok', 1)`,
  )
  connection.run(
    `INSERT INTO "Session" ("id", "storeId", "sessionId", "path", "state") VALUES ('t1', 's', 'one', '/s/one.jsonl', 'live')`,
  )
})
afterEach(() => database.destroy())

describe('sessions made ready for replay', () => {
  it('are answered for the source that they were made of, and go with their session', async () => {
    const kept = preparedSessions(database.connection)
    await kept.keep('t1', 'a', new Uint8Array([1, 2, 255]))
    expect(kept.read('t1', 'a')).toEqual(new Uint8Array([1, 2, 255]))
    expect(kept.read('t1', 'b')).toBeNull()
    await kept.keep('t1', 'b', new Uint8Array([3]))
    expect(kept.read('t1', 'a')).toBeNull()
    expect(kept.read('t1', 'b')).toEqual(new Uint8Array([3]))
    database.connection.run(`UPDATE "PreparedSession" SET "version" = -1`)
    expect(kept.read('t1', 'b')).toBeNull()
    database.connection.run(`DELETE FROM "Session"`)
    expect(database.connection.run('SELECT COUNT(*) FROM "PreparedSession"').rows).toEqual([[0]])
  })

  it('are not kept for a session that is not in the database', async () => {
    const kept = preparedSessions(database.connection)
    await kept.keep('unknown', 'a', new Uint8Array([1]))
    expect(kept.read('unknown', 'a')).toBeNull()
  })
})

describe('what the operator said is no need', () => {
  it('is kept for its call and text, once, and can be taken back', async () => {
    const marks = refusedNeeds(database.connection)
    const need = { transcriptId: 't1', entry: 7, text: "src/it's.ts" }
    await marks.refuse(need, 1)
    await marks.refuse(need, 2)
    await marks.refuse({ ...need, transcriptId: 't2' }, 3)
    expect(marks.of('t1')).toEqual([need])
    expect(await marks.takeBack(need)).toBe(true)
    expect(await marks.takeBack(need)).toBe(false)
    expect(marks.of('t1')).toEqual([])
    expect(marks.of('t2')).toHaveLength(1)
  })
})

describe('experiments', () => {
  const planned = {
    ...{ id: 'e1', name: 'Harbour', createdAt: 5, spec: { policies: ['vs7'] }, job: null, outcome: null },
    progress: null,
  }

  it('are kept with what is wanted and what came of it, newest first', async () => {
    const rows = experimentRows(database.connection)
    await rows.put(planned)
    await rows.put({ ...planned, id: 'e2', createdAt: 9 })
    expect(rows.find('e1')).toEqual(planned)
    const ended = { ...planned, job: 'j1', outcome: { endedAt: 8, hash: 'abc', result: { sums: [1] } } }
    await rows.put(ended)
    expect(rows.find('e1')).toEqual(ended)
    const half = { ...ended, progress: { version: '1', state: { stage: 'all' } } }
    await rows.put(half)
    expect(rows.find('e1')).toEqual(half)
    expect(rows.list(9).map(({ id }) => id)).toEqual(['e2', 'e1'])
    expect(rows.list(1)).toHaveLength(1)
  })

  it('are changed in what a change names alone: what another has changed meanwhile is left', async () => {
    const rows = experimentRows(database.connection)
    await rows.put(planned)
    const outcome = { endedAt: 8, hash: 'abc', result: { sums: [1] } }
    await Promise.all([
      rows.change('e1', { name: 'Quay' }),
      rows.change('e1', { outcome, progress: { stage: 'all' } }),
      rows.change('e1', { job: 'j1' }),
    ])
    expect(rows.find('e1')).toEqual({
      ...planned,
      ...{ name: 'Quay', job: 'j1', outcome, progress: { stage: 'all' } },
    })
    expect(await rows.change('e1', { outcome: null, progress: null })).toBe(true)
    expect(rows.find('e1')).toEqual({ ...planned, name: 'Quay', job: 'j1' })
    expect(await rows.change('none', { name: 'Quay' })).toBe(false)
  })

  it('are removed once', async () => {
    const rows = experimentRows(database.connection)
    await rows.put(planned)
    expect(await rows.remove('e1')).toBe(true)
    expect(await rows.remove('e1')).toBe(false)
    expect(rows.find('e1')).toBeNull()
  })
})
