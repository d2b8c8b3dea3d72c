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
      'unnamed tool': { results: 1, calls: 0 },
    })
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
  })
})
