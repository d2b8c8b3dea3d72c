import { expect, test } from 'vitest'
import { statedFact } from '../core/memory/extract-facts'
import type { FactStore } from '../engine/knowledge/fact-store'
import { KnowledgeBase } from '../engine/knowledge/knowledge-base'

const AT = Date.parse('2026-11-21T10:00:00Z')
const MONTH = 30 * 86_400_000

/** What every store of facts must do, whatever keeps them (L1–L4). */
export function testFactStore(open: () => Promise<FactStore>): void {
  const started = async () => {
    let id = 0
    let now = AT
    const store = await open()
    const knowledge = new KnowledgeBase({ store, clock: { now: () => now }, newId: () => `f${++id}` })
    return { store, knowledge, pass: (ms: number) => (now += ms) }
  }
  const task = { source: 'task:t1', tags: ['working_memory', 'Move the API'] }

  test('L1, L3: a fact comes back as it was stored', async () => {
    const { store, knowledge } = await started()
    await knowledge.learn([statedFact('The API listens on port 8081 in src/api.ts.', task)], '/work')
    expect(await store.find({ terms: null })).toEqual([
      {
        id: 'f1',
        content: 'The API listens on port 8081 in src/api.ts.',
        confidence: 0.9,
        source: 'task:t1',
        tags: ['working_memory', 'Move the API'],
        scope: '/work',
        entities: ['port 8081', 'src/api.ts'],
        relation: { subject: 'api', verb: 'listens on', object: 'port 8081 in src/api.ts' },
        state: 'active',
        replacedBy: null,
        at: AT,
        confirmedAt: AT,
      },
    ])
  })

  test('L2: five for a new task, of its scope and of everybody, the best first', async () => {
    const { knowledge } = await started()
    for (let i = 0; i < 8; i++) await knowledge.learn([statedFact(`Pier ${i} has a crane.`, task)], '/work')
    await knowledge.learn([statedFact('The crane of the harbour is rusty.', task)], null)
    await knowledge.learn([statedFact('A crane in another harbour.', task)], '/other')
    const found = await knowledge.recall('crane of the harbour', '/work')
    expect(found).toHaveLength(5)
    expect(found[0]?.fact.content).toBe('The crane of the harbour is rusty.')
    expect(found.map(({ fact }) => fact.scope)).not.toContain('/other')
    expect(await knowledge.recall('zeppelin', '/work')).toEqual([])
    expect(await knowledge.recall('', '/work')).toEqual([])
  })

  test('L4: contradicted ones give way, decayed ones are archived, both can be looked at', async () => {
    const { knowledge, pass } = await started()
    await knowledge.learn([statedFact('The API listens on port 8081.', task)], null)
    await knowledge.learn([statedFact('The API listens on port 9090.', task)], null)
    expect((await knowledge.recall('API port', null)).map(({ fact }) => fact.id)).toEqual(['f2'])
    pass(22 * MONTH)
    expect(await knowledge.recall('API port', null)).toEqual([])
    expect(await knowledge.tidy()).toBe(1)
    expect(new Set((await knowledge.search('', 10)).map(({ fact }) => fact.state))).toEqual(
      new Set(['contradicted', 'archived']),
    )
  })

  test('hostile text is kept as it is, and never part of a statement', async () => {
    const { knowledge, store } = await started()
    const evil = `'; DELETE fact; REMOVE TABLE fact; -- " \${x} \\u0000 </context>`
    await knowledge.learn([statedFact(evil, { source: `task:'"`, tags: ["'); DROP TABLE Fact"] })], "o'scope")
    expect((await store.find({ terms: null })).map(({ content }) => content)).toEqual([evil])
    expect((await knowledge.recall('remove table', "o'scope")).map(({ fact }) => fact.content)).toEqual([
      evil,
    ])
  })

  test('facts are edited, found by an operator and forgotten', async () => {
    const { knowledge, store } = await started()
    const added = await knowledge.add('The mast is 20 m high.', { source: 'operator' })
    expect(added).toMatchObject({ ok: true, learned: { added: [{ id: 'f1', source: 'operator' }] } })
    expect(await knowledge.add(' ', { source: 'operator' })).toMatchObject({ ok: false })
    const edited = await knowledge.edit('f1', { content: 'The mast is 22 m high.', confidence: 0.5 })
    expect(edited).toMatchObject({ ok: true, fact: { confidence: 0.5, relation: { object: '22 m high' } } })
    expect(await knowledge.edit('f1', { confidence: 2 })).toMatchObject({ ok: false })
    expect(await knowledge.edit('nope', {})).toEqual({ ok: false, problem: 'There is no fact "nope".' })
    expect((await knowledge.search('mast', 5)).map(({ fact }) => fact.content)).toEqual([
      'The mast is 22 m high.',
    ])
    expect(await knowledge.forget(['f1', 'nope'])).toMatchObject([{ id: 'f1' }])
    expect(await store.find({ terms: null })).toEqual([])
  })

  test('L4: an edit leaves a fact as sure as it is today; one too unsure to be recalled says so', async () => {
    const { knowledge, pass } = await started()
    await knowledge.add('The mast is 20 m high.', { source: 'operator' })
    pass(12 * MONTH)
    const edited = await knowledge.edit('f1', { content: 'The mast is 22 m high.' })
    expect(edited.ok && edited.fact.confidence).toBeCloseTo(0.9 * 0.95 ** 12, 6)
    expect(await knowledge.edit('f1', { confidence: 0.2 })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('Below 30 % a fact is archived and not recalled'),
    })
    pass(12 * MONTH)
    expect(await knowledge.edit('f1', { state: 'active' })).toMatchObject({ ok: false })
    expect(await knowledge.edit('f1', { state: 'active', confidence: 0.8 })).toMatchObject({ ok: true })
    expect((await knowledge.recall('mast', null)).map(({ fact }) => fact.id)).toEqual(['f1'])
  })

  test('no fact holds a credential, whoever says it', async () => {
    const { knowledge, store } = await started()
    const secret = 'The api_key = sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx0123.'
    await knowledge.learn([statedFact(secret, task)], null)
    expect(await knowledge.add(secret, { source: 'operator' })).toMatchObject({ ok: false })
    await knowledge.add('The mast is 20 m high.', { source: 'operator' })
    expect(await knowledge.edit('f1', { content: secret })).toMatchObject({ ok: false })
    expect((await store.find({ terms: null })).map(({ content }) => content)).toEqual([
      'The mast is 20 m high.',
    ])
  })
}
