import { describe, expect, it } from 'vitest'
import { YAML_BOMBS } from '../../testing/hostile/bombs'
import type { SourceNode } from './source-node'
import {
  limitProblems,
  lineAndColumn,
  nodeAt,
  type ParsedSource,
  parseSource,
  plainValue,
  type SyntaxProblem,
  syntaxOf,
} from './source-tree'

/** A tree in short, each part with its text: `{key: value}`, `[item]`; `~` before what is written in brackets. */
function short(node: SourceNode, text: string): string {
  const { start, end } = node
  if (node.kind === 'scalar') return `${String(node.value)}<${text.slice(start, end)}>`
  const flow = node.flow ? '~' : ''
  if (node.kind === 'list') return `${flow}[${node.items.map((item) => short(item, text)).join(', ')}]`
  const entries = node.entries.map(
    ({ key, keyRange, value }) =>
      `${key}<${text.slice(keyRange.start, keyRange.end)}>: ${short(value, text)}`,
  )
  return `${flow}{${entries.join(', ')}}`
}

let parsed = 0

/** Under another name each time, since a text is parsed once for each name. */
function parseAnew(text: string, file: string): ParsedSource {
  return parseSource(text, `${++parsed}-${file}`)
}

const tree = (text: string, file: string) => {
  const { root, problems, syntax, file: name } = parseAnew(text, file)
  expect(name).toBe(`${parsed}-${file}`)
  expect(new Set(problems.map((problem) => problem.file))).toEqual(new Set(problems.length > 0 ? [name] : []))
  return [
    syntax,
    root === null ? null : short(root, text),
    problems.map(({ severity, line, column, key }) => `${severity} ${line}:${column} ${key}`),
  ]
}

