import { describe, expect, it } from 'vitest'
import type { FrameSetup } from '../../tokens/build-frame'
import type { Frame } from '../../tokens/frame'
import type { EntryFact, Usage } from '../entry'
import type { NodeState } from '../replay-state'
import { CallRecords } from './call-records'
import type { OpenCall } from './open-call'

const usage = (input: number, output: number, more: Partial<Usage> = {}): Usage => ({
  ...{ input, output, cacheRead: 0, cacheWrite: 0, costUsd: null },
  ...more,
})

const entry = (more: Partial<EntryFact> = {}): EntryFact => ({
  ...{ seq: 1, line: 2, offset: 0, bytes: 1, type: 'message', role: 'assistant' },
  ...{ id: 'e1', parentId: null, at: null },
  ...more,
})
const result = (id: string, more: Partial<EntryFact> = {}) =>
  entry({ role: 'toolResult', resultFor: id, ...more })

const LAST = { provider: 'openai', model: 'gpt-5' }
/** Nothing here looks into the context or at the frame of a call, besides its number. */
const CONTEXT = {} as NodeState
const frameOf = (call: number) => ({ call }) as Frame

function began(answer: EntryFact, call = 1): CallRecords {
  const records = new CallRecords()
  records.begin(answer, CONTEXT, frameOf(call))
  return records
}

const openOf = (records: CallRecords): OpenCall => {
  const open = records.snapshot()?.open
  if (open == null) throw new Error('No call is open')
  return open
}

describe('what records before it say of an entry', () => {
  it('is open for answers of its response only', () => {
    const records = began(entry({ requestId: 'r1' }))
    expect([new CallRecords().isOpen(entry()), records.isOpen(entry({ requestId: 'r1' }))]).toEqual([
      false,
      true,
    ])
    expect(records.isOpen(entry({ requestId: 'r2' }))).toBe(false)
  })

  it('a result has the name of the last tool that was called under its id', () => {
    const records = began(entry({ calls: [{ id: 'a', name: 'read' }] }))
    records.begin(entry({ calls: [{ id: 'a', name: 'bash' }] }), CONTEXT, frameOf(2))
    expect(records.complete(result('a'), LAST).toolName).toBe('bash')
    expect(records.complete(result('a', { toolName: 'grep' }), LAST).toolName).toBe('grep')
    const unknown = result('b')
    expect(records.complete(unknown, LAST)).toBe(unknown)
  })

  it('an answer without an id belongs to the call before it until something came between', () => {
    const records = began(entry({ model: 'm' }))
    expect(records.complete(entry({ model: 'm' }), LAST).again).toBe(true)
    records.pass(result('a'))
    expect(records.complete(entry({ model: 'm' }), LAST).again).toBeUndefined()
  })

  it('an answer with an id belongs to the call of that id, whatever came between', () => {
    const records = began(entry({ model: 'm', requestId: 'r1' }))
    records.pass(result('a'))
    expect(records.complete(entry({ model: 'm', requestId: 'r1' }), LAST).again).toBe(true)
    expect(records.complete(entry({ model: 'm', requestId: 'r2' }), LAST).again).toBeUndefined()
  })

  it('an answer that names no model is of who answered last, with the usage that was reported before it', () => {
    const records = new CallRecords()
    expect(records.takeReport(entry({ type: 'usage', usage: usage(9, 3) }), 0)).toEqual({ of: 'none' })
    expect(records.complete(entry(), LAST)).toEqual(entry({ ...LAST, usage: usage(9, 3) }))
    expect(new CallRecords().complete(entry(), { provider: null, model: null })).toEqual(entry())
    const named = entry({ model: 'other' })
    expect(records.complete(named, LAST)).toBe(named)
    const asked = entry({ role: 'user' })
    expect(records.complete(asked, LAST)).toBe(asked)
  })
})

describe('where the last response goes on', () => {
  it('with results of its calls and records of its id, until something else came', () => {
    const records = began(entry({ requestId: 'r1', calls: [{ id: 'a', name: 'read' }] }))
    expect([result('a'), result('b')].map((one) => records.goesOn(one))).toEqual([true, false])
    const records2 = ['r1', 'r2', undefined].map((requestId) =>
      records.goesOn(entry(requestId === undefined ? {} : { requestId })),
    )
    expect(records2).toEqual([true, false, false])
    records.pass(result('a'))
    expect(records.goesOn(result('a'))).toBe(true)
    records.pass(entry({ role: 'user' }))
    expect(records.goesOn(result('a'))).toBe(false)
  })

  it('nowhere before the first call, nor where the response called nothing', () => {
    expect(new CallRecords().goesOn(result('a'))).toBe(false)
    expect(began(entry()).goesOn(result('a'))).toBe(false)
    expect(began(entry()).goesOn(entry())).toBe(false)
    const two = ['a', 'b'].map((id) => ({ id, name: 'read' }))
    expect(began(entry({ calls: two })).goesOn(result('b'))).toBe(true)
  })

  it('what enters no context closes nothing', () => {
    const records = began(entry())
    records.pass(entry({ type: 'custom' }))
    expect(openOf(records)).toMatchObject({ isClosed: false, isLeft: false })
    records.pass(result('a'))
    expect(openOf(records)).toMatchObject({ isClosed: true, isLeft: false })
    records.pass(entry({ role: 'user' }))
    records.pass(result('a'))
    expect(openOf(records)).toMatchObject({ isClosed: true, isLeft: true })
  })
})

