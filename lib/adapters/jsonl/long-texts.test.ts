import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runtimeTokens } from '../../core/compaction/runtime-size'
import { isMarkedEntry } from '../../core/relevance/importance'
import { longTextNumber } from '../../core/transcript/reading/long-texts'
import type { WeighEntry } from '../../core/transcript/reading/read-content'
import { readLine } from '../../core/transcript/reading/read-line'
import { anyCharacter } from '../../testing/builders/any-text'
import {
  checkpointRecord,
  openaiAnswer,
  retainedRecord,
  summaryRecord,
  suppressionRecord,
} from '../../testing/builders/checkpoint'
import { CORPUS, transcriptFiles } from '../../testing/corpus'
import { runs } from '../../testing/runs'
import { MemoryBytes } from './byte-source'
import { fastEstimate } from './fast-estimate'
import { LineReader } from './jsonl-lines'
import { readWithoutTexts } from './long-texts'
import { textMachine } from './text-machine'
import { LINE } from './text-machine-layout'

// Else it would start only after much more text than a test has.
textMachine(Number.POSITIVE_INFINITY)

const weigh: WeighEntry = (entry, { lengthOf, whole }) => ({
  size: runtimeTokens(entry, 'openclaw', lengthOf),
  important: isMarkedEntry(entry, whole),
})
const PLACE = { seq: 3, line: 4, offset: 100, bytes: 50 }

/** Reads the line both ways; answers whether the short way dared to. Blank lines count as not dared. */
function same(line: string | Buffer): boolean {
  const bytes = typeof line === 'string' ? Buffer.from(line) : line
  const source = new MemoryBytes(Buffer.concat([bytes, Buffer.from('\n')]))
  const lines = new LineReader(source, { offset: 0, line: 0, tail: 0 }, { maxLine: 1 << 25, buffer: 1 << 16 })
  if (lines.next() !== 'line') return false
  const short = readWithoutTexts(lines, PLACE, { estimate: fastEstimate, weigh })
  if (short === null) return false
  const text = lines.text()
  expect(short).toEqual(readLine(text, PLACE, fastEstimate, { weigh }))
  expect(short.fact.size).toBe(runtimeTokens(JSON.parse(text), 'openclaw'))
  return true
}

const FILLER = 'The tide table has two highs at 04:10 and 16:35; see src/tides.ts line 80. '
const filled = (text: string, length = 400) => text + FILLER.repeat(Math.ceil(length / FILLER.length))

