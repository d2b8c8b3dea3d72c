import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { Branches } from './branches'
import { callEntries, contextAt, contextOfCall } from './context'
import type { Sender } from './send-rules'

/** Ids of the next call's context; those that are not sent carry the reason. */
function next(builder: TranscriptBuilder, sender: Sender = 'pi'): string[] {
  const branches = Branches.of(builder.facts())
  return contextAt(branches, branches.leaf, sender).map(
    (e) => `${e.fact.id}${e.why === undefined ? '' : `:${e.why}`}`,
  )
}

describe('context of a call', () => {
  it('X5 follows the parents of the leaf, not the file', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    const fork = t.assistant('two')
    t.user('abandoned')
    t.user('three', { parentId: fork })
    expect(next(t)).toEqual(['e1', 'e2', 'e4'])
  })

  it('gives each call the context before its answer, on abandoned branches too', () => {
    const t = new TranscriptBuilder()
    const root = t.user('one')
    t.assistant('first')
    t.assistant('second', { over: { parentId: root } })
    const branches = Branches.of(t.facts())
    const contexts = callEntries(branches.facts).map((seq) =>
      contextOfCall(branches, seq, 'pi').map((e) => e.fact.id),
    )
    expect(contexts).toEqual([['e1'], ['e1']])
  })

  it('D11 puts the summary first, then what was kept, then the rest', () => {
    const t = new TranscriptBuilder()
    t.user('old')
    t.assistant('old answer')
    const kept = t.user('kept')
    t.compaction('what happened', kept)
    t.user('new')
    expect(next(t)).toEqual(['e4', 'e3', 'e5'])
  })

  it('takes only the last compaction, and keeps nothing when its first kept entry is unknown', () => {
    const t = new TranscriptBuilder()
    const first = t.user('old')
    t.compaction('one', first)
    t.user('middle')
    t.compaction('two', 'nobody')
    t.user('new')
    expect(next(t)).toEqual(['e4', 'e5'])
  })

  it('reads version 1 as a line, with compactions that name an index', () => {
    const t = new TranscriptBuilder({ version: undefined })
    for (const text of ['a', 'b', 'c']) {
      t.raw(JSON.stringify({ type: 'message', message: { role: 'user', content: text } }))
    }
    t.raw('{"type":"compaction","summary":"s","firstKeptEntryIndex":3}')
    t.raw('{"type":"message","message":{"role":"user","content":"d"}}')
    expect(next(t)).toEqual(['#4', '#3', '#5'])
  })

  it('counts unreadable lines out of version 1 indexes, as pi does', () => {
    const t = new TranscriptBuilder({ version: undefined })
    t.raw('{"type":"message","message":{"role":"user","content":"a"}}')
    t.raw('{broken')
    t.raw('{"type":"message","message":{"role":"user","content":"b"}}')
    t.raw('{"type":"compaction","summary":"s","firstKeptEntryIndex":2}')
    expect(next(t)).toEqual(['#4', '#3'])
  })

  it('leaves notes about the session out, and branch summaries in unless they are blank', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.entry('label', { targetId: 'e1', label: 'here' })
    t.entry('custom', { customType: 'openclaw.cache-ttl' })
    t.entry('session_info', { name: 'Trip' })
    t.entry('branch_summary', { fromId: 'e1', summary: 'left a branch' })
    t.entry('branch_summary', { fromId: 'e1', summary: '' })
    t.entry('custom_message', { customType: 'x', content: 'injected' })
    t.entry('context_edit', { targetId: 'e1' })
    expect(next(t)).toEqual(['e1', 'e5', 'e7'])
  })

  it('keeps the reachable part when a parent is missing (pi)', () => {
    const t = new TranscriptBuilder()
    t.user('lost')
    t.user('two', { parentId: 'nobody' })
    t.user('three')
    expect(next(t)).toEqual(['e2', 'e3'])
  })

  it('has nothing to show for a ring of parents', () => {
    const t = new TranscriptBuilder()
    t.user('a', { parentId: 'e2' })
    t.user('b', { parentId: 'e1' })
    expect(next(t)).toEqual([])
  })

  it('moves with leaf entries, also to before everything; a move to an unknown entry is none', () => {
    const t = new TranscriptBuilder()
    const one = t.user('one')
    t.user('two')
    t.entry('leaf', { targetId: one })
    t.user('three')
    expect(next(t)).toEqual(['e1', 'e4'])
    t.entry('leaf', { targetId: 'nobody' })
    expect(next(t)).toEqual(['e1', 'e4'])
    t.entry('leaf', { targetId: null })
    expect(next(t)).toEqual([])
    t.user('four')
    expect(next(t)).toEqual(['e7'])
  })

  it('side entries do not move the leaf', () => {
    const t = new TranscriptBuilder()
    const one = t.user('one')
    t.entry('custom', { customType: 'x', appendMode: 'side' })
    t.user('two', { parentId: one })
    expect(next(t)).toEqual(['e1', 'e3'])
  })

  it('a reset starts anew; what it keeps is conversation only', () => {
    const t = new TranscriptBuilder({ version: 4 })
    t.user('old')
    const kept = t.user('kept')
    t.entry('custom_message', { customType: 'x', content: 'injected' })
    t.result('nobody', 'orphan')
    t.entry('reset', { reason: 'new', firstKeptEntryId: kept })
    t.user('new')
    expect(next(t, 'openclaw')).toEqual(['e2', 'e6'])
  })

  it('history before a reset cannot be entered again', () => {
    const t = new TranscriptBuilder({ version: 4 })
    const old = t.user('old')
    t.entry('reset', { reason: 'new' })
    t.user('new')
    t.user('astray', { parentId: old })
    expect(next(t, 'openclaw')).toEqual(['e3', 'e4'])
  })

  it('a missing parent is the current leaf for newer OpenClaw', () => {
    const t = new TranscriptBuilder({ version: 4 })
    t.user('one')
    t.user('two', { parentId: 'nobody' })
    expect(next(t, 'openclaw')).toEqual(['e1', 'e2'])
  })
})

