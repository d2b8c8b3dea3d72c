import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runtimeContextTokens } from './context-tokens'

const usage = { input: 100, output: 10, cacheRead: 1_000, cacheWrite: 20 }
const sized = (make: (t: TranscriptBuilder) => void) => {
  const t = new TranscriptBuilder()
  make(t)
  return t.facts().map((fact, i) => ({ fact, size: i }))
}

describe('the figure of the runtimes for a context', () => {
  it('is the last report, and the sizes of what follows', () => {
    const context = sized((t) => {
      t.user('go')
      t.assistant('one', { usage: { input: 5 } })
      t.assistant('two', { usage })
      t.user('on')
      t.user('more')
    })
    expect(runtimeContextTokens(context)).toBe(1_130 + 4 + 5)
    expect(runtimeContextTokens(context, 3)).toBe(1_130 + 4 + 5)
    expect(runtimeContextTokens(context, 4)).toBe(0 + 1 + 2 + 3 + 4 + 5)
    expect(runtimeContextTokens([])).toBe(0)
    expect(runtimeContextTokens(context.slice(1))).toBe(1_130 + 4 + 5)
    expect(runtimeContextTokens(context.slice(4))).toBe(4 + 5)
  })

  it('usage is that of an answer: what another entry reports is not of the context', () => {
    const context = sized((t) => t.user('go')).slice(1)
    const reported = { input: 7, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: null }
    const usageOf = context.map(({ fact, size }) => ({ fact: { ...fact, usage: reported }, size }))
    expect(runtimeContextTokens(usageOf)).toBe(1)
  })

  it('passes over what failed or was stopped, and over other messages', () => {
    const context = sized((t) => {
      t.assistant('one', { usage })
      t.assistant('two', { usage: { input: 7 }, stop: 'error' })
      t.assistant('three', { usage: { input: 7 }, stop: 'aborted' })
      t.message({ role: 'user', content: 'x', usage: { input: 7, output: 7 } })
      t.user('on')
    })
    expect(runtimeContextTokens(context)).toBe(1_130 + 2 + 3 + 4 + 5)
  })

  it.each<[string, { readonly [key: string]: unknown }]>([
    ['no report', {}],
    ['a report of nothing', { usage: null }],
    ['a report of zeros', { usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 } }],
  ])('an answer with %s does not make a full context look empty', (_name, fields) => {
    const context = sized((t) => {
      t.assistant('one', { usage })
      t.user('on')
      t.assistant('two', { fields })
      t.user('more')
    })
    expect(runtimeContextTokens(context)).toBe(1_130 + 2 + 3 + 4)
    expect(runtimeContextTokens(context, 2)).toBe(0 + 1 + 2 + 3 + 4)
  })
})
