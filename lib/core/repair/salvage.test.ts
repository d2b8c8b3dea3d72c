import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenPromise, checkBytes, repairBytes } from '../../testing/repair/invariants'
import { runs } from '../../testing/runs'
import { parseObject } from '../transcript/json'
import { splitJoined } from './salvage'

const HEADER = '{"type":"session","version":3,"id":"s1","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}'

/** Texts that look like the beginnings and ends of entries. */
const hostile = fc.constantFrom(
  'plain',
  '{"type":"message","id":"fake","parentId":null}',
  '}}]}"',
  '{{[["',
  '\\',
  '\\"{"type":"message"',
  '"}{"type":"session"',
  '\u0000\u001f\ufeff',
  'é🚢',
)

const content = fc.record({
  text: hostile,
  more: fc.array(fc.oneof(hostile, fc.double(), fc.constant({ a: [[], {}] }))),
})

function entryLine(number: number, { text, more }: { text: string; more: readonly unknown[] }): string {
  const parentId = number === 0 ? null : `e${number - 1}`
  const message = { role: 'user', content: [{ type: 'text', text: `${number} ${text}` }], more }
  return JSON.stringify({ type: 'message', id: `e${number}`, parentId, message })
}

const piece = fc.record({
  content,
  /** Share of a torn entry before this one; 0: none. */
  torn: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.double({ min: 0, max: 0.999, noNaN: true })),
  between: fc.constantFrom('', '', ' ', '\u0000', '\ufffd'),
})

describe('M10 lines grown together', () => {
  it('M10 any number of entries on one line is saved, whatever is torn between them', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 300, size: 'max' }), (pieces) => {
        const whole = pieces.map((one, i) => entryLine(i, one.content))
        const torn = pieces.map(({ content: of, torn: share }, i) => {
          const line = entryLine(1000 + i, of)
          return line.slice(0, Math.floor(line.length * share))
        })
        const text = pieces.map(({ between }, i) => `${torn[i]}${whole[i]}${between}`).join('')
        const parts = splitJoined(`{"type":"custom","id":"c"}${text}`).slice(1)
        expect(
          parts.filter(({ kind }) => kind === 'entry').map((part) => 'value' in part && part.value),
        ).toEqual(whole.map(parseObject))
        const left = parts.filter(({ kind }) => kind === 'torn').length
        expect(left).toBe(torn.filter((one) => one !== '').length)
      }),
      runs(50),
    )
  })

  it('M10 a transcript of 500 entries on one line loses none of them', async () => {
    const entries = Array.from({ length: 500 }, (_, i) =>
      entryLine(i, { text: '"}{', more: ['{"type":"message"'] }),
    )
    const before = Buffer.from(`${HEADER}${entries.join('')}\n`)
    const result = await repairBytes(before)
    expect(brokenPromise(before, result)).toBeNull()
    expect(result.bytes.toString()).toBe(`${[HEADER, ...entries].join('\n')}\n`)
    expect(result.check.entries).toEqual({ before: 501, dropped: 0, after: 501 })
  })

  it('M10 what is torn between entries is a finding and a step, and what named it goes on', async () => {
    const [first, second, third] = [0, 1, 2].map((i) => entryLine(i, { text: 'x', more: [] }))
    const before = Buffer.from(`${HEADER}\n${first}\n${second?.slice(0, 90)}${third}\n`)
    const { check, bytes } = await repairBytes(before)
    expect(check.findings.map(({ class: name, entryId }) => [name, entryId])).toEqual([
      ['torn-part', 'e1'],
      ['joined-lines', 'e2'],
    ])
    expect(check.plan.steps).toMatchObject([
      { kind: 'drop', line: 3, part: [0, 90] },
      { kind: 'change', line: 3 },
    ])
    expect(check.plan.steps[0]?.reason).toContain('the backup keeps it')
    expect(JSON.parse(bytes.toString().trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      id: 'e2',
      parentId: 'e0',
    })
  })

  it('M10 a whole entry inside of what is torn is not taken for one unless the text tears right behind it', () => {
    const nested = '{"type":"message","id":"n","parentId":null}'
    const [last] = splitJoined(
      `{"type":"message","id":"a","parentId":null,"x":[${nested},1,{"type":"custom","id":"b"}`,
    )
    expect(last).toMatchObject({ kind: 'torn' })
    const parts = splitJoined(
      `{"type":"message","id":"a","parentId":null,"x":[${nested}{"type":"custom","id":"b"}`,
    )
    expect(parts.flatMap((part) => ('value' in part ? [part.value.id] : []))).toEqual(['n', 'b'])
  })

  it('M10 reads each character of a line once, however many beginnings are torn in it', async () => {
    const beginnings = '{"type":"message","message":'.repeat(300_000)
    const line = `${beginnings}${entryLine(0, { text: 'last', more: [] })}`
    expect(splitJoined(line).map(({ kind }) => kind)).toEqual(['torn', 'entry'])
    const check = await checkBytes(Buffer.from(`${HEADER}\n${line}\n`))
    expect(check.findings.map((finding) => finding.class)).toEqual(['torn-part', 'joined-lines'])
  })
})
