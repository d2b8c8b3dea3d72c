import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { Branches, ROOT } from './branches'
import { contextAt, isAnswer, isBoundary, isCall, routeOfCall, walkContext, walkPath } from './context'
import type { EntryFact } from './entry'
import { routeHash } from './fold/call-route'

const PLACE = { seq: 1, line: 2, offset: 0, bytes: 1, id: 'a', parentId: null, at: null }

describe('B1 which entries are calls', () => {
  it.each<[string, Partial<EntryFact>, boolean, boolean]>([
    ['an answer', {}, true, true],
    ['one more record of it', { again: true }, false, true],
    ['a copy of it', { copied: true }, false, true],
    ['a row for the reader', { transcriptOnly: true }, false, false],
    ['what the client wrote in place of the model', { clientWritten: true }, false, false],
    ['what a user said', { role: 'user' }, false, false],
    ['no message', { type: 'custom' }, false, false],
  ])('%s', (_name, over, call, answer) => {
    const fact: EntryFact = { ...PLACE, type: 'message', role: 'assistant', ...over }
    expect([isCall(fact), isAnswer(fact)]).toEqual([call, answer])
  })

  it('name the way on which they were made, and their session', () => {
    const t = new TranscriptBuilder()
    t.assistant('a', { model: 'gpt-5', fields: { provider: 'openai', api: 'openai-responses' } })
    t.user('b')
    const branches = Branches.of(t.facts())
    const session = routeHash('s1')
    expect(routeOfCall(branches, 1)).toEqual({
      ...{ provider: 'openai', model: 'gpt-5', api: 'openai-responses', hidden: null, session },
    })
    const unknown = { provider: null, model: null, api: null, hidden: null }
    expect(routeOfCall(branches, 2)).toEqual({ ...unknown, session })
    expect(routeOfCall(branches, 9)).toEqual({ ...unknown, session })
    expect(routeOfCall(new Branches(), 0)).toEqual({ ...unknown, session: null })
    const headless = Branches.of([{ ...PLACE, seq: 0, type: 'message' }])
    expect(routeOfCall(headless, 0)).toEqual({ ...unknown, session: null })
  })
})

/** Three turns, a compaction that keeps from the second one on, its summary as a message, and a turn. */
function compacted(over: Partial<EntryFact>): Branches {
  const t = new TranscriptBuilder()
  for (const text of ['one', 'two', 'three']) t.user(text)
  t.compaction('s', 'e2')
  for (const text of ['summary', 'on']) t.user(text)
  return Branches.of(t.facts().map((fact) => (fact.id === 'e4' ? { ...fact, ...over } : fact)))
}

const idsOf = (branches: Branches) => walkContext(branches, branches.leaf).map(({ fact }) => fact.id)

