import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { originalOf, originalText } from './original-text'
import { coldLine, readColdLine } from './record'

describe('I2 a message as it came', () => {
  it('is read back as it was, with what JSON has no form for', () => {
    const message = {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'image/png', data: new Uint8Array([0, 127, 255]) },
        { type: 'image', image: new URL('https://example.org/a b.png') },
        { type: 'text', text: 'Lone \ud800 half', at: new Date(5), never: new Date(Number.NaN), size: 12n },
        { $bytes: 'the agent’s own' },
        { $object: { $date: 1 } },
      ],
    }
    expect(originalOf(originalText(message))).toEqual(message)
    expect(originalOf(originalText(Buffer.from('bytes of a buffer')))).toEqual(
      Uint8Array.from(Buffer.from('bytes of a buffer')),
    )
    const large = new Uint8Array(100_000).map((_, i) => i)
    expect(originalOf(originalText(large))).toEqual(large)
  })

  it('is the message’s own JSON, to the byte, where JSON has a form for all of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(originalOf(originalText({ value })))).toBe(JSON.stringify({ value }))
      }),
    )
    expect(originalText({ role: 'user', content: 'Berth?', b: 1, a: null })).toBe(
      '{"role":"user","content":"Berth?","b":1,"a":null}',
    )
  })

  it('names a message that cannot be written', () => {
    const ring: { self?: unknown } = {}
    ring.self = ring
    expect(() => originalText(ring)).toThrow('a message contains itself')
    const shared = { text: 'twice' }
    expect(originalText([shared, shared])).toBe('[{"text":"twice"},{"text":"twice"}]')
  })

  it('goes through a line of cold storage to the byte', () => {
    const messages = [
      originalText({ role: 'user', content: 'Berth "4"\n' }),
      originalText({ 2: 'b', 1: 'a' }),
    ]
    const record = {
      ...{ chunkId: 'c', sessionId: 's', at: 1, content: 'Berth 4', tokens: 3, reason: null, score: null },
      ...{ prompt: null, until: 2, place: null, messages },
    }
    const read = readColdLine(coldLine(record))
    expect(read.ok && read.record.messages).toEqual(messages)
    const { messages: _, ...none } = record
    expect(coldLine(none)).not.toContain('messages')
    expect(readColdLine(coldLine(none))).toMatchObject({ ok: true, odd: [] })
    const odd = readColdLine(JSON.stringify({ ...JSON.parse(coldLine(none)), messages: 5 }))
    expect(odd.ok && odd.odd).toEqual(['messages is 5 and not a list: it counts as unknown'])
  })
})