const result = (text: unknown, more: object = {}) => ({
  type: 'message',
  id: 'a1b2c3d4',
  parentId: 'a1b2c3d3',
  timestamp: '2026-11-01T08:00:00.000Z',
  message: {
    role: 'toolResult',
    toolCallId: 't1',
    toolName: 'exec',
    content: [{ type: 'text', text }],
    ...more,
  },
})

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(
          '\\',
          '"',
          '\n',
          '\u0001',
          '\u0000',
          'é',
          '漢',
          '🚀',
          '\ud800',
          '\udc00',
          'a',
          ' ',
        ),
      }),
      fc.constantFrom(FILLER, FILLER.repeat(30), '","text":"', '{"text":"', '\\u0001', '\\"', '\u00010'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

/** Bytes of which many are no UTF-8, and some end or begin escapes. */
const anyBytes = fc
  .array(
    fc.oneof(
      { arbitrary: fc.uint8Array({ maxLength: 4 }), weight: 1 },
      {
        arbitrary: fc
          .constantFrom('\\"', '\\u00', '\\u00e9', '\\ud83d', '\u07ff', '\u0800', '\uffff', '🚀', 'a')
          .map((text) => Buffer.from(text)),
        weight: 3,
      },
    ),
    { maxLength: 5 },
  )
  .map((parts) => Buffer.concat(parts))

/** How many texts of a line the machine takes out. */
function textsTaken(entry: object): number {
  const machine = textMachine(0)
  const line = Buffer.from(JSON.stringify(entry))
  if (machine === null) throw new Error('no machine')
  line.copy(machine.bytes, LINE)
  return machine.scan(line.length)
}

const anyBlock = fc.oneof(
  fc.record({ type: fc.constant('text'), text: anyText.map((text) => filled(text)) }),
  fc.record({ type: fc.constant('text'), text: anyText }),
  fc.record({ type: fc.constant('thinking'), thinking: anyText, thinkingSignature: anyText }),
  fc.record({
    type: fc.constant('toolCall'),
    id: anyText,
    name: anyText,
    arguments: fc.record({ text: anyText, content: anyText }),
  }),
  fc.record({
    type: fc.constant('toolCall'),
    id: fc.constant('t'),
    name: fc.constant('exec'),
    arguments: fc.record({ path: anyText }),
  }),
  fc.record({ type: fc.constant('image'), data: anyText }),
  fc.record({ type: anyText, text: anyText }),
  anyText,
)

const anyEntry = fc.oneof(
  fc.record({
    type: fc.constant('message'),
    id: fc.constant('a'),
    message: fc.record({
      role: fc.constantFrom('user', 'assistant', 'toolResult', 'custom', 'bashExecution'),
      isError: fc.boolean(),
      content: fc.oneof(anyText, fc.array(anyBlock, { maxLength: 4 }), fc.record({ text: anyText })),
      output: anyText,
      text: anyText,
    }),
  }),
  fc.record({
    type: fc.constantFrom('compaction', 'branch_summary', 'reset'),
    summary: anyText,
    reason: anyText,
  }),
  fc.record({ type: fc.constant('custom_message'), customType: anyText, content: anyText, text: anyText }),
  fc.record({ type: anyText, text: anyText }),
)

/** The same value in JSON of other spellings. */
const SPELLINGS: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replaceAll('":', '" :'),
  (json) => json.replaceAll('/', '\\/'),
  (json) =>
    json.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`),
]

describe('B4 records of a provider with long data', () => {
  const answer = (providerReplay: unknown) =>
    JSON.stringify({
      type: 'message',
      id: 'a1b2c3d4',
      parentId: 'a1b2c3d3',
      timestamp: '2026-11-01T08:00:00.000Z',
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: filled('Compacted.') },
          { type: 'text', text: 'On.' },
        ],
        ...openaiAnswer(providerReplay).fields,
        stopReason: 'stop',
      },
    })
  const LONG = 'gAAAAAbc9+/Z'.repeat(2000)

  it.each([
    ['encrypted', checkpointRecord({ data: LONG, replayIndex: 1 })],
    ['readable', summaryRecord(filled('The harbour. ü', 20_000))],
    ['a window', retainedRecord([filled('first', 3000), 'second'])],
    ['a window of other data', retainedRecord([filled('first', 3000)], { data: LONG })],
    ['a refusal with an odd text', suppressionRecord({ data: LONG })],
  ])('%s: the short way says the same', (_name, record) => {
    expect(same(answer(record))).toBe(true)
  })
})

describe('long texts', () => {
  it('makes the same entry as the ordinary way, whatever is in it', () => {
    let dared = 0
    fc.assert(
      fc.property(anyEntry, fc.constantFrom(...SPELLINGS), (entry, spelling) => {
        if (same(spelling(JSON.stringify(entry)))) dared++
      }),
      runs(1500),
    )
    expect(dared).toBeGreaterThan(35)
  })

  it('reads nothing out of a broken line that the ordinary way does not', () => {
    const line = Buffer.from(JSON.stringify(result(filled('a\n"b"\\c é漢🚀'))))
    fc.assert(
      fc.property(fc.nat(line.length - 1), fc.nat(255), fc.nat(3), (at, byte, removed) => {
        same(Buffer.concat([line.subarray(0, at), Buffer.from([byte]), line.subarray(at + removed)]))
        same(line.subarray(0, at))
      }),
      runs(750),
    )
  })

  it('reads the same whatever bytes are in a text', () => {
    const [before = '', after = ''] = JSON.stringify(result(`${filled('', 90)}X_X${filled('', 90)}`)).split(
      'X_X',
    )
    let dared = 0
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        if (same(Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]))) dared++
      }),
      runs(750),
    )
    expect(dared).toBeGreaterThan(20)
  })

  it.each([
    ['text', { type: 'message', message: { role: 'user', content: [{ type: 'text', text: filled('a') }] } }],
    [
      'thinking',
      {
        type: 'message',
        message: { role: 'assistant', content: [{ type: 'thinking', thinking: filled('a') }] },
      },
    ],
    ['summary', { type: 'compaction', summary: filled('a') }],
  ])('takes out a long text of %s, and of no longer name', (name, entry) => {
    expect(textsTaken(entry)).toBe(1)
    const renamed = JSON.stringify(entry).replace(`"${name}":"`, `"x${name}":"`)
    expect(textsTaken(JSON.parse(renamed))).toBe(0)
  })

  it.each([
    ['plain text', filled('')],
    ['escapes', filled('\b\f\n\r\t"\\/')],
    ['letters beyond ASCII', filled('é漢字🚀\u2028')],
    ['control characters', filled('\u001b[31m\u0001\u0000')],
    ['half characters', filled('\ud83d \ude00')],
    ['wide text beyond what is kept', '漢🚀"\\\n'.repeat(3000)],
    ['backslashes beyond what is kept', `é${'\\'.repeat(9001)}`],
    ['a text of many stretches', filled('', 700_000)],
  ])('dares to take out %s', (_what, text) => {
    expect(same(JSON.stringify(result(text)))).toBe(true)
    expect(same(JSON.stringify(result(text, { isError: true })))).toBe(true)
  })

  it('takes the last of two fields with one name', () => {
    const line = JSON.stringify(result('X')).replace(
      '"text":"X"',
      `"text":"${filled('one')}","text":"${filled('two')}"`,
    )
    expect(same(line)).toBe(true)
  })

  it.each([
    ['an escape that JSON does not have', '\\x41'],
    ['half an escape', '\\u12G4'],
    ['a raw control character', '\u0007'],
    ['a quote too many', '"'],
  ])('leaves a text with %s to the ordinary way', (_what, broken) => {
    const line = JSON.stringify(result('X')).replace('"X"', `"${filled('a')}${broken}${filled('b')}"`)
    expect(same(line)).toBe(false)
  })

  it.each([
    ['bytes that are no character', [0xff]],
    ['a character written too long', [0xc0, 0xaf]],
    ['half of a pair as UTF-8', [0xed, 0xa0, 0x80]],
    ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['a character cut short', [0xe6, 0xbc]],
  ])('leaves a text with %s to the ordinary way', (_what, broken) => {
    const [before = '', after = ''] = JSON.stringify(result(`${filled('a')}X_X${filled('b')}`)).split('X_X')
    expect(same(Buffer.concat([Buffer.from(before), Buffer.from(broken), Buffer.from(after)]))).toBe(false)
  })

  it('is not fooled by what looks like a stand-in', () => {
    const fake = '\u00010'
    expect(longTextNumber(fake)).toBe(0)
    const entry = result(filled('a'))
    entry.message.content.push({ type: 'text', text: fake })
    expect(same(JSON.stringify(entry))).toBe(false)
  })

  it('leaves a tool call with a long text to the ordinary way, and takes the others', () => {
    const call = (name: string) => ({
      type: 'toolCall',
      id: 't',
      name: 'write',
      arguments: { [name]: filled('a') },
    })
    const entry = (name: string) =>
      JSON.stringify(
        result('x', { role: 'assistant', content: [{ type: 'text', text: filled('b') }, call(name)] }),
      )
    expect(same(entry('text'))).toBe(false)
    expect(same(entry('content'))).toBe(true)
  })

  it('keeps a text of more than ASCII while another one of its entry is sized', () => {
    const call = { type: 'toolCall', id: 't', name: 'exec', arguments: { path: FILLER.repeat(20) } }
    const blocks = [{ type: 'text', text: filled('\udc00é') }, call, { type: 'text', text: filled('漢 ') }]
    for (const role of ['user', 'assistant', 'toolResult']) {
      const entry = { type: 'message', id: 'a', message: { role, content: blocks } }
      expect(same(JSON.stringify(entry))).toBe(true)
    }
  })

  it('takes out no more texts than it has numbers for', () => {
    const content = Array.from({ length: 60 }, (_, i) => ({ type: 'text', text: filled(`${i} `, 100) }))
    expect(same(JSON.stringify(result('', { content })))).toBe(true)
  })

  it.skipIf(CORPUS === null)('makes the same entries of all real transcripts', () => {
    let [dared, all] = [0, 0]
    for (const file of transcriptFiles(CORPUS ?? '')) {
      for (const line of readFileSync(file, 'latin1').split('\n')) {
        if (line.length < 1000 || line.length > 1 << 20) continue
        all++
        if (same(Buffer.from(line, 'latin1'))) dared++
      }
    }
    expect(all).toBeGreaterThan(500)
    expect(dared).toBeGreaterThan(200)
  })
})
