import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { type SpanClass, scanSpans, spansOf } from './spans'

const found = (text: string) => spansOf(text).map(({ kind, text: span }) => [kind, span])

test.each<[string, SpanClass, string]>([
  ['see src/tui/footer.ts:12:4.', 'path', 'src/tui/footer.ts'],
  ['(see `~/.pi/agent/models.json`)', 'path', '~/.pi/agent/models.json'],
  ['open https://example.com/a?b=1, then', 'url', 'https://example.com/a?b=1'],
  ['id 3f2504e0-4f89-11d3-9a0c-0305e82c3301!', 'uuid', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
  ['commit 9eddb8d1 fixed it', 'hex', '9eddb8d1'],
  ['listens on localhost:4747', 'host', 'localhost:4747'],
  ['write to ada@example.org', 'email', 'ada@example.org'],
  ['a TypeError was thrown', 'error', 'TypeError'],
  ['error TS2353 again', 'error', 'TS2353'],
  ['call getMarkdownTheme() now', 'identifier', 'getMarkdownTheme()'],
  ['the MAX_RETRY_COUNT constant', 'identifier', 'MAX_RETRY_COUNT'],
  ['run copy-theme-assets first', 'identifier', 'copy-theme-assets'],
  ['took 1234567 rows', 'number', '1234567'],
  ['on port 8080 only', 'number', 'port 8080'],
  ['it says "cannot open (code 7)" here', 'quoted', 'cannot open (code 7)'],
])('X7: %j holds a span', (text, kind, span) => {
  expect(found(text)).toContainEqual([kind, span])
})

test.each([
  'and/or 1/2 this',
  'a plain sentence of words',
  "it's what we don't do",
  '12:30 on 3/4',
  '//////// ......./ )]====/',
])('X7: %j holds none', (text) => {
  expect(found(text)).toEqual([])
})

test('X7: every span is in its text, a short number with the word before it', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => {
      for (const { kind, text: span } of spansOf(text)) {
        const parts = kind === 'number' ? span.split(' ') : [span]
        expect(parts.every((part) => text.includes(part))).toBe(true)
      }
    }),
  )
})

test('X7: however much plain text is between spans, the same ones are found', () => {
  const piece = fc.constantFrom(
    'src/tui/footer.ts',
    'port 8080',
    'getMarkdownTheme()',
    'Word',
    '語',
    `${'x'.repeat(400)}_1`,
  )
  const plain = fc
    .array(fc.constantFrom('the', 'quay', 'is wet,', 'and', '(so)', '\n\n', '!'), {
      minLength: 1,
      maxLength: 40,
    })
    .map((words) => words.join(' '))
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, plain), { maxLength: 6 }), (parts) => {
      const near = parts.map(([one]) => one).join(' so ')
      expect(found(parts.map(([one, between]) => `${one} ${between} `).join(''))).toEqual(found(near))
    }),
  )
  for (let words = 1; words < 60; words++)
    expect(found(`${'quay '.repeat(words)}8080`)).toEqual([['number', 'quay 8080']])
})

test.each(['a_'.repeat(150), 'a-'.repeat(150), './'.repeat(150), '('.repeat(300), '"'.repeat(300)])(
  'hostile words of %j do not slow the scan down',
  (word) => {
    // Some milliseconds; a pattern that backtracks would take minutes, and a test has seconds. Repeating adds no span.
    expect(spansOf(`${word}! `.repeat(600))).toEqual(spansOf(`${word}! `.repeat(3)))
  },
)

