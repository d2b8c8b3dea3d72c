import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { json5Nesting, yamlShape } from './nesting'
import { type ParsedSource, parseSource } from './source-tree'

let parsed = 0

/** Under another name each time, since a text is parsed once for each name. */
function parseAnew(text: string, file: string): ParsedSource {
  return parseSource(text, `${++parsed}-${file}`)
}

const yamlNesting = (text: string) => yamlShape(text).nesting
const nestedLines = (levels: number) =>
  Array.from({ length: levels }, (_, i) => `${' '.repeat(i)}a:`).join('\n')

describe('how deep a configuration is nested', () => {
  it.each<[string, string, number]>([
    ['a scalar', 'word', 0],
    ['keys side by side', 'a: 1\nb: 2\nc: 3\n', 1],
    ['keys inside one another', 'a:\n  b:\n    c: 1\n', 3],
    ['keys that end, and others', 'a:\n  b: 1\nc:\n  d:\n    e: 1\nf: 1\n', 3],
    ['lists on one line', '- - - 1', 3],
    ['a list below its key', 'a:\n- b:\n  - 1\n', 3],
    ['groups', '{a: [1, {b: 2}], c: [3]}', 3],
    ['brackets in texts', 'a: "[[[["\nb: \'{{{\'\nc: x[[[\n# [[[[\n', 1],
    ['comments at the left', 'a:\n  b:\n# c\n    c: 1\n', 3],
    ['blank lines', 'a:\n  b:\n    c: 1\n\n  d: 1\n\ne:\n  f: 1\n', 3],
    ['an anchor before a key', 'a:\n  &x b:\n   c: 1\n', 3],
    ['a blank before a colon', 'a:\n  b :\n   c: 1\n', 3],
    ['a key and its value in a group', '[? a : b]', 1],
    ['a text of lines, and keys behind it', 'a:\n  b: |\n    x\n\n  c:\n    d:\n      e: 1\n', 4],
    ['a text of no lines, and keys behind it', 'a:\n  b: |\n  c:\n    d: 1\n', 3],
    ['a text in quotes on several lines', 'a:\n  b: "x\n  y"\n  c:\n    d: 1\n', 3],
    ['groups of several lines', 'a:\n  b: [\n   {c: 1}\n  ]\n  d: 1\n', 4],
    ['marks of a group with commas between', '[? , ? , ? ]', 1],
    ['groups that a line ends', 'a: [1\nb: [2\nc: [? ? 3\nd: [4\n', 3],
    ['a text of several lines', 'a: |\n  - - -\n  b:\n    c:\nd: 1\n', 1],
  ])('%s', (_name, text, depth) => {
    expect(yamlNesting(text)).toBe(depth)
  })

  it.each<[string, string, number]>([
    ['lists and maps', '{a: [1, {b: 2}], c: [3]}', 3],
    ['lists side by side', '[[1], [2], [3]]', 2],
    ['lists behind a list', '[[1], [[2]]]', 3],
    ['brackets in texts', '{"a": "[[[\\"[[", b: \'{{\\\'{{\'}', 1],
    ['brackets in comments', '// [[[[\n/* {{{{ " */ [1]', 1],
    ['a text that does not end', '["[[[[', 1],
    ['a comment that does not end', '[/* [[[', 1],
  ])('JSON5: %s', (_name, text, depth) => {
    expect(json5Nesting(text)).toBe(depth)
  })

  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'medium' },
      fc.string({ maxLength: 6 }),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), tie('node'), { maxKeys: 3 }),
    ),
  })).node
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

  it('is that of the value, whatever is in it', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('BLOCK' as const, 'FLOW' as const), (value, style) => {
        const text = stringify(value, { collectionStyle: style === 'FLOW' ? 'flow' : 'any', lineWidth: 0 })
        const depth = depthOf(value)
        expect(yamlShape(text).unexpectedAt).toBeNull()
        expect(yamlNesting(text)).toBeGreaterThanOrEqual(Math.ceil(depth / 2))
        expect(yamlNesting(text)).toBeLessThanOrEqual(2 * depth + 1)
        expect(json5Nesting(JSON.stringify(value))).toBe(depth)
      }),
    )
  })

  // Each of these ended the process in a parser, or could: inside a regular expression, where the stack ends.
  it.each<[string, string, string]>([
    ['lists in brackets', 'a.yaml', '['.repeat(15_000)],
    ['maps in braces', 'a.yaml', '{a: '.repeat(9_000)],
    ['lists on one line', 'a.yaml', '- '.repeat(15_000)],
    ['keys that are maps', 'a.yaml', '? '.repeat(15_000)],
    ['keys on one line', 'a.yaml', 'a: '.repeat(15_000)],
    ['marks in a group', 'a.yaml', `[${'? '.repeat(15_000)}`],
    ['lines that go in', 'a.yaml', nestedLines(1_300)],
    ['lines that go in, with comments between', 'a.yaml', nestedLines(1_300).replaceAll('\n', '\n#\n')],
    ['arrays', 'a.json', '['.repeat(15_000)],
    ['objects', 'a.json5', '{a:'.repeat(9_000)],
    ['brackets behind closing ones in texts', 'a.yaml', '[ "]", '.repeat(6_000)],
    ['the same as JSON5', 'a.json', '[ "]", '.repeat(6_000)],
  ])('%s without end are refused before they are parsed', (_name, file, text) => {
    const { root, problems } = parseAnew(text, file)
    expect(root).toBeNull()
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(/deep inside one another|more keys and items/)
  })
})