describe('what may take the place of a record of the last response', () => {
  const OPEN = entry({ id: 'e2', requestId: 'r1' })
  const record = (more: Partial<EntryFact>) => entry({ id: 'e9', parentId: 'e3', requestId: 'r1', ...more })

  it('has the id of the first one, or is not behind the one that was written last', () => {
    const records = began(OPEN)
    expect(records.mayReplace(record({}), 'e3')).toBe(false)
    expect(records.mayReplace(record({ parentId: 'e1' }), 'e3')).toBe(true)
    expect(records.mayReplace(record({ id: 'e2' }), 'e3')).toBe(true)
    records.pass(result('a'))
    expect(records.mayReplace(record({ parentId: 'e1' }), 'e3')).toBe(false)
    expect(records.mayReplace(record({ id: 'e2' }), 'e3')).toBe(true)
  })

  it('is of that response', () => {
    const elsewhere = { id: 'e2', parentId: 'e1' }
    expect(new CallRecords().mayReplace(record(elsewhere), 'e3')).toBe(false)
    expect(began(OPEN).mayReplace(record({ ...elsewhere, requestId: 'r2' }), 'e3')).toBe(false)
    expect(began(entry({ id: 'e2' })).mayReplace(entry(elsewhere), 'e3')).toBe(false)
  })
})

describe('a place that a transcript went back to', () => {
  it('is known until the next call, also later', () => {
    const records = began(entry())
    expect(records.strayed).toBe(false)
    records.stray()
    const now = records.snapshot()
    records.stray()
    expect(records.snapshot()).toBe(now)
    const resumed = new CallRecords()
    if (now !== undefined) resumed.resume(JSON.parse(JSON.stringify(now)))
    expect([records.strayed, resumed.strayed]).toEqual([true, true])
    records.begin(entry(), CONTEXT, frameOf(2))
    expect(records.strayed).toBe(false)
    expect(records.snapshot()).not.toHaveProperty('strayed')
  })
})

