import { describe, expect, it } from 'vitest'
import { countExact } from '../../core/tokens/exact'
import { readLine } from '../../core/transcript/reading/read-line'
import { countContext, countEntry } from './count-context'

const place = (seq: number) => ({ seq, line: seq + 1, offset: 0, bytes: 0 })
const line = (content: unknown, role = 'user') =>
  JSON.stringify({ type: 'message', id: 'a', parentId: null, message: { role, content } })
const PORTS = { pause: () => undefined, isEnough: () => false }

describe('B2 exact counts of entries', () => {
  it('count the texts that the estimate sizes, and images apart', async () => {
    const entry = line(
      [
        { type: 'thinking', thinking: 'Where is the barrel?' },
        { type: 'text', text: 'Let me look.' },
        { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'ls -la /srv' } },
        { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      ],
      'assistant',
    )
    const sized: string[] = []
    readLine(entry, place(0), (text) => sized.push(text))
    const sums = await Promise.all(sized.map((text) => countExact(text)))
    const tokens = sums.reduce((sum, count) => sum + count.tokens, 0)
    expect(sized).toHaveLength(3)
    expect(await countEntry(entry, place(0), 'o200k_base')).toEqual({ tokens, cuts: 0, images: 1 })
  })

  it('count where long texts were cut', async () => {
    const long = 'ab'.repeat(200_000)
    const { cuts } = await countExact(long)
    expect(cuts).toBeGreaterThan(0)
    expect((await countEntry(line(long), place(0), 'o200k_base')).cuts).toBe(cuts)
  })

  it('add up, go on after a line that cannot be read, and stop on request', async () => {
    const lines = new Map([0, 1, 3, 4].map((seq) => [seq, line(`message ${seq} about barrels`)]))
    const places = [0, 1, 2, 3, 4].map(place)
    const read = async ({ seq }: { seq: number }) => {
      const text = lines.get(seq)
      if (text === undefined) throw new Error('gone')
      return text
    }
    const all = await countContext(places, 'o200k_base', { ...PORTS, read })
    expect([...all.entries.keys()]).toEqual([0, 1, 3, 4])
    expect(all.unreadable).toBe(1)
    expect(all.left).toBe(0)
    const each = (await countExact('message 0 about barrels')).tokens
    expect(all.total.tokens).toBe(4 * each)
    const some = await countContext(places, 'o200k_base', {
      ...PORTS,
      read,
      isEnough: (characters) => characters > (lines.get(0)?.length ?? 0),
    })
    expect(some.entries.size).toBe(2)
    expect(some.left).toBe(3)
  })
})
