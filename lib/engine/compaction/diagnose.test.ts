import { describe, expect, it } from 'vitest'
import { diagnoseCompaction } from './diagnose'

const linesOf = (before: number | null, after: number | null) => {
  const reported: string[] = []
  diagnoseCompaction(
    (level, line) => reported.push(`${level} ${line}`),
    'r1',
    { messages: 9, tokens: before },
    { messages: 4, tokens: after },
  )
  return reported
}

describe('Q7 what a host hears of a compaction', () => {
  it('is what it found and what it left, with the difference', () => {
    expect(linesOf(900, 300)).toEqual([
      'debug compaction r1 pre: messages=9 tokens=900',
      'debug compaction r1 post: messages=4 (-5) tokens=300 (-600)',
    ])
    expect(linesOf(300, 301)[1]).toContain('tokens=301 (+1)')
    expect(linesOf(300, 300)[1]).toContain('tokens=300 (0)')
  })

  it('says of what is unknown that it is', () => {
    expect(linesOf(null, 300)).toEqual([
      'debug compaction r1 pre: messages=9 tokens=unknown',
      'debug compaction r1 post: messages=4 (-5) tokens=unknown',
    ])
    expect(linesOf(900, null)[1]).toContain('tokens=unknown')
  })

  it('is nothing without a listener', () => {
    const sizes = { messages: 1, tokens: 1 }
    expect(() => diagnoseCompaction(undefined, 'r1', sizes, sizes)).not.toThrow()
  })
})
