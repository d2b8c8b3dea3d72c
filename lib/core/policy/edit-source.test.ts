import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPERATORS_YAML as YAML } from '../../testing/builders/policy-source'
import { editSource } from './edit-source'
import { holdingKeys, planEdits } from './policy-edits'
import { readPolicy } from './read-policy'
import { valueAt } from './resolve'
import { parseSource } from './source-tree'

const edit = (text: string, file: string, path: string, value: unknown) =>
  editSource(parseSource(text, file), [{ path: path.split('.'), value }])

const JSON5 = `{
  // the operator's notes
  agents: {
    defaults: {
      compaction: { mode: 'safeguard', reserveTokens: 16384, },
    },
  },
  "gateway": {"port": 1}
}
`

const LONG = 'w '.repeat(60).trim()

describe('X8 writing a file back', () => {
  it('changes a value where it is and nothing else', () => {
    expect(edit(YAML, 'a.yaml', 'policy.lines.compact.at', 0.6)).toBe(YAML.replace('at: 0.5', 'at: 0.6'))
    expect(edit(YAML, 'a.yaml', 'policy.lines.slide.at', 0.75)).toBe(YAML.replace('0.7   #', '0.75   #'))
    expect(edit(JSON5, 'a.json', 'agents.defaults.compaction.mode', 'default')).toBe(
      JSON5.replace('safeguard', 'default'),
    )
    expect(edit(JSON5, 'a.json', 'gateway.port', 2)).toBe(JSON5.replace('"port": 1', '"port": 2'))
  })

  it('adds keys to block maps, flow maps and objects, with their neighbours’ indent and quotes', () => {
    expect(edit(YAML, 'a.yaml', 'policy.history.recentTurns', 3)).toBe(
      YAML.replace('maxTurns: 12\n', 'maxTurns: 12\n    recentTurns: 3\n'),
    )
    expect(edit(YAML, 'a.yaml', 'policy.lines.compact.note', 'x')).toBe(
      YAML.replace('at: 0.5 }', 'at: 0.5, note: x }'),
    )
    expect(edit(JSON5, 'a.json', 'agents.defaults.contextTokens', 5)).toBe(
      JSON5.replace('16384, },', '16384, },\n      contextTokens: 5,'),
    )
  })

  it('makes groups that are missing, in an empty file too', () => {
    expect(edit('', 'a.yaml', 'policy.lines.compact.at', 0.5)).toBe(
      'policy:\n  lines:\n    compact:\n      at: 0.5\n',
    )
    for (const end of ['', '\n']) {
      expect(edit(`# only a comment${end}`, 'a.yaml', 'policy.x', 1)).toBe(
        '# only a comment\npolicy:\n  x: 1\n',
      )
      expect(edit(`// only a comment${end}`, 'a.json', 'x', 1)).toBe('// only a comment\n{ "x": 1 }\n')
    }
    expect(edit('a:\n  b: 1\nc: 2', 'a.yaml', 'a.d', 3)).toBe('a:\n  b: 1\n  d: 3\nc: 2')
    expect(edit('{}', 'a.json', 'a.b', 1)).toBe('{ "a": { "b": 1 } }')
    expect(edit('', 'a.json', 'a', true)).toBe('{ "a": true }\n')
  })

  it('writes lists and texts that need quotes', () => {
    expect(edit('a: [1, 2]\n', 'a.yaml', 'a', [0.25, 0.5])).toBe('a: [0.25, 0.5]\n')
    expect(edit('a:\n  - 1\n  - 2\nb: 1\n', 'a.yaml', 'c', 3)).toBe('a:\n  - 1\n  - 2\nb: 1\nc: 3\n')
    expect(parseBack(edit('a: x\n', 'a.yaml', 'a', 'yes: no # "q"'))).toBe('yes: no # "q"')
    expect(edit("a: 'x'\n", 'a.yaml', 'a', 'y')).toBe("a: 'y'\n")
    expect(edit('a:\n', 'a.yaml', 'a', 1)).toBe('a: 1\n')
  })

  it.each<[string, string, string, unknown, string]>([
    ['a text in JSON gets quotes', '{}', 'a.json', 'x', '{ "a": "x" }'],
    ['a group in JSON is written as JSON', '{}', 'a.json', { b: [1, 'x'] }, '{ "a": {"b":[1,"x"]} }'],
    ['a number takes no quotes over', "a: 'x'\n", 'a.yaml', 5, 'a: 5\n'],
    ['a switch takes no quotes over', 'a: "x"\n', 'a.yaml', true, 'a: true\n'],
    ['a list takes no quotes over', "{ a: 'x' }", 'a.json', ['y', 'z'], '{ a: ["y","z"] }'],
    ['a text like a number keeps its quotes', "a: 'x'\n", 'a.yaml', '-1', "a: '-1'\n"],
    ['a text in other quotes takes those that it had', "a: 'x'\n", 'a.yaml', '12', "a: '12'\n"],
    ['nothing takes no quotes over', "{ a: 'x' }", 'a.json', null, '{ a: null }'],
    ['a text keeps its double quotes', 'a: "x"\n', 'a.yaml', 'y', 'a: "y"\n'],
    ['a text keeps its single quotes in JSON', "{ a: 'x' }", 'a.json', 'y', "{ a: 'y' }"],
    ['a text with a quote in it does not', "{ a: 'x' }", 'a.json', "it's", '{ a: "it\'s" }'],
    ['a text that ends with quotes does not', "a: 'x'\n", 'a.yaml', 'say "x"', 'a: say "x"\n'],
    ['a number without end is written as YAML has it', 'a: 1\n', 'a.yaml', Infinity, 'a: .inf\n'],
    ['an empty value is filled on its line', 'b: 1\na:\nc: 2\n', 'a.yaml', 1, 'b: 1\na: 1\nc: 2\n'],
    ['a text of lines becomes one', 'a: |\n  x\n  y\n\nb: 1\n', 'a.yaml', 'z', 'a: z\n\nb: 1\n'],
    ['a text of two lines is written on one', 'a: x\n', 'a.yaml', 'y\nz', 'a: "y\\nz"\n'],
    ['so are those of a list', 'a: []\n', 'a.yaml', ['y\nz', 'w'], 'a: ["y\\nz", w]\n'],
    ['a text that reads as a number gets quotes', 'a: 1\n', 'a.yaml', '12', 'a: "12"\n'],
    ['a text of a list that needs quotes gets them', 'a: []\n', 'a.yaml', ['*x', 'y'], 'a: ["*x", y]\n'],
    ['a long text stays on its line', 'a: x\n', 'a.yaml', LONG, `a: ${LONG}\n`],
    ['an empty value behind a comment is filled before it', 'a: # none\n', 'a.yaml', 1, 'a: 1 # none\n'],
  ])('%s', (_name, text, file, value, expected) => {
    expect(edit(text, file, 'a', value)).toBe(expected)
  })

  it.each<[string, string, string, string, string]>([
    ['behind a last line without an end', 'a: 1', 'a.yaml', 'b', 'a: 1\nb: 2\n'],
    [
      'behind blank lines and comments of the group before',
      'a:\n  x: 1\n\n# b\nc: 3\n',
      'a.yaml',
      'a.b',
      'a:\n  x: 1\n  b: 2\n\n# b\nc: 3\n',
    ],
    [
      'behind a list',
      'a:\n  x:\n    - 1\n    - 2\n',
      'a.yaml',
      'a.b',
      'a:\n  x:\n    - 1\n    - 2\n  b: 2\n',
    ],
    [
      'behind a list of three',
      'a:\n  x:\n    - 1\n    - 2\n    - 3\n',
      'a.yaml',
      'a.b',
      'a:\n  x:\n    - 1\n    - 2\n    - 3\n  b: 2\n',
    ],
    [
      'behind groups inside one another',
      'a:\n  x:\n    y: 1\n    z: 1\n    u:\n      v: 1\n\nc: 3\n',
      'a.yaml',
      'a.b',
      'a:\n  x:\n    y: 1\n    z: 1\n    u:\n      v: 1\n  b: 2\n\nc: 3\n',
    ],
    [
      'behind a text of lines',
      'a:\n  x: |\n    y\nc: 3\n',
      'a.yaml',
      'a.b',
      'a:\n  x: |\n    y\n  b: 2\nc: 3\n',
    ],
    ['behind a text of lines at the end', 'a: >\n  y\n', 'a.yaml', 'b', 'a: >\n  y\nb: 2\n'],
    [
      'behind braces of several lines',
      'a:\n  x: {\n    y: 1 }\nc: 3\n',
      'a.yaml',
      'a.b',
      'a:\n  x: {\n    y: 1 }\n  b: 2\nc: 3\n',
    ],
    ['on one line though it is long', 'a: 1\n', 'a.yaml', LONG, `a: 1\n${LONG}: 2\n`],
    ['behind a value that is empty', 'a:\n  x:\n', 'a.yaml', 'a.b', 'a:\n  x:\n  b: 2\n'],
    [
      'behind a value that is empty, and before what comes then',
      'a:\n  z: 1\n  y: 1\n  x:\n\n# c\nc: 3\n',
      'a.yaml',
      'a.b',
      'a:\n  z: 1\n  y: 1\n  x:\n  b: 2\n\n# c\nc: 3\n',
    ],
    [
      'behind an item that is empty, and before what comes then',
      'a:\n  x:\n    - 1\n    - 2\n    -\n\n# c\nc: 3\n',
      'a.yaml',
      'a.b',
      'a:\n  x:\n    - 1\n    - 2\n    -\n  b: 2\n\n# c\nc: 3\n',
    ],
    [
      'behind braces, on a line of the same indent',
      '{\n\t"x": 1\n}',
      'a.json',
      'b',
      '{\n\t"x": 1,\n\t"b": 2\n}',
    ],
    ['on the line of the others', '{ "x": 1 }', 'a.json', 'b', '{ "x": 1, "b": 2 }'],
    ['bare beside bare keys', '{ x: 1 }', 'a.json', 'b', '{ x: 1, b: 2 }'],
    ['in quotes where it cannot be bare', '{ x: 1 }', 'a.json', 'b-c', '{ x: 1, "b-c": 2 }'],
    ['in quotes beside single quotes', "{ 'x': 1 }", 'a.json', 'b', '{ \'x\': 1, "b": 2 }'],
    ['into braces of YAML', 'a: {}\n', 'a.yaml', 'a.b', 'a: { b: 2 }\n'],
    [
      'in braces of YAML, with groups that are missing',
      'a: { x: 1 }\n',
      'a.yaml',
      'a.c.b',
      'a: { x: 1, c: { b: 2 } }\n',
    ],
    ['with quotes where YAML would read something else', 'a: 1\n', 'a.yaml', 'true', 'a: 1\n"true": 2\n'],
  ])('a new key comes %s', (_name, text, file, path, expected) => {
    expect(edit(text, file, path, 2)).toBe(expected)
  })

  it('a new key may hold a list', () => {
    expect(edit('a: 1\n', 'a.yaml', 'b', [1, 'x'])).toBe('a: 1\nb: [1, x]\n')
  })

  it('what cannot be written is refused, with the key', () => {
    expect(() => edit('{ a: { b: 1 } }', 'x.json', 'a.b', Number.NaN)).toThrow(/x\.json: a\.b cannot be set/)
    expect(() => edit('{ a: ]', 'x.json', 'a', 1)).toThrow(/x\.json: a cannot be set/)
    expect(() => edit('{ a: 1 }', 'x.json', 'a', Number.NaN)).toThrow(/x\.json: a cannot be set/)
    expect(() => edit('- 1\n', 'x.yaml', 'a', 1)).toThrow(/x\.yaml: a runs through a value/)
  })

  it('is byte-identical without a change', () => {
    for (const [text, file] of [
      [YAML, 'a.yaml'],
      [YAML.replaceAll('\n', '\r\n'), 'a.yaml'],
      [JSON5, 'a.json5'],
    ] as const) {
      expect(editSource(parseSource(text, file), [])).toBe(text)
      const file0 = readPolicy(parseSource(text, file))
      const same = Object.fromEntries(
        Object.keys(file0.places).map((path) => [path, valueAt(file0.patch, path)]),
      )
      expect(editSource(parseSource(text, file), planEdits(file0, same).edits)).toBe(text)
    }
  })

  it('says so when a path runs through a value', () => {
    expect(() => edit('a: 1\n', 'a.yaml', 'a.b', 2)).toThrow(/a\.b runs through a value/)
  })

  it('every edit can be read back, and leaves all other lines alone', () => {
    const paths = [
      'policy.lines.compact.at',
      'policy.lines.slide.at',
      'policy.history.maxTurns',
      'policy.lines.curate.at',
      'policy.new.deep.key',
      'top',
    ]
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...paths), fc.double({ min: 0, max: 1, noNaN: true })), {
          maxLength: 6,
        }),
        (edits) => {
          const text = editSource(
            parseSource(YAML, 'a.yaml'),
            edits.map(([path, value]) => ({ path: path.split('.'), value })),
          )
          for (const comment of [
            '# our settings',
            '# why: the harbour is small',
            '# half',
            '# late',
            'other: "kept"',
          ]) {
            expect(text).toContain(comment)
          }
        },
      ),
    )
  })
})

