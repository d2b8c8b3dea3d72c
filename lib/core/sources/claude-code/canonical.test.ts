import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashOfMessage } from '../../../testing/builders/recorded-requests'
import { canonicalMessage, canonicalShape } from './canonical'

const sha256 = (text: string | null) =>
  createHash('sha256')
    .update(text ?? '')
    .digest('hex')

/** The same value with the keys of each object in another order. */
function shuffled(value: unknown, turn: number): unknown {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, turn + 1))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [key, shuffled(one, turn + 1)] as const)
  const at = entries.length === 0 ? 0 : turn % entries.length
  return Object.fromEntries([...entries.slice(at), ...entries.slice(0, at)].reverse())
}

describe('the text that a message is hashed as', () => {
  it('is the same in any order of keys, and another for another value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.nat(9), (one, other, turn) => {
        expect(canonicalShape(shuffled(one, turn))).toBe(canonicalShape(one))
        const isSame = JSON.stringify(canonicalShape(one)) === JSON.stringify(canonicalShape(other))
        const read = (value: unknown) => JSON.parse(canonicalShape(value) ?? '')
        if (isSame) expect(read(one)).toEqual(read(other))
        else expect(read(one)).not.toEqual(read(other))
        expect(read(one)).toEqual(JSON.parse(JSON.stringify(one)))
      }),
    )
  })

  it('has a text as a block, and no cache_control at any depth', () => {
    const marked = { type: 'text', text: 'ahoy', cache_control: { type: 'ephemeral' } }
    const result = { type: 'tool_result', content: [marked], cache_control: { type: 'ephemeral' } }
    expect(canonicalMessage({ role: 'user', content: 'ahoy' })).toBe(
      '{"content":[{"text":"ahoy","type":"text"}],"role":"user"}',
    )
    expect(canonicalMessage({ content: [marked], role: 'user' })).toBe(
      canonicalMessage({ role: 'user', content: 'ahoy' }),
    )
    expect(canonicalMessage({ role: 'user', content: [result] })).not.toContain('cache_control')
    for (const message of [
      { role: 'user', content: 'Tiefgang „喫水“ \u2028 🚢 \ud800' },
      { role: 'system', content: [], output_config: { effort: 'medium' } },
      { role: 'user', content: [result, marked] },
    ])
      expect(sha256(canonicalMessage(message))).toBe(hashOfMessage(message))
  })

  it('keeps keys of a prototype as the keys that they are', () => {
    const hostile: unknown = JSON.parse('{"b":1,"__proto__":{"a":2},"constructor":3}')
    expect(canonicalShape(hostile)).toBe('{"__proto__":{"a":2},"b":1,"constructor":3}')
  })

  it('is none for what is nested too deeply', () => {
    let value: unknown = null
    for (let depth = 0; depth < 200_000; depth++) value = [value]
    expect(canonicalShape(value)).toBeNull()
  })
})
