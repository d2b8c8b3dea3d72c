import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { safeName } from './names'
import { chunkOfNote, contentOfNote, isNoteOf, recoveredText } from './place-back'
import { type ColdRecord, coldLine, lineKeptUntil, readColdLine } from './record'
import { isExpired, planPurge, recoverableUntil } from './retention'
import { KeywordIndex } from './search-index'

const AT = Date.parse('2026-02-02T22:55:00Z')

const RECORD = {
  chunkId: 'abc123',
  sessionId: 'xyz789',
  at: AT,
  content: 'The harbour.\nSecond line.',
  tokens: 1500,
  reason: 'low_relevance',
  score: 0.15,
  prompt: 'journal search',
  until: recoverableUntil(AT, 30),
  place: { entryIds: ['e4', 'e5'], afterEntryId: 'e3' },
} satisfies ColdRecord

describe('records of cold storage', () => {
  test('I2: the nine fields of the plan, in its order, on one line', () => {
    const line = coldLine({ ...RECORD, place: null })
    expect(line).not.toContain('\n')
    expect(Object.entries(JSON.parse(line))).toEqual([
      ['chunk_id', 'abc123'],
      ['session_id', 'xyz789'],
      ['timestamp', '2026-02-02T22:55:00.000Z'],
      ['content', RECORD.content],
      ['tokens', 1500],
      ['drop_reason', 'low_relevance'],
      ['relevance_score', 0.15],
      ['prompt_at_drop', 'journal search'],
      ['recoverable_until', '2026-03-04T22:55:00.000Z'],
    ])
  })

  test('I6: a note tells the chunk that it holds, and its content to the byte, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        fc.string({ unit: anyCharacter }),
        (chunkId, content) => {
          const text = recoveredText({ ...RECORD, chunkId, content })
          expect([chunkOfNote(text), contentOfNote(text)]).toEqual([chunkId, content])
        },
      ),
    )
    expect(chunkOfNote('Hello.')).toBeNull()
    expect(chunkOfNote('<recovered-context chunk="a\u0001">\n.\n\nx\n</recovered-context>')).toBeNull()
  })

  test('I2: what is written is read again, whatever the texts are', () => {
    const text = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
        (chunkId, sessionId, content, score) => {
          const record = { ...RECORD, chunkId, sessionId, content, score: score === null ? null : score + 0 }
          expect(readColdLine(coldLine(record))).toEqual({ ok: true, record, odd: [] })
        },
      ),
    )
  })

  test('what the module itself writes: no reason, local time, and 0 tokens that were not counted', () => {
    const line =
      '{"chunk_id":"drop_1","session_id":"s","content":"text","relevance_score":0.1,"prompt_at_drop":"p","timestamp":"2026-02-02T22:55:00.123456","tokens":0,"recoverable_until":"2026-03-04T22:55:00.123456"}'
    expect(readColdLine(line)).toMatchObject({
      ok: true,
      record: { at: AT + 123, tokens: null, reason: null, score: 0.1, place: null },
    })
  })

  test('camelCase, and the reason under its name in the log', () => {
    const line =
      '{"chunkId":"c","sessionId":"s","content":"text","timestamp":"2026-02-02T22:55:00Z","tokens":3,"reason":"age","recoverableUntil":"2026-03-04T22:55:00Z"}'
    expect(readColdLine(line)).toMatchObject({ ok: true, record: { chunkId: 'c', reason: 'age', tokens: 3 } })
  })

  test.each([
    ['{"chunk_id":"a","sess', 'torn'],
    ['\u0000\u0000\u0000', 'torn'],
    ['{"role":"user","content":"hello"}', 'archive'],
    ['[1]', 'malformed'],
    [
      '{"chunk_id":"a","session_id":"s","content":7,"timestamp":"2026-02-02","recoverable_until":"2026-03-02"}',
      'malformed',
    ],
    ['{"chunk_id":"","session_id":"s","content":"c"}', 'malformed'],
    ['{"chunk_id":"a","content":"c"}', 'malformed'],
  ])('%s is %s', (line, kind) => {
    expect(readColdLine(line)).toMatchObject({ ok: false, kind })
  })
})