describe('X8 policy values into the file they are kept in', () => {
  it('each format keeps a value under its own key and in its own unit', () => {
    const change = (text: string, file: string, path: string, value: unknown) => {
      const source = parseSource(text, file)
      const plan = planEdits(readPolicy(source), { [path]: value })
      expect(plan.unsupported).toEqual([])
      return editSource(source, plan.edits)
    }
    expect(change('relevance_cutoff: 0.3\n', 'c.yaml', 'relevance.cutoff', 0.2)).toBe(
      'relevance_cutoff: 0.2\n',
    )
    expect(change('RELEVANCE_CUTOFF: 0.3\n', 'c.yaml', 'lines.compact.at', 0.6)).toBe(
      'RELEVANCE_CUTOFF: 0.3\nCOMPACTION_TRIGGER_PCT: 0.6\n',
    )
    expect(change(JSON5, 'a.json', 'compaction.timeoutMs', 120_000)).toContain('timeoutSeconds: 120')
    expect(change('policy: {}\n', 'p.yaml', 'lines.compact.at', 0.6)).toContain('0.6')
  })

  it('V6 keys that the operator chose are kept where the format has them', () => {
    const file = readPolicy(
      parseSource('{ "channels": { "telegram": { "dmHistoryLimit": 3 } } }', 'openclaw.json'),
    )
    const plan = planEdits(file, {
      'history.channels.telegram.dmTurns': 7,
      'history.channels.signal.groupTurns': 5,
      'history.channels.telegram.users.42': 2,
    })
    expect(plan).toEqual({
      edits: [
        { path: ['channels', 'telegram', 'dmHistoryLimit'], value: 7 },
        { path: ['channels', 'signal', 'historyLimit'], value: 5 },
        { path: ['channels', 'telegram', 'dms', '42', 'historyLimit'], value: 2 },
      ],
      unsupported: [],
    })
    const deeper = 'history.channels.telegram.dmTurns.more'
    expect(planEdits(file, { [deeper]: 1 }).unsupported).toEqual([deeper])
    expect(holdingKeys(file, deeper)).toBeNull()
  })

  it('takes no value that is none of the policy', () => {
    const own = readPolicy(parseSource('policy: {}\n', 'plimsoll.yaml'))
    for (const path of ['lines.nowhere', 'window.byModel.__proto__', 'lines.constructor'])
      expect(planEdits(own, { [path]: 1 }), path).toEqual({ edits: [], unsupported: [path] })
  })

  it('names what a format has no key for', () => {
    const file = readPolicy(parseSource('RELEVANCE_CUTOFF: 0.3\n', 'c.yaml'))
    expect(planEdits(file, { 'budget.historyRatio': 0.5 }).unsupported).toEqual(['budget.historyRatio'])
  })
})

function parseBack(text: string): unknown {
  const { root } = parseSource(text, 'a.yaml')
  const value = root?.kind === 'map' ? root.entries[0]?.value : null
  return value?.kind === 'scalar' ? value.value : undefined
}
