import { describe, expect, it } from 'vitest'
import {
  checkpointRecord,
  OPENAI_ROUTE,
  retainedRecord,
  summaryRecord,
  suppressionRecord,
} from '../../../testing/builders/checkpoint'
import { charsOverFour, IMAGE_UNITS } from '../../tokens/estimate'
import { isProviderCompaction, isReadable, isUsable } from '../provider-checkpoint'
import { checkpointProblem, hasCheckpoint, readCheckpoint } from './read-checkpoint'

const TEXTS = { lengthOf: ({ length }: string) => length, whole: (text: string) => text }
const READING = { estimate: charsOverFour, longTexts: null }
const CONTENT = [
  { type: 'text', text: 'x'.repeat(8) },
  { type: 'toolCall', id: 'a', name: 'exec', arguments: {} },
  { type: 'image', data: 'AA' },
]
const read = (providerReplay: unknown, content: unknown = CONTENT) =>
  readCheckpoint({ content, providerReplay }, TEXTS, READING)

describe('B4 a record of a compaction on the side of the provider', () => {
  it('with an index covers so many blocks of its message, and measures the rest', () => {
    const data = 'x'.repeat(12)
    expect(read(checkpointRecord({ data, replayIndex: 1 }))).toEqual({
      ...{ kind: 'prefix', family: 'openai', route: OPENAI_ROUTE, covers: 1, units: 3, chars: 12 },
      rest: { 'tool-call': 2, image: IMAGE_UNITS },
      ...{ restImages: 1, restCalls: 1 },
    })
  })

  it.each<[string, unknown, number | null]>([
    ['no index: nothing of it', undefined, 0],
    ['0: nothing of it', 0, 0],
    ['all blocks', 3, 3],
    ['more than there are', 9, 3],
    ['part of one', 1.5, null],
    ['less than none', -1, null],
    ['a text', '1', null],
  ])('covers, by its index: %s', (_name, replayIndex, covers) => {
    const found = read(checkpointRecord({ replayIndex }))
    expect(isUsable(found) ? found.covers : null).toBe(covers)
  })

  it('names the way on which it was made, with session and login where they were recorded', () => {
    const hashes = { sessionHash: 's', authProfileHash: 'p' }
    expect(read(checkpointRecord(hashes))).toMatchObject({ route: { ...OPENAI_ROUTE, ...hashes } })
  })

  it('keeps a summary that can be read, as its beginning on one line', () => {
    const found = read(summaryRecord(`All\nships  ${'x'.repeat(300)}`))
    expect(found).toMatchObject({ kind: 'prefix', family: 'anthropic', units: 78, chars: 311 })
    expect(isUsable(found) && found.text).toMatch(/^All ships x{147}\.\.\.$/)
    expect(read(checkpointRecord())).not.toHaveProperty('text')
    expect([found, read(checkpointRecord())].map((one) => one !== undefined && isReadable(one))).toEqual([
      ...[true, false],
    ])
  })

  it('sizes encrypted data in proportion to its beginning, and a summary as a whole', () => {
    // The beginning of four characters a token is followed by as much that is twice as dense.
    const estimate = (text: string) => text.replaceAll('b', 'bb').length / 4
    const data = 'a'.repeat(65_536) + 'b'.repeat(65_536)
    const units = (record: object) => {
      const found = readCheckpoint({ content: [], providerReplay: record }, TEXTS, {
        estimate,
        longTexts: null,
      })
      return isUsable(found) ? found.units : null
    }
    expect(units(checkpointRecord({ data }))).toBe(32_768)
    expect(units(summaryRecord(data))).toBe(49_152)
    expect(units(checkpointRecord({ data: data.slice(0, 65_536) }))).toBe(16_384)
    expect(units(checkpointRecord({ data: '\u00010' })), 'what only looks like a place').toBe(0.5)
    expect(read(summaryRecord('\u00010'))).toMatchObject({ units: 1, text: '\u00010' })
    expect(isUsable(undefined)).toBe(false)
  })

  it('of which the data was taken out of the line has its size, and the beginning of a summary', () => {
    const summary = 'All ships are in.'
    const longTexts = {
      ...{ units: () => 500, length: () => 2_000 },
      head: (_index: number, length: number) => summary.slice(0, length),
    }
    const texts = { lengthOf: () => 2_000, whole: () => summary }
    const taken = (record: object) =>
      readCheckpoint({ content: [], providerReplay: record }, texts, { estimate: charsOverFour, longTexts })
    expect(taken(summaryRecord('\u00010'))).toMatchObject({ units: 500, chars: 2_000, text: summary })
    expect(taken(checkpointRecord({ data: '\u00010' }))).toMatchObject({ units: 500, chars: 2_000 })
    expect(taken(summaryRecord('short'))).toMatchObject({ units: 2, text: 'short' })
  })

  it('with a complete window covers all, and its messages count', () => {
    const found = read(retainedRecord(['x'.repeat(8), 'x'.repeat(4)], {}))
    expect(found).toMatchObject({
      ...{ kind: 'window', covers: 3, windowMessages: 2, units: 3 + 2 + 1 },
      ...{ rest: {}, restImages: 0, restCalls: 0 },
    })
    const { output } = retainedRecord(['x']).compactedWindow as { output: string }
    const [, item] = JSON.parse(output)
    const picture = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AA' }
    const pictured = JSON.stringify([{ type: 'message', role: 'user', content: [picture] }, item])
    const withImage = read(retainedRecord(['x'], { compactedWindow: { state: 'ready', output: pictured } }))
    expect(withImage).toMatchObject({ kind: 'window', windowMessages: 1, units: 3 + IMAGE_UNITS })
  })

  it('with a window beside its index is a window if that can be read, and stale if not', () => {
    const { compactedWindow } = retainedRecord(['x'.repeat(4)])
    expect(read(checkpointRecord({ compactedWindow }))).toMatchObject({ kind: 'window', covers: 0, units: 4 })
    expect(read(checkpointRecord({ compactedWindow: {} }))).toMatchObject({ kind: 'stale', units: 3 })
    // Only the Responses API has windows.
    expect(read(summaryRecord('abcd', { compactedWindow }))).toMatchObject({ kind: 'prefix', units: 1 })
  })

  it('a complete window has no index', () => {
    expect(read(retainedRecord(['x'], { compactedWindow: undefined }))?.kind).toBe('stale')
    expect(read(retainedRecord(['x'], { replayIndex: 0 }))).toMatchObject({
      kind: 'broken',
      family: 'openai',
    })
  })

  it.each<[string, unknown, unknown, string | null, RegExp]>([
    ['no object', 'x', CONTENT, null, /not an object/],
    ['an unknown type', checkpointRecord({ type: 'x' }), CONTENT, null, /type is not known/],
    ['another version', checkpointRecord({ v: '1' }), CONTENT, 'openai', /version/],
    [
      'no provider',
      checkpointRecord({ provider: undefined }),
      CONTENT,
      'openai',
      /provider, api, model or hashes/,
    ],
    ['no API', checkpointRecord({ api: 1 }), CONTENT, 'openai', /hashes/],
    ['no model', checkpointRecord({ model: null }), CONTENT, 'openai', /hashes/],
    ['no address', checkpointRecord({ baseUrlHash: undefined }), CONTENT, 'openai', /hashes/],
    ['a session that is no text', checkpointRecord({ sessionHash: 5 }), CONTENT, 'openai', /hashes/],
    ['a login that is no text', checkpointRecord({ authProfileHash: null }), CONTENT, 'openai', /hashes/],
    ['a name of 513 characters', checkpointRecord({ model: 'x'.repeat(513) }), CONTENT, 'openai', /hashes/],
    ['a name that was taken out', checkpointRecord({ model: '\u00010' }), CONTENT, 'openai', /hashes/],
    ['no data', summaryRecord(''), CONTENT, 'anthropic', /data/],
    ['data that is no text', checkpointRecord({ data: {} }), CONTENT, 'openai', /data/],
    ['an id that is no text', checkpointRecord({ id: 5 }), CONTENT, 'openai', /id is no text/],
    [
      'encrypted content that is no text',
      summaryRecord('x', { encryptedContent: 5 }),
      CONTENT,
      'anthropic',
      /encryptedContent/,
    ],
    ['a message of plain text', checkpointRecord(), 'words', null, /plain text/],
    ['a refusal with other data', suppressionRecord({ data: 'x' }), CONTENT, null, /"rejected"/],
    ['a refusal without a way', suppressionRecord({ model: 5 }), CONTENT, null, /hashes/],
  ])('cannot be read with %s', (_name, record, content, family, problem) => {
    expect(read(record, content)).toEqual({ kind: 'broken', family, problem: expect.stringMatching(problem) })
    expect(checkpointProblem({ content, providerReplay: record })).toMatch(problem)
  })

  it('is read with names of 512 characters, an id that the provider of summaries does not know, and no encrypted content', () => {
    expect(read(checkpointRecord({ model: 'x'.repeat(512) }))?.kind).toBe('prefix')
    expect(read(summaryRecord('x', { id: 5, encryptedContent: null }))?.kind).toBe('prefix')
    expect(read(summaryRecord('x', { encryptedContent: 'x' }))?.kind).toBe('prefix')
    expect(read(checkpointRecord({ id: undefined, encryptedContent: 5 }))?.kind).toBe('prefix')
  })

  it('may be the refusal of one, which is no compaction', () => {
    const refusal = read(suppressionRecord())
    expect(refusal).toEqual({ kind: 'suppression', family: 'openai', route: OPENAI_ROUTE })
    expect(read(suppressionRecord({ type: 'anthropic-compaction-suppression' }))).toMatchObject({
      ...{ kind: 'suppression', family: 'anthropic' },
    })
    const records = [checkpointRecord(), suppressionRecord(), checkpointRecord({ v: 2 }), { type: 'x' }, 'x']
    expect(records.map((providerReplay) => hasCheckpoint({ providerReplay }))).toEqual([
      ...[true, false, true, false, false],
    ])
    expect(
      [undefined, ...records].map((record) => isProviderCompaction({ checkpoint: read(record) })),
    ).toEqual([false, true, false, true, true, true])
    expect(records.map((record) => isUsable(read(record)))).toEqual([true, false, false, false, false])
    expect(isUsable(read(checkpointRecord({ compactedWindow: {} })))).toBe(true)
  })

  it('is none where there is none, and nothing is wrong with that', () => {
    expect(read(undefined)).toBeUndefined()
    expect(checkpointProblem({ content: 'x' })).toBeUndefined()
    for (const providerReplay of [checkpointRecord(), suppressionRecord(), retainedRecord(['x'])])
      expect(checkpointProblem({ content: [], providerReplay })).toBeUndefined()
    expect([{}, { providerReplay: null }].map(hasCheckpoint)).toEqual([false, false])
  })

  it('has no sizes where the content is not looked at', () => {
    const found = readCheckpoint({ content: CONTENT, providerReplay: checkpointRecord() }, TEXTS, null)
    expect(found).toMatchObject({
      kind: 'prefix',
      units: 0,
      chars: 12,
      rest: {},
      restImages: 0,
      restCalls: 0,
    })
    const summary = readCheckpoint({ content: [], providerReplay: summaryRecord('All in.') }, TEXTS, null)
    expect(summary).toMatchObject({ units: 0, text: 'All in.' })
  })
})
