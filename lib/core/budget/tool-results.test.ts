import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { frameEntries } from '../tokens/frame-entries'
import { Branches } from '../transcript/branches'
import { contextAt } from '../transcript/context'
import { SessionFold } from '../transcript/fold/fold'
import { heldByTools, toolResultReport } from './tool-results'

describe('B8 what tool results hold', () => {
  it('lists them by tool, adding up to the frame; results that are not sent hold nothing', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    t.assistant('', { calls: ['a', 'b'], usage: { input: 2000, output: 20 } })
    t.result('a', 'x '.repeat(900))
    t.result('b', 'y '.repeat(300), {})
    t.result('nobody', 'z '.repeat(900))
    const facts = t.facts()
    const fold = SessionFold.start({ runtime: 'pi', hints: { index: null }, report: null })
    for (const fact of facts) fold.push(fact)
    const frame = fold.next()
    const branches = Branches.of(facts)
    const report = toolResultReport(frameEntries(contextAt(branches, branches.leaf, 'pi'), frame, 'pi'))
    expect(report.tokens).toBe(frame.categories['tool-result'])
    expect(report).toMatchObject({
      results: 2,
      byTool: [{ tool: 'exec', results: 2, tokens: report.tokens }],
    })
  })

  it('counts the output of a command that the operator ran, so that it adds up to the frame', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    t.message({ role: 'bashExecution', command: 'ls', output: 'z '.repeat(900), exitCode: 0 })
    const facts = t.facts()
    const branches = Branches.of(facts)
    const fold = SessionFold.start({ runtime: 'pi', hints: { index: null }, report: null })
    for (const fact of facts) fold.push(fact)
    const frame = fold.next()
    const report = toolResultReport(frameEntries(contextAt(branches, branches.leaf, 'pi'), frame, 'pi'))
    expect(report.tokens).toBeGreaterThan(0)
    expect(report).toEqual({
      ...{ tokens: frame.categories['tool-result'], results: 1 },
      byTool: [{ tool: 'bash', results: 1, tokens: report.tokens }],
    })
  })

  it('counts an empty result, and no message that is not a result', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    t.assistant('thinking aloud', { calls: ['a'] })
    t.result('a', '')
    const facts = t.facts()
    const branches = Branches.of(facts)
    const context = contextAt(branches, branches.leaf, 'pi')
    const fold = SessionFold.start({ runtime: 'pi', hints: { index: null }, report: null })
    for (const fact of facts) fold.push(fact)
    expect(toolResultReport(frameEntries(context, fold.next(), 'pi')).results).toBe(1)
  })

  it('lists the largest holding first, equal ones by name', () => {
    const report = heldByTools([
      ...[
        { tool: 'b', tokens: 5 },
        { tool: 'a', tokens: 5 },
        { tool: 'c', tokens: 4 },
      ],
      ...[
        { tool: 'c', tokens: 4 },
        { tool: 'd', tokens: 1 },
      ],
    ])
    expect(report).toEqual({
      tokens: 19,
      results: 5,
      byTool: [
        { tool: 'c', results: 2, tokens: 8 },
        { tool: 'a', results: 1, tokens: 5 },
        { tool: 'b', results: 1, tokens: 5 },
        { tool: 'd', results: 1, tokens: 1 },
      ],
    })
  })
})
