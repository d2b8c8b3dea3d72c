import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Receipt } from '../../engine/write/receipt'
import { BUILDER_NOW, insertSession, insertStore } from '../../testing/builders/session-rows'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { putAuditRows } from '../commands/audit'
import { findReceipts, findSessionReceipts } from './receipts'
import { findStoreReads } from './store-reads'

const receipt = (id: string, over: Partial<Receipt> = {}): Receipt => ({
  id,
  kind: 'repair',
  at: 1,
  actor: 'test',
  reason: 'A test wanted it so.',
  session: 'agent:main:main',
  root: '/s',
  store: 'openclaw',
  files: [],
  summary: {},
  state: 'done',
  undoneBy: null,
  undoes: null,
  problem: null,
  verified: true,
  ...over,
})

describe('X16 what jobs refer to', () => {
  let database: TestDatabase
  beforeEach(() => {
    database = createTestDatabase()
  })
  afterEach(() => database.destroy())

  it('finds receipts by id, each with its place in the list of all', async () => {
    const three = [receipt('1'), receipt('2', { kind: 'compact' }), receipt('3', { session: null })]
    await putAuditRows(database.connection, three)
    const found = findReceipts(database, ['1', '3', 'none', '1'])
    expect([...found.keys()]).toEqual(['1', '3'])
    expect(found.get('1')).toEqual({ receipt: three[0], newer: 2 })
    expect(found.get('3')?.newer).toBe(0)
    expect(findSessionReceipts(database, 'repair', 'agent:main:main')).toEqual([found.get('1')])
  })

  it('tells when each store that can be read was read, and how many sessions have changed since', () => {
    const { connection } = database
    insertStore(connection)
    insertStore(connection, { id: 'new', lastReadAt: null })
    insertStore(connection, { id: 'away', state: 'missing' })
    insertSession(connection, { row: 1, id: 'a', revision: 4 })
    insertSession(connection, { row: 2, id: 'b', revision: 5 })
    expect(findStoreReads(database, 4)).toEqual({
      stores: [
        { id: 'new', lastReadAt: null },
        { id: 'store', lastReadAt: BUILDER_NOW },
      ],
      changed: 1,
    })
  })
})