describe('V5: configuration files with the place of every part', () => {
  it.each([
    ['a.json', 'json5'],
    ['a.JSON5', 'json5'],
    ['a.yaml', 'yaml'],
    ['a.json.bak', 'yaml'],
    ['ajson', 'yaml'],
    ['a.TOML', 'toml'],
    ['a.toml.bak', 'yaml'],
    ['atoml', 'yaml'],
  ])('%s is read as %s', (file, syntax) => {
    expect(syntaxOf(file)).toBe(syntax)
  })

  it('YAML: maps, lists, plain values, aliases of plain values', () => {
    expect(tree('a: 1\nb:\n  - x\n  - { c: "d" }\ne: [1, 2]\n', 'x.yaml')).toEqual([
      ...['yaml', '{a<a>: 1<1>, b<b>: [x<x>, ~{c<c>: d<"d">}], e<e>: ~[1<1>, 2<2>]}', []],
    ])
    expect(tree('a: &one 5\nb: *one\n', 'x.yaml')).toEqual(['yaml', '{a<a>: 5<5>, b<b>: 5<*one>}', []])
    expect(tree('a:\n1: x\n', 'x.yaml')).toEqual(['yaml', '{a<a>: null<>, 1<1>: x<x>}', []])
    expect(tree('', 'x.yaml')).toEqual(['yaml', null, []])
  })

  it('YAML: keys without a value, and keys that are no plain text', () => {
    expect(tree('{ a, b: 1 }\n', 'x.yaml')[1]).toBe('~{a<a>: null<>, b<b>: 1<1>}')
    const { root } = parseAnew('{ a, b: 1 }\n', 'x.yaml')
    expect(nodeAt(root, ['a'])).toEqual({ kind: 'scalar', value: null, start: 4, end: 4 })
    expect(tree('? a\n', 'x.yaml')[1]).toBe('{a<a>: null<>}')
    expect(tree('"q": 1\n? [x]\n: 2\n', 'x.yaml')[1]).toBe('{q<"q">: 1<1>, ["x"]<[x]>: 2<2>}')
  })

  it('YAML: what is wrong, and where', () => {
    expect(tree('a: &m { b: 1 }\nc: *m\n', 'x.yaml')[2]).toEqual(['error 2:4 '])
    expect(tree('a: 1\nb: 2\na: 3\n', 'x.yaml')[2]).toEqual(['error 3:1 '])
    expect(parseAnew('a: 1\na: 3\n', 'x.yaml').problems[0]?.message).toMatch(/second time/)
    const { problems, root } = parseAnew('a: [1\nb: 2\n', 'x.yaml')
    expect(new Set(problems.map(({ key }) => key))).toEqual(new Set(['']))
    expect(root).not.toBeNull()
    for (const { message } of problems) expect(message).not.toMatch(/\n|at line \d/)
    expect(tree('a: 1\nb: !unknown x\n', 'x.yaml')[2]).toEqual(['warning 2:4 '])
  })

  it('JSON5: all kinds of values', () => {
    expect(
      tree('{a: 1, "b": [true, null, -Infinity, +Infinity, NaN, \'x\'], c: {d: .5}}', 'x.json5'),
    ).toEqual([
      'json5',
      '~{a<a>: 1<1>, b<"b">: ~[true<true>, null<null>, -Infinity<-Infinity>, Infinity<+Infinity>, NaN<NaN>, x<\'x\'>], c<c>: ~{d<d>: 0.5<.5>}}',
      [],
    ])
    expect(tree(' \n', 'x.json')).toEqual(['json5', null, []])
  })

  it('JSON5: what is wrong, and where', () => {
    expect(tree('{\n  a: 1,\n  a: 2 }', 'x.json')[2]).toEqual(['error 3:3 a'])
    expect(tree('{\n  a: 1,\n  b: }\n', 'x.json').slice(1)).toEqual([null, ['error 3:6 ']])
    expect(tree('{ a: 1 } // \\', 'x.json').slice(1)).toEqual(['~{a<a>: 1<1>}', []])
    // A text that ends too early is wrong at its end, not at its beginning.
    expect(tree('{\n  a: 1\n\n\n', 'x.json').slice(1)).toEqual([null, ['error 2:7 ']])
    for (const before of ['', `${'\n'.repeat(11)}           `]) {
      const { problems } = parseAnew(`${before}{ a: ]`, 'x.json')
      expect(problems[0]?.message).toBe('Unexpected token RBracket found.')
    }
    expect(parseAnew('{ a: "b\\', 'x.json').problems).toMatchObject([
      { line: 1, column: 9, key: '', message: 'Unexpected end of input found.' },
    ])
  })

  it('places count from 1; paths lead to nodes; values are plain', () => {
    expect([0, 2, 3, 5].map((offset) => lineAndColumn('ab\ncd\n', offset))).toEqual([
      ...[
        { line: 1, column: 1 },
        { line: 1, column: 3 },
        { line: 2, column: 1 },
        { line: 2, column: 3 },
      ],
    ])
    expect(lineAndColumn('\nab', 2)).toEqual({ line: 2, column: 2 })
    const { root } = parseAnew('a:\n  b: [1, { c: 2 }]\n  __proto__: 3\n', 'x.yaml')
    const at = (...path: string[]) => {
      const node = nodeAt(root, path)
      return node === null ? null : plainValue(node)
    }
    expect(at('a', 'b')).toEqual([1, { c: 2 }])
    expect(at('a', '__proto__')).toBe(3)
    expect(Object.keys(at('a') as object)).toEqual(['b', '__proto__'])
    expect([at('x'), at('a', 'b', 'c'), at('a', 'x', 'y'), nodeAt(null, ['a'])]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(nodeAt(root, [])).toBe(root)
    expect([at('a', 'b', '1', 'c'), at('a', 'b', '0', '0'), at('a', 'b', '2')]).toEqual([2, null, null])
    expect([at('a', 'b', 'x1'), at('a', 'b', '1.0'), at('a', 'b', '+1')]).toEqual([null, null, null])
    const long = parseAnew('[1,2,3,4,5,6,7,8,9,10,11]', 'x.json')
    expect(nodeAt(long.root, ['10'])).toMatchObject({ value: 11 })
  })
})

describe('a configuration that is made to hold its reader up', () => {
  it.each(Object.keys(YAML_BOMBS))('%s: read or refused, with a few problems', (name) => {
    const { problems } = parseAnew(YAML_BOMBS[name]?.() ?? '', 'context-config.yaml')
    expect(problems.length).toBeLessThanOrEqual(202)
    for (const { message } of problems) expect(message.length).toBeLessThan(300)
  })

  it.each(['[', '{"a":'])('JSON with %s forty thousand deep is refused', (open) => {
    const { root, problems } = parseAnew(open.repeat(12_000), 'openclaw.json')
    expect(root).toBeNull()
    expect(problems).toHaveLength(1)
  })

  it.each<[string, string, (depth: number) => string]>([
    ['lists of JSON', 'a.json', (n) => '['.repeat(n) + ']'.repeat(n)],
    ['groups of JSON', 'a.json', (n) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`],
    ['lists of YAML', 'a.yaml', (n) => '['.repeat(n) + ']'.repeat(n)],
    ['groups of YAML', 'a.yaml', (n) => `${'{a: '.repeat(n)}1${'}'.repeat(n)}`],
  ])('%s are read a hundred deep and no deeper', (_name, file, nested) => {
    expect(parseAnew(nested(100), file)).toMatchObject({ problems: [], root: { start: 0 } })
    expect(parseSource(nested(101), file)).toEqual({
      ...{ file, text: nested(101), syntax: syntaxOf(file), root: null },
      problems: [
        {
          severity: 'error',
          file,
          line: 1,
          column: 1,
          key: '',
          message: expect.stringContaining('100 deep'),
        },
      ],
    })
  })

  it('a file is read up to a million characters and twenty thousand marks', () => {
    const root = (text: string) => parseAnew(text, 'a.yaml').root
    const filler = (chars: number) => `a: ${'x'.repeat(chars - 4)}\n`
    expect(root(filler(1024 * 1024))).not.toBeNull()
    expect(root(filler(1024 * 1024 + 1))).toBeNull()
    // The comma of JSON is a mark, and so are its brackets.
    const list = (items: number) => parseAnew(`[${'1,'.repeat(items)}1]`, 'a.json').root
    expect(list(19_999)).not.toBeNull()
    expect(list(20_000)).toBeNull()
  })

  it('a hundred faults are listed, and how many more there are', () => {
    const twice = (count: number) => parseAnew(`{${'a: 1, '.repeat(count + 1)}}`, 'a.json').problems
    expect(twice(100)).toHaveLength(100)
    expect(twice(103)).toHaveLength(101)
    expect(twice(103).at(-1)).toMatchObject({
      key: '',
      severity: 'error',
      message: expect.stringMatching(/^3 more/),
    })
  })

  it('few problems stay in their order; of many, errors come first and are counted apart from warnings', () => {
    const problems = (count: number, severity: SyntaxProblem['severity']): SyntaxProblem[] =>
      Array.from({ length: count }, (_, i) => ({
        ...{ severity, file: 'a.yaml', line: i + 1, column: 1, key: 'k', message: 'm' },
      }))
    const few = [...problems(50, 'warning'), ...problems(50, 'error')]
    expect(limitProblems(few)).toBe(few)
    expect(limitProblems([...problems(100, 'warning'), ...problems(1, 'error')])).toEqual([
      ...problems(1, 'error'),
      ...problems(100, 'warning'),
    ])
    expect(limitProblems([...problems(101, 'warning'), ...problems(1, 'error')]).slice(-2)).toEqual([
      problems(100, 'warning')[99],
      {
        ...{ severity: 'warning', file: 'a.yaml', line: 1, column: 1, key: '' },
        message: '1 more warnings are not listed',
      },
    ])
  })

  it('brackets of TOML are counted by its parser alone, since they may be in comments', () => {
    expect(parseAnew(`a = 1 # ${'['.repeat(300)}\n`, 'a.toml').problems).toEqual([])
  })

  it('a file of a few thousand keys, some twice, is read with all of them', () => {
    const text = Array.from({ length: 3000 }, (_, i) => `key${i}: ${i}`).join('\n')
    const { root, problems } = parseAnew(`${text}\nkey7: again\n`, 'plimsoll.yaml')
    expect(root?.kind === 'map' && root.entries.length).toBe(3001)
    expect(problems).toEqual([
      expect.objectContaining({ line: 3001, column: 1, message: expect.stringContaining('second time') }),
    ])
  })

  it('a hundred aliases are read, further ones named once', () => {
    const list = (count: number) => parseAnew(`a: &a 5\nb: [${'*a, '.repeat(count)}]\n`, 'a.yaml')
    expect(list(100).problems).toEqual([])
    expect(plainValue(nodeAt(list(100).root, ['b']) as SourceNode)).toEqual(Array(100).fill(5))
    expect(list(103).problems.map(({ message }) => message)).toEqual([expect.stringContaining('at most 100')])
    // The hundredth is of a map, and so are those behind it.
    const maps = parseAnew(`a: &a 5\nm: &m { x: 1 }\nb: [${'*a, '.repeat(99)}*m, *m, *m]\n`, 'a.yaml')
    expect(maps.problems.map(({ column, message }) => [column, message])).toEqual([
      [401, expect.stringContaining('alias of a map')],
      [405, expect.stringContaining('at most 100')],
    ])
  })
})

describe('texts that were parsed before', () => {
  it('are parsed once, by text and file', () => {
    const first = parseSource('a: 1\n', 'one.yaml')
    expect(parseSource('a: 1\n', 'one.yaml')).toBe(first)
    expect(parseSource('a: 1\n', 'two.yaml').file).toBe('two.yaml')
    expect(parseSource('a: 2\n', 'one.yaml').root).not.toEqual(first.root)
  })

  it('make room for others', () => {
    const first = parseSource('a: 1\n', 'first.yaml')
    for (let i = 0; i < 10; i++) parseSource(`# ${'x'.repeat(1_000_000)}${i}\n`, 'long.toml')
    const again = parseSource('a: 1\n', 'first.yaml')
    expect(again).not.toBe(first)
    expect(again).toEqual(first)
    // What was parsed since is kept again.
    expect(parseSource('a: 1\n', 'first.yaml')).toBe(again)
  })

  it('are not kept where they are too long to be parsed', () => {
    const text = 'x'.repeat(1024 * 1024 + 1)
    expect(parseSource(text, 'long.yaml')).not.toBe(parseSource(text, 'long.yaml'))
  })
})
