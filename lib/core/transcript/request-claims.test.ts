import { describe, expect, it } from 'vitest'
import { RequestClaims } from './request-claims'

const request = (id: string, seq: number) => ({ id, seq, at: null, usage: null })

describe('requests that several transcripts hold', () => {
  it('count in the first that asks, and in no other', () => {
    const claims = new RequestClaims()
    expect(claims.claim([request('a', 1), request('b', 2)])).toEqual([])
    expect(claims.claim([request('b', 5), request('c', 6)]).map(({ seq }) => seq)).toEqual([5])
    expect(claims.claim([request('c', 1)])).toHaveLength(1)
  })
})
