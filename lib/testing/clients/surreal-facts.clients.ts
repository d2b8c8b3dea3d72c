import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { surrealServer } from '../../adapters/memory/surreal-connection'
import { surrealFacts } from '../../adapters/memory/surreal-facts'
import { transientFacts } from '../../engine/knowledge/fact-store'
import { KnowledgeBase } from '../../engine/knowledge/knowledge-base'
import { mirroredFacts } from '../../engine/knowledge/mirrored-facts'
import { testFactStore } from '../fact-store-contract'
import { type SurrealProcess, startSurreal } from './surreal-server'

let folder: string
let surreal: SurrealProcess
let databases = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-surreal-'))
  surreal = await startSurreal(folder)
})
afterAll(async () => {
  await surreal.stop()
  rmSync(folder, { recursive: true, force: true })
})

const connect = (database: string, password = 'secret') =>
  surrealFacts(
    surrealServer({
      url: surreal.url.replace('http', 'ws'),
      namespace: 'plimsoll',
      database,
      username: 'root',
      password,
      timeoutMs: 10_000,
    }),
  )

describe('facts in SurrealDB', () => {
  testFactStore(async () => connect(`contract${++databases}`))

  test('L3: a wrong password is reported without it', async () => {
    const refused = connect('x', 'hunter2').find({ terms: null })
    await expect(refused).rejects.toThrow('There was a problem with authentication')
    await expect(refused).rejects.not.toThrow('hunter2')
  })

  test('L3: rows of others are read as far as they can be, and claim nothing', async () => {
    const server = surrealServer({
      url: surreal.url,
      namespace: 'plimsoll',
      database: 'foreign',
      username: 'root',
      password: 'secret',
      timeoutMs: 10_000,
    })
    await server.query(
      "CREATE fact:a SET key = 'a', content = 'The mast is 20 m high.', confidence = 7, terms = ['mast']; CREATE fact:b SET x = 1",
    )
    expect(await surrealFacts(server).find({ terms: ['mast'], scope: '/work' })).toMatchObject([
      { id: 'a', confidence: 0.5, source: 'unknown', scope: null, state: 'active' },
    ])
  })

  test('L3: down, it degrades and says so; back, it catches up', async () => {
    const notices: string[] = []
    let now = Date.now()
    let id = 0
    const clock = { now: () => now }
    const store = mirroredFacts(connect('catch-up'), transientFacts(), {
      now: clock.now,
      onNotice: (message) => notices.push(message),
    })
    const knowledge = new KnowledgeBase({ store, clock, newId: () => `f${++id}` })
    await knowledge.add('The mast is 20 m high.', { source: 'test' })
    const { port } = surreal
    await surreal.stop()
    await knowledge.add('The crane logs to crane.log.', { source: 'test' })
    expect((await knowledge.recall('mast crane', null)).map(({ fact }) => fact.id).toSorted()).toEqual([
      'f1',
      'f2',
    ])
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatch(/SurrealDB at http:\/\/127.* cannot be used.*ECONNREFUSED/)
    surreal = await startSurreal(folder, port)
    now += 31_000
    await knowledge.recall('crane', null)
    expect(notices[1]).toContain('answers again')
    expect((await connect('catch-up').find({ terms: null })).map((fact) => fact.id)).toEqual(['f2'])
  })
})
