import { describe, expect, it } from 'vitest'
import type { Frame } from '../tokens/frame'
import type { EntryFact } from './entry'
import { RequestClaims, requestsOf } from './request-claims'

const request = (id: string, seq: number) => ({ id, seq, at: null, usage: null })

describe('requests that several transcripts hold', () => {
  it('count in the first that asks, and in no other', () => {
    const claims = new RequestClaims()
    expect(claims.claim([request('a', 1), request('b', 2)])).toEqual([])
    expect(claims.claim([request('b', 5), request('c', 6)]).map(({ seq }) => seq)).toEqual([5])
    expect(claims.claim([request('c', 1)])).toHaveLength(1)
  })
})

describe('requests of a transcript that others may hold', () => {
  const usage = { input: 5, output: 1, cacheRead: 0, cacheWrite: 0, costUsd: null }
  const facts = [{}, { requestId: 'a', usage }, { requestId: 'b' }, {}] as EntryFact[]
  const frames = [1, 2, 3, 9].map((seq) => ({ seq, at: seq * 10 })) as Frame[]

  it('are those that have an id, with what they used', () => {
    expect(requestsOf('claude-code', facts, frames)).toEqual([
      { seq: 1, at: 10, id: 'a', usage },
      { seq: 2, at: 20, id: 'b', usage: null },
    ])
  })

  it('are none of runtimes that write each line once', () => {
    expect(requestsOf('codex', facts, frames)).toEqual([])
  })
})