describe('a text that ends in the middle', () => {
  it.each(['"\\', "'ab\\", '{"a": "b\\', "'", '"a', '/* a', '{a: 1} // \\'])(
    '%j is read or refused',
    (text) => {
      const { root, problems } = parseAnew(text, 'openclaw.json')
      expect(root === null).toBe(problems.length > 0)
    },
  )
})

describe('a text that is no configuration', () => {
  it.each<[string, string, number]>([
    ['a bracket that nothing opened', 'a: 1\nb: }\n', 2],
    ['brackets that close', '}'.repeat(1_000_000), 1],
    ['lists that close', '] '.repeat(500_000), 1],
    ['texts in quotes', '"" '.repeat(300_000), 1],
    ['texts in other quotes', "a: 1\n'' ".repeat(1) + "'' ".repeat(300_000), 2],
    ['tags', '!a '.repeat(300_000), 1],
    ['aliases', '*a '.repeat(300_000), 1],
    ['anchors', '&a '.repeat(300_000), 1],
    ['brackets that open and close otherwise', '[} '.repeat(5_000), 1],
  ])('%s: refused with its line, before the parser takes its time', (_name, text, line) => {
    const { root, problems } = parseAnew(text, 'context-config.yaml')
    expect(root).toBeNull()
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ line, severity: 'error' })
  })

  it('is found where more texts follow one another than three for each mark, and five hundred', () => {
    const texts = (count: number) => yamlShape(`- - ${'"" '.repeat(count)}`)
    expect(texts(506)).toEqual({ nesting: 2, unexpectedAt: null })
    expect(texts(507)).toEqual({ nesting: 2, unexpectedAt: 4 + 506 * 3 })
  })

  it.each([
    ['a: [1]\nb: ]\n', 2, 10],
    ['a: [1\nb: ]\n', 2, 9],
    ['a: [{b: 1]\n', 3, 9],
    ['a: {b: [1}\n', 3, 9],
  ])('is found in %j at the bracket that closes what is not open', (text, nesting, unexpectedAt) => {
    expect(yamlShape(text)).toEqual({ nesting, unexpectedAt })
  })

  it.each([
    'a: &a !!str "x"\nb: *a\n',
    'a: |\n  some } text ] with * and & and ! in it\n',
    'a: some } text\n# } ] }\n',
    'a: [1, 2]\nb: {c: [d]}\n',
  ])('%j is one', (text) => {
    expect(yamlShape(text).unexpectedAt).toBeNull()
  })
})