const QUOTED_80 = `a b${'!'.repeat(77)}`
test.each<[string, readonly (readonly [SpanClass, string])[]]>([
  // Punctuation of the sentence is left out, brackets that belong to a name stay.
  [
    '(src/a.ts), [src/b.ts]: #src/c.ts? =src/d.ts.',
    ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'].map((p) => ['path', p] as const),
  ],
  ['call(loadDock()) runDock()', [['identifier', 'runDock()']]],
  ['(loadDock())', [['identifier', 'loadDock()']]],
  ['[app/[id]/page.tsx]', [['path', 'app/[id]/page.tsx']]],
  ['as app/[dock]/[id].', [['path', 'app/[dock]/[id]']]],
  ['see lib/core/tokens/ and lib/core/', [['path', 'lib/core/tokens']]],
  // Numbers: six digits by themselves, four or five with the word before them, decimals of three places.
  ['12345 123456', [['number', '123456']]],
  [
    'port 4747 PORT 12345 year: 2026',
    [
      ['number', 'port 4747'],
      ['number', 'PORT 12345'],
      ['number', 'year 2026'],
    ],
  ],
  ['port 474 port 474747', [['number', '474747']]],
  ['- 4747', []],
  [
    '1.23 1.234 -0.5678',
    [
      ['number', '1.234'],
      ['number', '-0.5678'],
    ],
  ],
  [`${'w'.repeat(31)} 4747`, [['number', `${'w'.repeat(31)} 4747`]]],
  [`${'w'.repeat(32)} 4747`, []],
  // Names: camelCase from six letters on, with or without signs.
  ['aB abcDe abcDef', [['identifier', 'abcDef']]],
  ['a_b snake_name my_x', [['identifier', 'snake_name']]],
  [
    'a.b dotted.name Outer::inner',
    [
      ['identifier', 'dotted.name'],
      ['identifier', 'Outer::inner'],
    ],
  ],
  ['two-words three-words-here', [['identifier', 'three-words-here']]],
  ['9ab_cdef', []],
  // Hex from seven characters on, with letters and digits.
  [
    'abc123 abcd123 0xdeadbeef1',
    [
      ['hex', 'abcd123'],
      ['hex', '0xdeadbeef1'],
    ],
  ],
  ['abcdefab', []],
  // Errors by name.
  [
    'ENOENT ENOSPC EOF RangeError MyException TS100',
    ['ENOENT', 'ENOSPC', 'RangeError', 'MyException'].map((e) => ['error', e] as const),
  ],
  // Addresses.
  [
    'http:// ftp://x a@b a@b.c h:80 h.org:80 localhost:1 localhost:80',
    [
      ['url', 'ftp://x'],
      ['email', 'a@b.c'],
      ['host', 'h.org:80'],
      ['host', 'localhost:80'],
    ],
  ],
  // Paths: a known ending, or slashes that are no "and/or".
  [
    'a.ts c/d.e and/or a/b/cd a/b/c ~/bin ~/bins ./x ./longer',
    ['a.ts', 'a/b/cd', '~/bins', './longer'].map((p) => ['path', p] as const),
  ],
  [
    'src/tui/footer.ts:12 C:\\dock\\a.ts',
    [
      ['path', 'src/tui/footer.ts'],
      ['path', 'C:\\dock\\a.ts'],
    ],
  ],
  // Quoted literals of 8 to 80 characters on one line, with a blank, that are more than prose.
  ['"a b: 4567"', [['quoted', 'a b: 4567']]],
  ['`a b: 456`', [['quoted', 'a b: 456']]],
  ["'a b: 4567'", [['quoted', 'a b: 4567']]],
  [',a b: 4567,', []],
  // Of the same text as two kinds, the kind that begins first.
  ['"port 8080"', [['quoted', 'port 8080']]],
  ["'a b: 45'", []],
  ['"ab:456789"', []],
  ['"only plain prose here"', []],
  ['"a b:\n45678"', []],
  ["it's 1 x: 2 o'clock", []],
  [`"${QUOTED_80}"`, []],
  [`"${QUOTED_80.slice(0, -1)}:"`, [['quoted', `${QUOTED_80.slice(0, -1)}:`]]],
  [`"${QUOTED_80}:"`, []],
  // Signs end a word, also those of other scripts.
  [
    'src/a.ts|src/b.ts\u3000src/c.ts\u2028src/d.ts\u00a0src/e.ts',
    ['a', 'b', 'c', 'd', 'e'].map((n) => ['path', `src/${n}.ts`] as const),
  ],
  ['größerName', []],
])('X7: the spans of %j are these and no others', (text, spans) => {
  expect(found(text)).toEqual(spans)
})

test('X7: words up to 300 characters are names; of texts above 200,000 both ends are looked at', () => {
  const path = (length: number) => `src/${'x'.repeat(length - 7)}.ts`
  expect(found(path(300))).toEqual([['path', path(300)]])
  expect(found(path(301))).toEqual([])
  const gap = ' '.repeat(99_990)
  expect(found(`src/a.ts${gap} src/b.ts${gap} src/c.ts`).map(([, text]) => text)).toEqual([
    'src/a.ts',
    'src/c.ts',
  ])
  const exact = `src/a.ts${' '.repeat(199_984)}src/c.ts`
  expect(exact).toHaveLength(200_000)
  expect(found(exact)).toHaveLength(2)
  expect(found(`${' '.repeat(99_996)}src/b.ts${' '.repeat(99_996)}`)).toEqual([['path', 'src/b.ts']])
})

