import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../../core/transcript/json'
import { checkTranscript } from '../../engine/write/check-transcript'
import { anyCharacter } from '../../testing/builders/any-text'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { CORPUS, transcriptFiles } from '../../testing/corpus'
import { pieces } from '../../testing/repair/invariants'
import { mutate } from '../../testing/repair/mutate'
import { runs } from '../../testing/runs'
import { decodeUtf8 } from './decode-utf8'
import { lineSkeleton } from './line-skeleton'

const FIELDS = [
  'text',
  'thinking',
  'content',
  'summary',
  'thinkingSignature',
  'signature',
  'oldText',
  'newText',
]
const FILLER = 'The tide table has two highs at 04:10 and 16:35; see src/tides.ts line 80. '

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

function isCounts(value: unknown): value is JsonObject {
  const isNumber = (part: unknown) => typeof part === 'number'
  return (
    isObject(value) &&
    Object.values(value).every((part) =>
      isObject(part) ? Object.values(part).every(isNumber) : isNumber(part),
    )
  )
}

/**
 * The value as its skeleton may be: long texts that are not blank are one letter, counts of usage are left out, or
 * all is still there.
 */
function expectSkeleton(short: unknown, whole: unknown, field = ''): void {
  if (short === 'x' && typeof whole === 'string' && whole !== 'x') {
    expect(
      FIELDS.some((name) => field.endsWith(name)),
      field,
    ).toBe(true)
    expect(whole.length).toBeGreaterThan(127)
    expect(whole).toMatch(/\S/)
  } else if (field === 'usage' && isCounts(whole) && !isDeepStrictEqual(short, whole)) {
    expect(short).toEqual(Object.values(whole).some(isObject) ? { x: {} } : {})
  } else if (typeof whole === 'object' && whole !== null) {
    const [a, b] = [Object.entries(short ?? {}), Object.entries(whole)]
    expect(a.map(([name]) => name)).toEqual(b.map(([name]) => name))
    for (const [i, [name, value]] of b.entries()) expectSkeleton(a[i]?.[1], value, name)
  } else expect(short).toBe(whole)
}

/** Holds a line against its skeleton; answers how much shorter that is, 0 when there is none. Bytes. */
function saved(line: string | Buffer): number {
  const bytes = typeof line === 'string' ? Buffer.from(line) : line
  const skeleton = lineSkeleton(bytes)
  if (skeleton === null) return 0
  const [short, whole] = [parsed(skeleton), parsed(decodeUtf8(bytes))]
  expect(short === null).toBe(whole === null)
  if (short !== null && whole !== null) expectSkeleton(short.value, whole.value)
  return bytes.length - Buffer.byteLength(skeleton)
}

const entry = (text: string, role = 'user') =>
  JSON.stringify({
    type: 'message',
    id: 'a1b2c3d4',
    parentId: null,
    message: { role, content: [{ type: 'text', text }] },
  })

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc.string({ unit: fc.constantFrom('\\', '"', '\n', '\u0001', 'é', '漢', '🚀', '\ud800', 'a') }),
      fc.constantFrom(FILLER, FILLER.repeat(9), '","text":"', '{"text":"', '\\u0001', ' '.repeat(400)),
      fc.constantFrom('\u00a0', '\u3000', '\u2003', '\ufeff', '\n').map((blank) => blank.repeat(200)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

/** Bytes of which many are no UTF-8, and some end or begin escapes. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc
        .constantFrom('\\', '\\"', '\\u00', '\\u00e9', '\\ud83d', '"', '漢', '🚀', 'a')
        .map((text) => Buffer.from(text)),
    ),
    { maxLength: 5 },
  )
  .map((parts) => Buffer.concat(parts))

const anyName = fc.constantFrom(...FIELDS, 'data', 'id', 'my"text', 'text ')
const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.constantFrom(null, 1.5, true),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyName, tie('value'), { maxKeys: 4 }),
  ),
})).value

const count = fc.oneof(
  fc.constantFrom('0', '-0', '12', '1.50', '-1e9', '2E-3', '1e999', '01', '.5', '1.', '-', '1e', '+1', '1e+'),
  fc.constantFrom('""', 'null', ' 1', '{}', '[1]', '{"a":1}', '{"a":{"b":1}}', '{"a":1,}', '{"a":1', 'a'),
)
const counts = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('input', 'Cost', '', 'a1', 'a b', '\\u0061'),
      fc.oneof(
        { arbitrary: count, weight: 1 },
        { arbitrary: fc.constantFrom('7', '1.25', '{"output":3}'), weight: 6 },
      ),
    ),
    { maxLength: 4, selector: ([name]) => name },
  )
  .map((fields) => `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`)

/** The same value in JSON of other spellings. */
const SPELLINGS: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replaceAll('":', '" :'),
  (json) => json.replaceAll('/', '\\/'),
  (json) => json.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
]