describe('reports on usage', () => {
  const report = (more: Partial<EntryFact>) => entry({ type: 'usage', ...more })

  it('behind a call are of it, once', () => {
    const records = began(entry())
    const first = records.takeReport(report({ usage: usage(10, 2), billed: 12 }), 1)
    expect(first).toMatchObject({ of: 'call', answer: { usage: usage(10, 2) } })
    if (first.of === 'call') records.keep({ ...first.open, answer: first.answer })
    expect(records.takeReport(report({ usage: usage(10, 2), billed: 12 }), 1)).toEqual({ of: 'none' })
    expect(records.takeReport(report({ usage: usage(11, 2), billed: 25 }), 1)).toEqual({
      ...{ of: 'other', usage: usage(11, 2) },
    })
  })

  it('that name no response and say the same as one that named its own repeat it', () => {
    const records = began(entry())
    records.takeReport(report({ usage: usage(10, 2), requestId: 'r1' }), 1)
    expect(records.takeReport(report({ usage: usage(10, 2) }), 1)).toEqual({ of: 'none' })
    expect(records.takeReport(report({ usage: usage(10, 3) }), 1).of).toBe('call')
    expect(records.takeReport(report({ usage: usage(10, 2) }), 1).of).toBe('call')
  })

  it.each<[string, Usage]>([
    ['input', usage(11, 2)],
    ['output', usage(10, 3)],
    ['cache read', usage(10, 2, { cacheRead: 1 })],
    ['cache write', usage(10, 2, { cacheWrite: 1 })],
  ])('with another %s are no repetition', (_what, other) => {
    const records = began(entry())
    records.takeReport(report({ usage: usage(10, 2), requestId: 'r1' }), 1)
    expect(records.takeReport(report({ usage: other }), 1).of).toBe('call')
  })

  it('that come before the first record come before each', () => {
    const records = new CallRecords()
    records.takeReport(report({ usage: usage(10, 2) }), 0)
    records.begin(entry(), CONTEXT, frameOf(1))
    expect(records.takeReport(report({ usage: usage(20, 2) }), 1)).toEqual({ of: 'none' })
    expect(records.complete(entry({ requestId: 'r9' }), LAST).usage).toEqual(usage(20, 2))
  })

  it('after a compaction are of the request for it', () => {
    const records = began(entry())
    records.endSegment()
    expect(records.takeReport(report({ usage: usage(10, 2) }), 1)).toEqual({
      ...{ of: 'other', usage: usage(10, 2) },
    })
  })

  it('without a figure say nothing', () => {
    const records = began(entry())
    expect(records.takeReport(report({ usage: null }), 1)).toEqual({ of: 'none' })
    expect(records.takeAgentReport(report({ usage: null }))).toBeNull()
  })

  it('behind a call that reported its own are of another request', () => {
    const records = began(entry({ usage: usage(9, 1) }))
    expect(records.takeReport(report({ usage: usage(10, 2) }), 1)).toEqual({
      of: 'other',
      usage: usage(10, 2),
    })
    expect(new CallRecords().takeReport(report({ usage: usage(10, 2) }), 1)).toEqual({
      ...{ of: 'other', usage: usage(10, 2) },
    })
  })

  it('say the same twice unless what was billed says that it is another one', () => {
    const records = began(entry())
    const twice = [1, 2].map(() => records.takeReport(report({ usage: usage(10, 2) }), 1).of)
    expect(twice).toEqual(['call', 'call'])
    records.takeReport(report({ usage: usage(10, 2), billed: 5 }), 1)
    expect(records.takeReport(report({ usage: usage(99, 2), billed: 5 }), 1)).toEqual({ of: 'none' })
    expect(records.takeReport(report({ usage: usage(10, 2), requestId: 'r1', billed: 6 }), 1).of).toBe('call')
    expect(records.takeReport(report({ usage: usage(10, 2), requestId: 'r2', billed: 7 }), 1).of).toBe('call')
  })

  it('before a call are forgotten with a compaction, and taken by the next call only', () => {
    const records = new CallRecords()
    records.takeReport(report({ usage: usage(10, 2) }), 0)
    records.endSegment()
    expect(records.complete(entry(), LAST).usage).toBeUndefined()
    records.takeReport(report({ usage: usage(10, 2) }), 0)
    records.begin(entry(), CONTEXT, frameOf(1))
    records.endSegment()
    expect(records.complete(entry(), LAST).usage).toBeUndefined()
  })

  it('of sub-agents count once for each request', () => {
    const records = began(entry())
    expect(records.takeAgentReport(report({ usage: usage(5, 1) }))).toEqual({
      ...{ usage: usage(5, 1), before: null },
    })
    expect(records.takeAgentReport(report({ usage: usage(5, 9) }))?.before).toBeNull()
    records.takeAgentReport(report({ usage: usage(5, 1), requestId: 's1' }))
    expect(records.takeAgentReport(report({ usage: usage(5, 9), requestId: 's1' }))).toEqual({
      ...{ usage: usage(5, 9), before: usage(5, 1) },
    })
  })
})

describe('one more record of a response', () => {
  it('is added to the open call, and its calls are known by name', () => {
    const records = began(entry({ units: { assistant: 2 } }))
    const added = records.addRecord(entry({ units: { 'tool-call': 3 }, calls: [{ id: 'a', name: 'read' }] }))
    expect(added?.answer).toMatchObject({ units: { assistant: 2, 'tool-call': 3 } })
    expect(records.complete(result('a'), LAST).toolName).toBe('read')
  })

  it('is added to none whose first one is not known', () => {
    expect(new CallRecords().addRecord(entry())).toBeNull()
  })
})

describe('what a transcript says of the part before the conversation and of the window', () => {
  const SETUP = { report: null, hints: { catalogue: { b: 5 } } } as unknown as FrameSetup

  it('is news once, and frames are made with it, the operator above it', () => {
    const records = new CallRecords()
    const fixed = { system: 10, tools: 20 }
    expect(records.heed(entry({ fixed }), 'a')).toBe(true)
    expect(records.heed(entry({ window: 1000 }), 'a')).toBe(true)
    expect(records.heed(entry({ window: 1000 }), 'a')).toBe(false)
    expect(records.heed(entry({ window: 2000 }), 'b')).toBe(true)
    expect(records.heed(entry({ window: 3000 }), null)).toBe(false)
    expect(records.heed(entry(), 'a')).toBe(false)
    expect(records.setupOn(SETUP)).toMatchObject({ report: fixed, hints: { catalogue: { a: 1000, b: 5 } } })
    expect(new CallRecords().setupOn(SETUP)).toEqual(SETUP)
    const report = { system: 1, tools: 2 }
    expect(new CallRecords().setupOn({ ...SETUP, report }).report).toBe(report)
    expect(records.setupOn({ ...SETUP, report }).report).toBe(fixed)
  })
})

describe('to go on later', () => {
  it('nothing is remembered while nothing happened, and all of it afterwards', () => {
    expect(new CallRecords().snapshot()).toBeUndefined()
    const state = began(entry({ calls: [{ id: 'a', name: 'read' }] })).snapshot()
    const resumed = new CallRecords()
    resumed.resume(JSON.parse(JSON.stringify(state)))
    expect(resumed.complete(result('a'), LAST).toolName).toBe('read')
  })
})
