import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { parseToml } from './parse-toml'
import type { SourceNode, TextRange } from './source-node'
import { lineAndColumn, nodeAt, type ParsedSource, parseSource, plainValue } from './source-tree'

const TEXT = `# Codex
model = "gpt-5.5"
model_auto_compact_token_limit = 24_000 # tokens

[model_providers.fake]
name = "Fake"

[[skills]]
model = "not this one"
`

let parsed = 0

/** Under another name each time, since a text is parsed once for each name. */
function parseAnew(text: string): ParsedSource {
  return parseSource(text, `/c/${++parsed}.toml`)
}

/** Each part of a tree: its path, and the text of its key and of its value. */
function placed(node: SourceNode, text: string, path = '', keyRange: TextRange = node): string[] {
  const textOf = ({ start, end }: TextRange) => `<${text.slice(start, end)}>`
  if (node.kind === 'scalar') return [`${path}${textOf(keyRange)}: ${node.value}${textOf(node)}`]
  const parts =
    node.kind === 'map'
      ? node.entries
      : node.items.map((value, i) => ({ key: `${i}`, value, keyRange: value }))
  const here = `${path}${textOf(keyRange)}: ${node.flow ? 'flow' : 'block'} ${node.kind}${textOf(node)}`
  return [here, ...parts.flatMap((part) => placed(part.value, text, `${path}/${part.key}`, part.keyRange))]
}

describe('a configuration in TOML', () => {
  it('is read with the places of its keys', () => {
    const source = parseAnew(TEXT)
    expect(source.problems).toEqual([])
    const limit = nodeAt(source.root, ['model_auto_compact_token_limit'])
    expect(limit && plainValue(limit)).toBe(24_000)
    expect(lineAndColumn(TEXT, limit?.start ?? 0)).toEqual({ line: 3, column: 34 })
    const name = nodeAt(source.root, ['model_providers', 'fake', 'name'])
    expect([name && plainValue(name), lineAndColumn(TEXT, name?.start ?? 0).line]).toEqual(['Fake', 6])
    expect(lineAndColumn(TEXT, nodeAt(source.root, ['model'])?.start ?? 0).line).toBe(2)
  })

  it('has a place for each key that is on a line below a plain table, and none for others', () => {
    const text = `a=1 \r
 b\t = "x" # y
m = """
a = 3
"""
 [t.u]
c.d = 'v'
l = [ 1, { a = 2 } ]
	 [[t.w]]
c = 4
["t.x"]
c = 5
[t.y]
b = 6`
    const { root } = parseAnew(text)
    expect(root && placed(root, text)).toEqual([
      '<>: block map<>',
      ...['/a<a>: 1<1>', '/b<b>: x<"x" # y>', '/m<m>: a = 3\n<""">'],
      ...['/t<>: block map<>', '/t/u<>: block map<>', '/t/u/c<>: block map<>', "/t/u/c/d<c.d>: v<'v'>"],
      ...['/t/u/l<l>: flow list<[ 1, { a = 2 } ]>', '/t/u/l/0<>: 1<>', '/t/u/l/1<>: block map<>'],
      ...['/t/u/l/1/a<>: 2<>', '/t/w<>: flow list<>', '/t/w/0<>: block map<>', '/t/w/0/c<>: 4<>'],
      ...['/t/y<>: block map<>', '/t/y/b<b>: 6<6>', '/t.x<>: block map<>', '/t.x/c<>: 5<>'],
    ])
  })

  it('has dates as texts', () => {
    const { root } = parseAnew('day = 2026-03-01\n')
    expect(root && plainValue(root)).toEqual({ day: '2026-03-01' })
  })

  it('says where it cannot be read', () => {
    const source = parseAnew('model = "a"\nmodel_context_window = \n')
    expect(source).toMatchObject({ file: `/c/${parsed}.toml`, syntax: 'toml', root: null })
    expect(parseToml(source.text)).toEqual({ ok: false, message: 'invalid value', line: 2, column: 24 })
    expect(source.problems).toEqual([
      {
        ...{ severity: 'error', file: source.file, line: 2, column: 24, key: '' },
        message: 'invalid value',
      },
    ])
  })

  it.each(['', ' \n'])('%j says nothing', (text) => {
    const source = parseAnew(text)
    expect(source).toEqual({ file: source.file, text, syntax: 'toml', root: null, problems: [] })
  })

  it.each([
    ['brackets without end', `a=${'['.repeat(20_000)}`],
    ['lists inside lists', `a=${'['.repeat(9_000)}${']'.repeat(9_000)}`],
    ['a key of thousands of keys', `[${Array(9_000).fill('a').join('.')}]\nb=1`],
    ['names that every object has', '__proto__.x = 1\n[constructor]\ntoString = 2'],
  ])('%s: read or refused, never an error', (_, text) => {
    const { root, problems } = parseAnew(text)
    expect(root !== null || problems.length === 1).toBe(true)
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        parseAnew(text)
      }),
    )
  })
})