describe('M10 skeletons of lines', () => {
  it('differ from the line in long texts only, whatever is in it', () => {
    let dared = 0
    fc.assert(
      fc.property(anyValue, fc.constantFrom(...SPELLINGS), (value, spelling) => {
        if (saved(spelling(JSON.stringify({ content: value, filler: FILLER.repeat(4) }))) > 100) dared++
      }),
      runs(1000),
    )
    expect(dared).toBeGreaterThan(35)
  })

  it('leave out what was used only where it is nothing but counts', () => {
    let dared = 0
    fc.assert(
      fc.property(counts, fc.constantFrom('', ' ', '}', ',{'), (usage, behind) => {
        if (saved(`{"type":"message","usage":${usage}${behind}}${' '.repeat(300)}`) > 0) dared++
      }),
      runs(1000),
    )
    expect(dared).toBeGreaterThan(70)
    expect(saved(`{"a":1,"usage":{"input":4,"cost":{"total":0.5}},"b":2}${' '.repeat(300)}`)).toBeGreaterThan(
      20,
    )
  })

  it('are JSON exactly when the line is', () => {
    const line = Buffer.from(entry(`a\n"b"\\c é漢🚀 ${FILLER.repeat(4)}`))
    fc.assert(
      fc.property(fc.nat(line.length - 1), fc.nat(255), fc.nat(3), (at, byte, removed) => {
        saved(Buffer.concat([line.subarray(0, at), Buffer.from([byte]), line.subarray(at + removed)]))
        saved(line.subarray(0, at))
      }),
      runs(1000),
    )
  })

  it('are JSON exactly when the line is, whatever bytes are in its texts', () => {
    const [before = '', after = ''] = entry(`${FILLER.repeat(2)}X_X${FILLER.repeat(2)}`).split('X_X')
    let dared = 0
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        if (saved(Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])) > 100) dared++
        saved(Buffer.concat([bytes, Buffer.from(before)]))
      }),
      runs(500),
    )
    expect(dared).toBeGreaterThan(20)
  })

  it.each(FIELDS)('leave out a long text of %s, and none of a name that differs by one letter', (name) => {
    const line = (field: string) => JSON.stringify({ type: 'message', [field]: FILLER.repeat(9) })
    expect(saved(line(name))).toBeGreaterThan(500)
    expect(saved(line(`${name.slice(0, -1)}_`))).toBe(0)
    // The last eight bytes of a name and its quote count.
    if (name.length < 8) expect(saved(line(`${name.slice(0, -2)}_${name.slice(-1)}`))).toBe(0)
  })

  it('leave an object in the place of a text as it is', () => {
    const line = `{"type":"message","content":{"a":1},"usage":"no counts"}${' '.repeat(300)}`
    expect(lineSkeleton(Buffer.from(line))).toBe(line)
    expect(saved(`{"content":{ ${'level 263 cm '.repeat(20)}"b":1}`)).toBe(0)
  })

  it.each([
    ['plain text', FILLER.repeat(9), true],
    ['a text of just enough units', `${'ab'.repeat(63)}cd`, true],
    ['a text of one unit too few', `${'ab'.repeat(63)}c`, false],
    ['a text of too few units in many bytes', '漢'.repeat(127), false],
    ['a text that begins with blanks', `\n\t ${FILLER.repeat(9)}`, true],
    ['a text beyond ASCII', 'Flut: 漢字 é🚀 '.repeat(40), true],
    ['blanks', ' \n\t'.repeat(200), false],
    ['blanks beyond ASCII', '\u3000\u2003\u00a0'.repeat(200), false],
    ['half of a character', `${FILLER.repeat(9)}\ud83d`, false],
  ])('take out or leave %s', (_what, text, taken) => {
    // Blanks around keep lines with short texts long enough to be looked into.
    expect(saved(`${entry(text)}${' '.repeat(300)}`) > 100).toBe(taken)
  })
})

/** The same check with and without skeletons. */
async function expectSameCheck(bytes: Buffer, what: string): Promise<void> {
  const short = await checkTranscript(pieces(bytes), { decode: decodeUtf8, skeleton: lineSkeleton })
  const whole = await checkTranscript(pieces(bytes), { decode: decodeUtf8, skeleton: () => null })
  expect(short, what).toEqual(whole)
}

/** A session with long texts of all kinds, blank ones and such as an earlier repair left. */
function longSession(): Buffer {
  const session = new TranscriptBuilder()
  const long = FILLER.repeat(6)
  for (let i = 0; i < 12; i++) {
    session.user(i % 5 === 4 ? '\u00a0\n'.repeat(200) : `${i} ${long}`)
    session.assistant(long, { calls: [`a${i}`, `b${i}`] })
    session.result(`a${i}`, `${long}漢🚀"\\`)
    session.message({
      role: 'toolResult',
      toolCallId: `b${i}`,
      isError: true,
      details: { text: long },
      content: [
        {
          type: 'text',
          text: '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.',
        },
      ],
    })
    session.result(`b${i}`, long)
    session.assistant(`done ${long}`, { usage: { input: 5, cost: 0.25 } })
  }
  session.entry('compaction', { summary: long, firstKeptEntryId: 'e9', tokensBefore: 1 })
  session.entry('branch_summary', { summary: ' '.repeat(400), fromId: 'e2' })
  return Buffer.from(session.text())
}

describe('M10 a check of skeletons', () => {
  it('finds and plans the same as one of whole lines', async () => {
    const session = longSession()
    await expectSameCheck(session, 'as it is')
    for (let seed = 1; seed <= runs(80).numRuns; seed++) {
      const { bytes, ways } = mutate(session, seed)
      await expectSameCheck(bytes, `seed ${seed}: ${ways.join(', ')}`)
    }
  })

  it.skipIf(CORPUS === null)('does so for all real transcripts, damaged in any way', async () => {
    for (const [i, file] of transcriptFiles(CORPUS ?? '').entries()) {
      const bytes = readFileSync(file)
      await expectSameCheck(bytes, file)
      for (const seed of [i, i + 1000]) {
        const damaged = mutate(bytes, seed)
        await expectSameCheck(damaged.bytes, `${file}, seed ${seed}: ${damaged.ways.join(', ')}`)
      }
    }
  })
})