describe('a record with odd fields', () => {
  const SOUND = { chunk_id: 'a', session_id: 's', content: 'c' }
  const TIMES = { timestamp: '2026-02-02T22:55:00Z', recoverable_until: '2026-03-04T22:55:00Z' }
  const read = (more: object) => readColdLine(JSON.stringify({ ...SOUND, ...more }))

  test('I10: is usable; what is odd is unknown, and named in words for people', () => {
    expect(read({ ...TIMES, tokens: -5, relevance_score: '0.1', drop_reason: 7 })).toMatchObject({
      ok: true,
      record: { chunkId: 'a', at: AT, content: 'c', tokens: null, score: null, reason: null },
      odd: [
        'tokens is -5 and not a number of at least 0: it counts as unknown',
        'drop_reason is 7 and not a text: it counts as unknown',
        'relevance_score is "0.1" and not a number: it counts as unknown',
      ],
    })
    expect(read({ ...TIMES, entry_ids: [1], prompt_at_drop: ['x'.repeat(99)] })).toMatchObject({
      ok: true,
      record: { place: null, prompt: null },
      odd: [
        'entry_ids is [1] and not a list of texts: it counts as unknown',
        `prompt_at_drop is ["${'x'.repeat(38)}… and not a text: it counts as unknown`,
      ],
    })
  })

  test('I3, I10: one that does not say when it was dropped, or until when it is kept, does not expire', () => {
    const line = read({ timestamp: 'then' })
    expect(line).toMatchObject({
      ok: true,
      record: { at: null, until: null },
      odd: [
        'timestamp is "then" and no time: when it was dropped is unknown',
        'recoverable_until is missing: it does not expire',
      ],
    })
    if (!line.ok) throw new Error(line.why)
    expect(isExpired(line.record, Number.MAX_SAFE_INTEGER)).toBe(false)
    expect(planPurge([line.record], Number.MAX_SAFE_INTEGER).remove).toEqual([])
    const text = recoveredText(line.record)
    expect([chunkOfNote(text), contentOfNote(text), isNoteOf(text, line.record)]).toEqual(['a', 'c', true])
    expect(readColdLine(lineKeptUntil(JSON.stringify(SOUND), AT) ?? '')).toMatchObject({
      record: { until: AT },
    })
    expect(readColdLine(coldLine(line.record))).toMatchObject({ ok: true, record: line.record })
  })

  test('I10: what it cannot do without is reported in the same words', () => {
    const why = (more: object) => {
      const line = read({ ...TIMES, ...more })
      return line.ok ? null : line.why
    }
    expect(why({ content: 7 })).toBe('content is 7, and has to be a text')
    expect(why({ content: undefined })).toBe('content is missing, and has to be a text')
    expect(why({ session_id: '' })).toBe('session_id is "", and has to be a text that is not empty')
  })
})

describe('names of files (I11)', () => {
  test('plain ids stay, others are written out', () => {
    expect(safeName('abc-1.2_3')).toBe('abc-1.2_3')
    expect(safeName('agent:main:main')).toBe('agent%3amain%3amain')
    expect(safeName('../x')).toBe('%2e.%2fx')
    expect(['', '.', '..', '.journal', 'index', 'CON', 'nul.txt'].map(safeName)).toEqual([
      '%',
      '%2e',
      '%2e%2e',
      '%2ejournal',
      '%69ndex',
      '%43ON',
      '%6eul.txt',
    ])
  })

  test('any id: one name that leads nowhere else, another one for another id', () => {
    const id = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 400 }),
      fc.constantFrom('..', '../x', 'a/b', 'a\\b', '\0', '%2e'),
    )
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(safeName(a)).toMatch(/^(?!\.)[A-Za-z0-9._%~-]{1,160}$/)
        if (a !== b) expect(safeName(a)).not.toBe(safeName(b))
      }),
    )
  })
})