describe('D11 the order of a context behind a compaction', () => {
  it.each<[string, Partial<EntryFact>, readonly string[]]>([
    ['its summary, what it keeps, the rest', {}, ['e4', 'e2', 'e3', 'e5', 'e6']],
    ['without its summary', { bare: true }, ['e2', 'e3', 'e5', 'e6']],
    ['what it keeps behind an entry', { bare: true, keptAfter: 'e5' }, ['e5', 'e2', 'e3', 'e6']],
    ['what it keeps behind the last entry', { bare: true, keptAfter: 'e6' }, ['e5', 'e6', 'e2', 'e3']],
    ['what it keeps behind itself', { bare: true, keptAfter: 'e4' }, ['e2', 'e3', 'e5', 'e6']],
    ['behind an entry before it', { bare: true, keptAfter: 'e1' }, ['e2', 'e3', 'e5', 'e6']],
    ['behind an entry that is not there', { bare: true, keptAfter: 'gone' }, ['e2', 'e3', 'e5', 'e6']],
    ['no more than is named', { keptUpTo: 'e2' }, ['e4', 'e2', 'e5', 'e6']],
    ['all that is named', { keptUpTo: 'e3' }, ['e4', 'e2', 'e3', 'e5', 'e6']],
    ['up to an entry behind it', { keptUpTo: 'e5' }, ['e4', 'e2', 'e3', 'e5', 'e6']],
    ['up to an entry before what it keeps', { keptUpTo: 'e1' }, ['e4', 'e2', 'e3', 'e5', 'e6']],
    ['up to an entry that is not there', { keptUpTo: 'gone' }, ['e4', 'e2', 'e3', 'e5', 'e6']],
    [
      'all of more, up to an entry that is not there',
      { firstKeptEntryId: 'e1', keptUpTo: 'gone' },
      ['e4', 'e1', 'e2', 'e3', 'e5', 'e6'],
    ],
    ['nothing kept', { firstKeptEntryId: 'gone', keptAfter: 'e5' }, ['e4', 'e5', 'e6']],
    ['after a reset, without a summary', { type: 'reset' }, ['e2', 'e3', 'e5', 'e6']],
  ])('%s', (_name, over, expected) => {
    expect(idsOf(compacted(over))).toEqual(expected)
  })

  it('says where on the path each entry is, which is walked as far as the context reaches', () => {
    const branches = compacted({ type: 'reset' })
    expect(walkPath(branches, branches.leaf)).toMatchObject({
      path: [2, 3, 4, 5, 6],
      boundary: 2,
      walked: [
        { fact: { id: 'e2' }, afterReset: true, at: 0 },
        { fact: { id: 'e3' }, afterReset: true, at: 1 },
        { fact: { id: 'e5' }, afterReset: false, at: 3 },
        { fact: { id: 'e6' }, afterReset: false, at: 4 },
      ],
    })
    const none = compacted({ firstKeptEntryId: undefined })
    expect(walkPath(none, none.leaf).path).toEqual([4, 5, 6])
    expect(walkPath(none, 3)).toMatchObject({ path: [1, 2, 3], boundary: -1 })
    expect(walkPath(none, ROOT)).toEqual({ path: [], boundary: -1, walked: [] })
  })

  it('is marked where a reset keeps it, and nowhere else', () => {
    const marked = (over: Partial<EntryFact>) => {
      const branches = compacted(over)
      return walkContext(branches, branches.leaf).flatMap(({ fact, afterReset }) =>
        afterReset ? [fact.id] : [],
      )
    }
    expect(marked({ type: 'reset' })).toEqual(['e2', 'e3'])
    expect(marked({})).toEqual([])
    expect(marked({ bare: true, keptAfter: 'e5' })).toEqual([])
    expect(isBoundary(undefined)).toBe(false)
  })

  it('goes back behind an older boundary where the last one keeps what is there', () => {
    const t = new TranscriptBuilder()
    const first = t.user('one')
    t.compaction('s', 'gone')
    t.user('two')
    t.compaction('s', first)
    const branches = Branches.of(t.facts())
    expect(walkPath(branches, branches.leaf).path).toEqual([1, 2, 3, 4])
    expect(idsOf(branches)).toEqual(['e4', 'e1', 'e3'])
  })

  it('has nothing of what is kept where that is on another branch', () => {
    const t = new TranscriptBuilder()
    const fork = t.user('one')
    const aside = t.user('aside')
    t.compaction('s', aside, { parentId: fork })
    t.user('on')
    expect(idsOf(Branches.of(t.facts()))).toEqual(['e3', 'e4'])
  })

  it('is as long as the last of several boundaries says', () => {
    const t = new TranscriptBuilder()
    const first = t.user('one')
    t.compaction('s', first)
    const second = t.user('two')
    t.compaction('s', second)
    const branches = Branches.of(t.facts())
    expect(walkPath(branches, branches.leaf)).toMatchObject({ path: [3, 4], boundary: 1 })
  })
})

it('what a reset keeps is sent as any conversation is, with why not', () => {
  const t = new TranscriptBuilder({ version: 4 })
  const kept = t.user('go')
  t.assistant('', { calls: ['a'] })
  t.result('a', 'out')
  t.result('a', 'again')
  t.assistant('')
  t.message({ role: 'bashExecution', command: 'ls' })
  t.entry('reset', { firstKeptEntryId: kept })
  const branches = Branches.of(t.facts())
  const context = contextAt(branches, branches.leaf, 'openclaw')
  expect(context.map(({ fact, sent, why }) => [fact.id, sent, why])).toEqual([
    ['e1', true, undefined],
    ['e2', true, undefined],
    ['e3', true, undefined],
    ['e5', false, 'empty'],
  ])
  expect(context.some(({ replayed }) => replayed)).toBe(false)
})
