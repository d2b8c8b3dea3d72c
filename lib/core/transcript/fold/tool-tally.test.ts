import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import type { EntryFact } from '../entry'
import { ToolTally } from './tool-tally'

const asks = (id: string, name: string, units: number): EntryFact => ({
  ...(new TranscriptBuilder().facts()[0] as EntryFact),
  ...{ role: 'assistant', calls: [{ id, name }], units: { 'tool-call': units } },
})
const answers = (id: string, units: number, over: Partial<EntryFact> = {}): EntryFact => ({
  ...(new TranscriptBuilder().facts()[0] as EntryFact),
  ...{ role: 'toolResult', resultFor: id, units: { 'tool-result': units }, ...over },
})
const toolsOf = (tally: ToolTally) =>
  Object.fromEntries(tally.snapshot().tools.map((tool) => [tool.tool, tool]))

describe('X6 what tools fill', () => {
  it('what a tool was asked and answered is sent with every later call, up to the next compaction', () => {
    const tally = new ToolTally()
    tally.addEntry(asks('1', 'read', 10))
    tally.addCall()
    tally.addEntry(answers('1', 900))
    tally.addCall()
    tally.addCall()
    expect(toolsOf(tally).read).toMatchObject({
      calls: 1,
      results: 1,
      resultTokens: 900,
      sentTokens: 1_820,
      held: 910,
    })
    tally.addBoundary()
    tally.addCall()
    expect(toolsOf(tally).read).toMatchObject({
      sentTokens: 1_820,
      held: 0,
      largest: 900,
      argumentTokens: 10,
    })
  })

  it('a result without a name is of the tool that was asked; failures are counted', () => {
    const tally = new ToolTally()
    tally.addEntry(asks('1', 'exec', 1))
    tally.addEntry(answers('1', 5, { isError: true }))
    tally.addEntry(answers('unknown', 7))
    expect(toolsOf(tally)).toMatchObject({
      exec: { results: 1, failed: 1 },
      'unnamed tool': { results: 1, calls: 0, failed: 0 },
    })
  })

  it('several calls of one answer share its arguments; what an image takes is of its result', () => {
    const tally = new ToolTally()
    const calls = [
      { id: '1', name: 'read' },
      { id: '2', name: '' },
    ]
    tally.addEntry({ ...asks('1', 'read', 101), calls })
    tally.addEntry(answers('1', 10.4, { units: { 'tool-result': 10.4, image: 20.2 } }))
    tally.addEntry(answers('2', 30))
    expect(toolsOf(tally)).toMatchObject({
      read: { argumentTokens: 51, resultTokens: 31, largest: 31, held: 82 },
      'unnamed tool': { calls: 1, argumentTokens: 51, results: 1, largest: 30 },
    })
    tally.addEntry(answers('1', 5, { toolName: 'read' }))
    expect(toolsOf(tally).read).toMatchObject({ results: 2, resultTokens: 36, largest: 31 })
    tally.addEntry(answers('1', 5))
    expect(toolsOf(tally)['unnamed tool']).toMatchObject({ results: 2 })
  })

  it('arguments without a size, other entries and calls of nothing take nothing', () => {
    const tally = new ToolTally()
    tally.addEntry({ ...asks('1', 'read', 1), units: undefined })
    tally.addEntry({ ...asks('2', 'exec', 1), calls: [] })
    tally.addEntry({ ...answers('1', 5), role: 'user' })
    tally.addEntry(answers('1', 5, { units: undefined }))
    expect(toolsOf(tally)).toMatchObject({ read: { calls: 1, argumentTokens: 0, resultTokens: 0, held: 0 } })
    expect(Object.keys(toolsOf(tally))).toEqual(['read'])
  })

  it('an answer that no call was made after, or whose context has ended, is not in the window', () => {
    const tally = new ToolTally()
    tally.addEntry(asks('1', 'read', 10))
    expect(tally.snapshot()).toMatchObject({ coming: [['read', 10]], open: [['1', 'read']] })
    tally.addBoundary()
    expect(tally.snapshot()).toMatchObject({ coming: [], open: [] })
    tally.addCall()
    tally.addCall()
    expect(toolsOf(tally).read).toMatchObject({ held: 0, sentTokens: 0 })
  })

  it('says of a call and of a compaction which tools they change', () => {
    const tally = new ToolTally()
    tally.addEntry(answers('1', 10, { toolName: 'read' }))
    tally.addEntry(answers('2', 0, { toolName: 'exec' }))
    const first = tally.snapshot().tools
    tally.addCall()
    const second = tally.snapshot().tools
    tally.addBoundary()
    const third = tally.snapshot().tools
    expect([first[0] === second[0], first[1] === second[1]]).toEqual([false, true])
    expect([second[0] === third[0], second[1] === third[1]]).toEqual([false, true])
    expect(first[0]?.sentTokens).toBe(0)
  })

  it('goes on from a snapshot as if it had not stopped, and says which tools have changed', () => {
    const [whole, first] = [new ToolTally(), new ToolTally()]
    for (const tally of [whole, first]) {
      tally.addEntry(asks('1', 'read', 10))
      tally.addCall()
      tally.addEntry(answers('1', 100))
      tally.addEntry(asks('2', 'exec', 3))
    }
    const before = first.snapshot()
    const rest = new ToolTally(JSON.parse(JSON.stringify(before)))
    for (const tally of [whole, rest, first]) tally.addEntry(answers('2', 50))
    expect(rest.snapshot()).toEqual(whole.snapshot())
    const [read, exec] = first.snapshot().tools
    expect([read === before.tools[0], exec === before.tools[1]]).toEqual([true, false])
  })

  it('trap: any number of names in a transcript takes bounded room', () => {
    const tally = new ToolTally()
    for (let i = 0; i < 1_000; i++) tally.addEntry(asks(String(i), `t${i}${'x'.repeat(500)}`, 1))
    const { tools, open } = tally.snapshot()
    expect(tools.length).toBe(201)
    expect(Math.max(...tools.map(({ tool }) => tool.length))).toBe(120)
    expect(tools.reduce((sum, { calls }) => sum + calls, 0)).toBe(1_000)
    expect(open.length).toBe(64)
    expect([open[0]?.[0], open.at(-1)?.[0]]).toEqual(['936', '999'])
    expect(tools.at(-1)).toMatchObject({ tool: 'other tools', calls: 800 })
    const named = new ToolTally()
    for (let i = 0; i < 200; i++) named.addEntry(asks(String(i), `t${i}`, 1))
    named.addEntry(asks('x', 'other tools', 1))
    named.addEntry(asks('y', 't0', 1))
    expect([named.snapshot().tools.length, toolsOf(named).t0?.calls]).toEqual([201, 2])
  })
})