describe('retention (I3)', () => {
  test('thirty days are thirty days, not the 28 of the example', () => {
    expect(new Date(RECORD.until).toISOString()).toBe('2026-03-04T22:55:00.000Z')
    expect(isExpired(RECORD, RECORD.until)).toBe(false)
    expect(isExpired(RECORD, RECORD.until + 1)).toBe(true)
  })

  test('a purge takes what has expired and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 })), (offsets) => {
        const chunks = offsets.map((offset) => ({ ...RECORD, until: AT + offset, tokens: 2 }))
        const plan = planPurge(chunks, AT)
        expect(plan.remove).toEqual(chunks.filter(({ until }) => until < AT))
        expect(plan.keep + plan.remove.length).toBe(chunks.length)
        expect(plan.tokens).toBe(plan.remove.length * 2)
      }),
    )
  })
})

describe('search (I4)', () => {
  const index = new KeywordIndex<string>()
  index.add('harbour', 'We talked about topic7, and the HARBOUR of Gênes.')
  index.add('pier', 'The pier (see lib/pier/build.ts) and the harbour: harbour, harbour!')
  index.add('other', 'Nothing of the kind, topic8 only.')
  const keys = (query: string, limit = 9, fits?: (key: string) => boolean) =>
    index.search(query, limit, fits).map(({ key }) => key)

  test('punctuation, case and accents make no difference', () => {
    expect(keys('topic7')).toEqual(['harbour'])
    expect(keys('"Topic7"?')).toEqual(['harbour'])
    expect(keys('genes')).toEqual(['harbour'])
    expect(keys('lib/pier/build.ts')).toEqual(['pier'])
    expect(keys('…!')).toEqual([])
  })

  test('more of a word ranks higher, and the filter comes before the limit', () => {
    expect(keys('harbour')).toEqual(['pier', 'harbour'])
    expect(keys('harbour', 1)).toEqual(['pier'])
    expect(keys('harbour', 1, (key) => key !== 'pier')).toEqual(['harbour'])
  })

  test('of many the best come first, the same few whatever the limit; words that are everywhere only rank', () => {
    const many = new KeywordIndex<number>()
    for (let i = 0; i < 700; i++)
      many.add(i, `the chunk ${i % 7 === 0 ? `rare ${'x '.repeat(i % 11)}` : 'usual'} ${i}`)
    const all = many.search('the rare', 600)
    expect(all).toHaveLength(600)
    expect(all.every(({ key }, i) => i >= 100 || key % 7 === 0)).toBe(true)
    expect(all.every(({ score }, i) => score <= (all[i - 1]?.score ?? score))).toBe(true)
    expect(many.search('the rare', 10)).toEqual(all.slice(0, 10))
    expect(many.search('the rare', 2, (key) => key === 1)).toMatchObject([{ key: 1 }])
    expect(many.search('the', 600)).toHaveLength(600)
    expect(many.search('the', 0)).toEqual([])
  })

  test('I4: inside texts without spaces between words each part is found, be it a single character', () => {
    const some = new KeywordIndex<string>()
    some.add('zh', '我们昨天讨论了港口的起重机，见 lib/harbour/crane.ts。')
    some.add('ja', '港のクレーンは第七埠頭に移された。猫もいる')
    some.add('th', 'เมื่อวานเราคุยเรื่องท่าเรือ')
    some.add('mixed', '型番A9港口版')
    const found = (query: string) =>
      some
        .search(query, 9)
        .map(({ key }) => key)
        .sort()
    expect(found('起重机')).toEqual(['zh'])
    expect(found('クレーン')).toEqual(['ja'])
    expect(found('ท่าเรือ')).toEqual(['th'])
    expect(found('猫')).toEqual(['ja'])
    expect(found('港')).toEqual(['ja', 'mixed', 'zh'])
    expect(found('口')).toEqual(['mixed', 'zh'])
    expect(found('港口 版')).toEqual(['mixed', 'zh'])
    expect(found('A9')).toEqual(['mixed'])
    expect(found('面包')).toEqual([])
  })

  test('what was removed is not found, and counts in no rank', () => {
    const small = new KeywordIndex<string>()
    small.add('a', 'one two')
    small.add('b', 'one three')
    small.remove('a')
    expect(small.search('one two', 9)).toMatchObject([{ key: 'b' }])
    expect(small.size).toBe(1)
  })
})
