import { describe, expect, it } from 'vitest'
import type { EntryFact, Usage } from '../transcript/entry'
import { promptTokens, reportedPrompt, resentOutput, resentReasoning } from './usage'

const USAGE: Usage = { input: 3, output: 141, cacheRead: 9_000, cacheWrite: 812, costUsd: null }

function answer(fields: Partial<EntryFact>): EntryFact {
  return {
    seq: 4,
    line: 5,
    offset: 0,
    bytes: 0,
    type: 'message',
    role: 'assistant',
    id: 'a4',
    parentId: 'a3',
    at: null,
    ...fields,
  }
}

describe('B6: the prompt as the provider counted it', () => {
  it('is fresh input and both sides of the cache, without the answer', () => {
    expect(promptTokens(USAGE)).toBe(9_815)
  })

  it('trap: zeros are unknown, not an empty prompt, whatever the output says', () => {
    expect(promptTokens(null)).toBeNull()
    expect(promptTokens(undefined)).toBeNull()
    expect(promptTokens({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: null })).toBeNull()
    expect(promptTokens({ ...USAGE, input: 0, cacheRead: 0, cacheWrite: 0 })).toBeNull()
  })

  it('trap: failed and aborted calls report part of their prompt at best, and are no measure', () => {
    expect(reportedPrompt(answer({ usage: USAGE, stopReason: 'stop' }))).toBe(9_815)
    expect(reportedPrompt(answer({ usage: USAGE }))).toBe(9_815)
    expect(reportedPrompt(answer({ usage: USAGE, stopReason: 'aborted' }))).toBeNull()
    expect(reportedPrompt(answer({ usage: USAGE, stopReason: 'error' }))).toBeNull()
    expect(reportedPrompt(answer({ usage: null }))).toBeNull()
  })
})

describe('what an answer takes when it is sent again', () => {
  const thought = (reasoning: number | undefined, thinking: number) =>
    answer({
      usage: { ...USAGE, output: 300, ...(reasoning !== undefined && { reasoning }) },
      units: { thinking },
    })

  it('is its output, with what rounding to steps of 64 took of the reasoning', () => {
    expect(resentOutput(thought(192, 214))).toBe(322)
    expect(resentReasoning(thought(192, 214))).toBe(214)
    expect(resentOutput(thought(0, 13))).toBe(313)
  })

  it('is no more than a step above the report, and nothing where that is not rounded or says nothing', () => {
    expect(resentOutput(thought(192, 900))).toBe(363)
    expect(resentOutput(thought(192, 100))).toBe(300)
    expect(resentOutput(thought(200, 214))).toBe(300)
    expect(resentOutput(thought(undefined, 214))).toBe(300)
    expect(resentReasoning(thought(undefined, 214))).toBeNull()
    expect(resentOutput(answer({ usage: { ...USAGE, outputUnsure: true } }))).toBeNull()
  })
})
