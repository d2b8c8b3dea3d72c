import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { statedFact } from '../../core/memory/extract-facts'
import { reconcileFacts } from '../../core/memory/reconcile-facts'
import { transientFacts } from '../../engine/knowledge/fact-store'
import { mirroredFacts } from '../../engine/knowledge/mirrored-facts'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { testFactStore } from '../../testing/fact-store-contract'
import { factRows } from './facts'

let database: TestDatabase
beforeEach(() => {
  database = createTestDatabase()
})
afterEach(() => database.destroy())

describe('facts in the database', () => {
  testFactStore(async () => factRows(database.connection))
})

describe('facts in the memory of a process', () => {
  testFactStore(async () => transientFacts())
})

describe('L3: a store elsewhere that goes down', () => {
  function mirrored() {
    const remote = transientFacts()
    const state = { down: false, now: 0, notices: [] as string[] }
    const failing = (work: () => Promise<unknown>) =>
      state.down ? Promise.reject(new Error('connection refused')) : work()
    const store = mirroredFacts(
      {
        name: 'SurrealDB at http://h:8000',
        find: (query) => failing(() => remote.find(query)) as ReturnType<typeof remote.find>,
        put: (facts) => failing(() => remote.put(facts)) as Promise<void>,
        remove: (ids) => failing(() => remote.remove(ids)) as Promise<void>,
      },
      factRows(database.connection, { mirrors: true }),
      { now: () => state.now, onNotice: (message) => state.notices.push(message) },
    )
    return { remote, state, store }
  }
  const facts = (...contents: readonly string[]) =>
    reconcileFacts(
      [],
      contents.map((content) => statedFact(content, { source: 'x', tags: [] })),
      { at: 1, scope: null, newId: () => `f-${contents[0]?.slice(0, 3)}` },
    ).added
  const namesIn = async (store: { find: ReturnType<typeof mirrored>['remote']['find'] }) =>
    (await store.find({ terms: null })).map(({ id }) => id).toSorted()

  test('degrades, says so once, loses nothing, and catches up', async () => {
    const { remote, state, store } = mirrored()
    await store.put(facts('one is here'))
    expect(await namesIn(remote)).toEqual(['f-one'])
    state.down = true
    await store.put(facts('two is here'))
    await store.remove(['f-one'])
    expect(await namesIn(store)).toEqual(['f-two'])
    expect(state.notices).toEqual([
      'SurrealDB at http://h:8000 cannot be used, database is used instead and keeps what changes: connection refused',
    ])
    state.down = false
    // It is left alone for half a minute before it is tried again.
    expect(await namesIn(store)).toEqual(['f-two'])
    expect(await namesIn(remote)).toEqual(['f-one'])
    state.now += 30_001
    expect(await namesIn(store)).toEqual(['f-two'])
    expect(await namesIn(remote)).toEqual(['f-two'])
    expect(state.notices.at(-1)).toContain('answers again')
    expect(database.connection.run('SELECT COUNT(*) FROM "PendingFact"').rows).toEqual([[0]])
  })

  test('what is looked up there is not written here again and again', async () => {
    const { remote, store } = mirrored()
    await remote.put(facts('one is here'))
    await store.find({ terms: null })
    const revisions = () => database.connection.run('SELECT "id", "revision" FROM "Fact"').rows
    const before = revisions()
    await remote.put(facts('two is here'))
    await store.find({ terms: null })
    expect(revisions()).toEqual([...before, ['f-two', Number(before[0]?.[1]) + 1]])
  })

  test('what is changed again while it is passed on is passed on again', async () => {
    for (const mirror of [factRows(database.connection, { mirrors: true }), transientFacts()]) {
      const remote = transientFacts()
      const [fact] = facts('mast is 20 m high')
      if (fact === undefined) throw new Error('no fact')
      let isSlow = true
      const slow = {
        ...remote,
        put: async (some: Parameters<typeof remote.put>[0]) => {
          await remote.put(some)
          // An edit comes in before the answer does.
          if (isSlow) await mirror.put([{ ...fact, content: 'mast is 22 m high' }])
          isSlow = false
        },
      }
      const store = mirroredFacts(slow, mirror, { now: () => 0, onNotice: () => {} })
      await store.put([fact])
      await store.find({ terms: null })
      expect((await remote.find({ terms: null })).map(({ content }) => content)).toEqual([
        'mast is 22 m high',
      ])
    }
  })

  test('what waits survives the process, and is not overwritten by what the other store has', async () => {
    const first = mirrored()
    first.state.down = true
    await first.store.put(facts('one is here'))
    const second = mirrored()
    expect(await namesIn(second.store)).toEqual(['f-one'])
    expect(await namesIn(second.remote)).toEqual(['f-one'])
  })
})
