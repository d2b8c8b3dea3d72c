import { describe, expect, it } from 'vitest'
import { sharedText } from './shared-text'

describe('texts that come again and again', () => {
  it('are the same texts, however long, and whether they are known or one too many', () => {
    const texts = Array.from({ length: 1100 }, (_, i) => `${i}${'x'.repeat(i % 100)}`)
    const kept = new Map<string, string>()
    for (const text of [...texts, '', ...texts]) expect(sharedText(text, kept)).toBe(text)
    expect(sharedText('user')).toBe('user')
    expect(sharedText(undefined)).toBeUndefined()
  })

  it('are kept, but for long ones, and no more than a thousand', () => {
    const kept = new Map<string, string>()
    const long = 'x'.repeat(80)
    for (const text of [long, 'a', long.slice(1), 'a']) sharedText(text, kept)
    expect([...kept.keys()]).toEqual(['a', long.slice(1)])
    for (let i = 0; i < 1100; i++) sharedText(`name ${i}`, kept)
    expect(kept.size).toBe(1000)
  })
})