test('X7: a scan visits a span as often as it comes, a list names it once', () => {
  let visits = 0
  scanSpans('src/a.ts src/a.ts', () => {
    visits += 1
  })
  expect([visits, spansOf('src/a.ts src/a.ts').length]).toEqual([2, 1])
})

test.each<[string, boolean]>([
  // Before the quotation mark: a letter or a digit makes it an apostrophe, any other sign does not.
  ...['0', '9', 'A', 'Z', 'a', 'z'].map((sign): [string, boolean] => [sign, false]),
  ...['/', ':', '@', '[', '(', '{', '-', ' ', 'é'].map((sign): [string, boolean] => [sign, true]),
])('X7: behind %j a literal begins: %s', (sign, begins) => {
  const quoted = found(`${sign}"a b: 4567"`).filter(([kind]) => kind === 'quoted')
  expect(quoted).toEqual(begins ? [['quoted', 'a b: 4567']] : [])
})

test.each<[string, boolean]>([
  ...['\u00a0', '\u2000', '\u2028', '\u206f', '\u3000', '|', '*', '!', '^', '&', '\t', ','].map(
    (sign): [string, boolean] => [sign, true],
  ),
  ...['\u009f', '\u00a1', '\u1fff', '\u2070', '\u2fff', '\u3001', '~', '#'].map((sign): [string, boolean] => [
    sign,
    false,
  ]),
])('X7: the sign %j parts two paths: %s', (sign, parts) => {
  const both = [
    ['path', 'src/a.ts'],
    ['path', 'src/b.ts'],
  ]
  expect(found(`src/a.ts${sign}src/b.ts`)).toEqual(parts ? both : [])
})

test.each<[string, readonly string[]]>([
  // A short number carries the word before it, if that is one of two letters and more.
  ['8080', []],
  ['on 8080', ['on 8080']],
  ['a 8080', []],
  ['On, 8080', ['On 8080']],
  ['port 8080 9090', ['port 8080']],
  ['port = 8080', []],
  ['port - 8080', []],
  ['port: 8080', ['port 8080']],
  ['the (Port) 8080', ['Port 8080']],
  [`${'x'.repeat(301)} 8080`, []],
  [`port ${'X'.repeat(301)} 8080`, []],
  ['left right 8080', ['right 8080']],
  ['Left right 8080', ['right 8080']],
  ['left Right 8080', ['Right 8080']],
])('X7: the short numbers of %j are %j', (text, numbers) => {
  expect(found(text).flatMap(([kind, span]) => (kind === 'number' ? span : []))).toEqual(numbers)
})

test.each<[string, SpanClass | null]>([
  ['a.c', 'path'],
  ['.c', null],
  ['a_b_c', null],
  ['a_b_cd', 'identifier'],
  ['abcDe', null],
  ['abcDef', 'identifier'],
  ['abcd12', null],
  ['abcd123', 'hex'],
  ['99999', null],
  ['999999', 'number'],
  ['[id]', null],
  ['app/[id]', null],
  ['src/app/[id]', 'path'],
  ['call(x)', null],
  ['runDock())', 'identifier'],
  ['./abc', null],
  ['./abcd', 'path'],
  ['ab/cd/ef', 'path'],
  ['abcd/ef', null],
  ['abc-d/ef', 'path'],
  ['notes#a.ts', null],
])('X7: %j is a span of the class %s', (word, kind) => {
  expect(found(word).map(([known]) => known)).toEqual(kind === null ? [] : [kind])
})

test('X7: words with signs or capitals that are no span are given as well, where they are asked for', () => {
  const others: string[] = []
  scanSpans(
    `Call load(x) of src/a.ts, port 8080, "plain" (Word). é \u0080 () ${'X'.repeat(301)} 12 end`,
    () => undefined,
    (word) => others.push(word),
  )
  expect(others).toEqual(['Call', 'load(x)', 'Word', 'é', '\u0080', '12'])
  scanSpans(
    'quay '.repeat(60),
    () => undefined,
    (word) => others.push(word),
  )
  expect(others).toHaveLength(6)
})

test('X7: of a long text both ends are given to both', () => {
  const others: string[] = []
  const spans: string[] = []
  scanSpans(
    `Alpha src/a.ts ${' '.repeat(150_000)}Beta src/b.ts ${' '.repeat(150_000)}Omega src/c.ts`,
    ({ text }) => spans.push(text),
    (word) => others.push(word),
  )
  expect([others, spans]).toEqual([
    ['Alpha', 'Omega'],
    ['src/a.ts', 'src/c.ts'],
  ])
})
