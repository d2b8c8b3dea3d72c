import { describe, expect, it } from 'vitest'
import { EMPTY_PLAN, type Emission, type RepairPlan } from '../../core/repair/plan'
import { rewriteLines } from './rewrite-lines'

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

async function rewritten(text: string, plan: RepairPlan, size = 5): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  async function* read() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const parts: Uint8Array[] = []
  for await (const part of rewriteLines(read, plan, decode)) parts.push(part)
  return Buffer.concat(parts).toString()
}

const TEXT = '{"a":1}\n{"b":2}\r\n\n{"c":3}\n'
const line = (number: number, more: Partial<Extract<Emission, { kind: 'line' }>> = {}): Emission => ({
  kind: 'line',
  line: number,
  edits: [],
  ...more,
})
const made = (text: string, edits: Emission['edits'] = []): Emission => ({ kind: 'made', text, edits })
const plan = (lines: Record<number, readonly Emission[]>, ...carried: number[]): RepairPlan => ({
  ...EMPTY_PLAN,
  lines: new Map(Object.entries(lines).map(([at, emissions]) => [Number(at), emissions])),
  carried: new Set(carried),
})

describe('M10 the new bytes of a transcript', () => {
  it.each<[string, RepairPlan, string]>([
    ['all lines go through as they are', EMPTY_PLAN, TEXT],
    ['one goes', plan({ 2: [] }), '{"a":1}\n\n{"c":3}\n'],
    [
      'one changes in its place',
      plan({ 1: [line(1, { edits: [{ set: ['a'], value: '5' }] })] }),
      TEXT.replace('1', '5'),
    ],
    ['one stays whole, and gets its end', plan({ 4: [line(4)] }), TEXT],
    [
      'one is taken apart',
      plan({ 1: [line(1, { part: [0, 4] }), line(1, { part: [4, 7] })] }),
      `{"a"\n:1}\n${TEXT.slice(8)}`,
    ],
    [
      'one is made behind another',
      plan({ 2: [line(2), made('{"n":0}')] }),
      TEXT.replace('\r\n', '\r\n{"n":0}\n'),
    ],
    [
      'one is made and changed',
      plan({ 0: [made('{"n":0}', [{ set: ['n'], value: '9' }])] }),
      `{"n":9}\n${TEXT}`,
    ],
    ['the last comes first', plan({ 0: [line(4)], 4: [] }, 4), '{"c":3}\n{"a":1}\n{"b":2}\r\n\n'],
    [
      'two change places, one of them changed',
      plan({ 1: [line(4)], 4: [line(1, { edits: [{ set: ['a'], value: '5' }] })] }, 1, 4),
      '{"c":3}\n{"b":2}\r\n\n{"a":5}\n',
    ],
  ])('%s', async (_what, of, expected) => {
    for (const size of [1, 5, 1000]) expect(await rewritten(TEXT, of, size)).toBe(expected)
  })

  it('a last line without its end stays without, unless the plan names it', async () => {
    expect(await rewritten('{"a":1}\n{"b":2}', EMPTY_PLAN)).toBe('{"a":1}\n{"b":2}')
    expect(await rewritten('{"a":1}\n{"b":2}', plan({ 2: [line(2)] }))).toBe('{"a":1}\n{"b":2}\n')
  })

  it('bytes that are no text go through as they are, also in a line that the plan moves', async () => {
    const bytes = new Uint8Array([0x61, 0xff, 10, 0x62, 10])
    const read = async function* () {
      yield bytes
    }
    const parts: Uint8Array[] = []
    const swapped = plan({ 1: [line(2)], 2: [line(1)] }, 1, 2)
    for await (const part of rewriteLines(read, swapped, decode)) parts.push(part)
    expect([...Buffer.concat(parts)]).toEqual([0x62, 10, 0x61, 0xff, 10])
  })

  it('a line that has gone meanwhile is a fault that names it', async () => {
    await expect(rewritten(TEXT, plan({ 0: [line(9)] }, 9))).rejects.toThrow('Line 9 is not there any more')
    await expect(rewritten(TEXT, plan({ 1: [line(3)] }))).rejects.toThrow('Line 3 is not there any more')
  })

  it('reads once where no line moves, and only up to the last one that does', async () => {
    const bytes = new TextEncoder().encode(TEXT)
    let pieces = 0
    async function* read() {
      for (let at = 0; at < bytes.length; at += 4) {
        pieces++
        yield bytes.subarray(at, at + 4)
      }
    }
    const all = async (of: RepairPlan) => {
      pieces = 0
      for await (const _ of rewriteLines(read, of, decode));
      return pieces
    }
    const whole = Math.ceil(bytes.length / 4)
    expect(await all(EMPTY_PLAN)).toBe(whole)
    expect(await all(plan({ 0: [line(4)], 4: [] }, 4))).toBe(2 * whole)
    expect(await all(plan({ 1: [], 4: [line(1), line(4)] }, 1))).toBe(whole + 2)
  })
})