describe('what is sent', () => {
  it('leaves out rows for the reader, failed turns with their results, and excluded commands', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('mirror', { fields: { provider: 'openclaw', model: 'delivery-mirror' } })
    t.assistant('', { calls: ['t1'], stop: 'aborted' })
    t.result('t1', 'too late')
    t.message({ role: 'bashExecution', command: 'ls', output: 'x', excludeFromContext: true })
    t.message({ role: 'astrologer', content: 'x' })
    expect(next(t)).toEqual([
      'e1',
      'e2:transcript-only',
      'e3:failed-turn',
      'e4:orphaned-result',
      'e5:excluded',
      'e6:unknown-role',
    ])
  })

  it('sends one result per call', () => {
    const t = new TranscriptBuilder()
    t.assistant('', { calls: ['t1', 't2'] })
    t.result('t2', 'b')
    t.result('t1', 'a')
    t.result('t1', 'again')
    t.result('t9', 'whose?')
    expect(next(t)).toEqual(['e1', 'e2', 'e3', 'e4:duplicate-result', 'e5:orphaned-result'])
  })

  it('OpenClaw joins an assistant message to the one before it and drops silent replies; pi does neither', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('two')
    t.assistant('three')
    t.user('four')
    t.assistant('NO_REPLY')
    expect(next(t, 'openclaw')).toEqual(['e1', 'e2', 'e3:merged', 'e4', 'e5:silent-reply'])
    expect(next(t, 'pi')).toEqual(['e1', 'e2', 'e3', 'e4', 'e5'])
  })

  it('never sends a result without its call, whatever the transcript', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('user' as const) }),
      fc.record({
        kind: fc.constant('call' as const),
        ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('result' as const), id: fc.constantFrom('a', 'b', 'c', 'd') }),
    )
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.constantFrom<Sender>('pi', 'openclaw'),
        (steps, sender) => {
          const t = new TranscriptBuilder()
          for (const s of steps) {
            if (s.kind === 'user') t.user('u')
            else if (s.kind === 'call') t.assistant(s.ids.length > 0 ? '' : 'text', { calls: s.ids })
            else t.result(s.id, 'r')
          }
          const branches = Branches.of(t.facts())
          let open: string[] = []
          for (const { fact, sent, why } of contextAt(branches, branches.leaf, sender)) {
            // What is merged goes along inside the message before it, its calls included.
            if (!sent && why !== 'merged') continue
            if (fact.calls !== undefined) open = fact.calls.map((c) => c.id)
            if (fact.role !== 'toolResult') continue
            expect(open).toContain(fact.resultFor)
            open = open.filter((id) => id !== fact.resultFor)
          }
        },
      ),
    )
  })
})
