import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPERATORS_YAML as YAML } from '../../testing/builders/policy-source'
import { editSource } from './edit-source'
import { removeFromSource } from './remove-from-source'
import { parseSource } from './source-tree'

const remove = (text: string, file: string, path: string) =>
  removeFromSource(parseSource(text, file), path.split('.'))

const JSON5 = `{
  // the operator's notes
  agents: {
    defaults: {
      // room
      contextTokens: 100000, // enough
      // how
      compaction: { mode: 'safeguard', reserveTokens: 16384 },
      bootstrapMaxChars: 12000
    }
  }
}
`

describe('X8 taking a value out of a file', () => {
  it('takes lines of a YAML block, and groups that are left empty', () => {
    expect(remove(YAML, 'a.yaml', 'policy.history.maxTurns')).toBe(
      YAML.replace('  history:\n    maxTurns: 12\n', ''),
    )
    expect(remove(YAML, 'a.yaml', 'policy.lines.slide.at')).toBe(
      YAML.replace("    'slide':\n      at: 0.7   # late\n", ''),
    )
    expect(remove(YAML, 'a.yaml', 'policy.pruning.alwaysKeep')).toBe(
      YAML.replace('  pruning:\n    alwaysKeep:\n      - plan\n      - error\n', ''),
    )
  })

  it('takes members out of braces with their comma', () => {
    expect(remove(YAML, 'a.yaml', 'policy.lines.compact.at')).toBe(YAML.replace(', at: 0.5', ''))
    expect(remove(YAML, 'a.yaml', 'policy.lines.compact.enabled')).toBe(YAML.replace('enabled: true, ', ''))
    expect(remove(JSON5, 'a.json', 'agents.defaults.contextTokens')).toBe(
      JSON5.replace('      contextTokens: 100000, // enough\n', ''),
    )
    expect(remove(JSON5, 'a.json', 'agents.defaults.bootstrapMaxChars')).toBe(
      JSON5.replace('16384 },\n      bootstrapMaxChars: 12000', '16384 }'),
    )
    expect(remove(JSON5, 'a.json', 'agents.defaults.compaction.mode')).toBe(
      JSON5.replace("mode: 'safeguard', ", ''),
    )
  })

  it('leaves an empty map where a file would have nothing left, and nothing alone where nothing is', () => {
    expect(remove('policy:\n  history:\n    maxTurns: 1\n', 'a.yaml', 'policy.history.maxTurns')).toBe('')
    expect(remove('{ "a": { "b": 1 } }', 'a.json', 'a.b')).toBe('{}')
    expect(remove(YAML, 'a.yaml', 'policy.window.cap')).toBe(YAML)
    const lone = 'policy:\n  window:\n    cap: 1\n'
    expect(remove(lone, 'a.yaml', 'policy.window.floor'), 'nor a neighbour of it').toBe(lone)
  })

  it.each<[string, string, string, string, string]>([
    ['a space before the comma', '{ "a": 1 , "b": 2 }', 'x.json', 'a', '{ "b": 2 }'],
    ['more spaces behind it', '{ "a": 1,   "b": 2 }', 'x.json', 'a', '{ "b": 2 }'],
    [
      'a comma that belongs to the group around',
      '{ "a": { "b": 1, "c": 2 }, "d": 3 }',
      'x.json',
      'a.c',
      '{ "a": { "b": 1 }, "d": 3 }',
    ],
    ['a comma at the end', '{ "a": 1, "b": 2, }', 'x.json', 'b', '{ "a": 1, }'],
    [
      'the last line of braces',
      '{\n  "a": 1,\n  // why\n  "b": 2\n}',
      'x.json',
      'b',
      '{\n  "a": 1\n  // why\n}',
    ],
    ['the first of two on a line', '{\n  a: 1, b: 2,\n  c: 3\n}', 'x.json', 'a', '{\n  b: 2,\n  c: 3\n}'],
    [
      'a comment behind it in YAML braces',
      'x: {\n  a: 1, # why\n  b: 2 }\n',
      'x.yaml',
      'x.a',
      'x: {\n  b: 2 }\n',
    ],
    [
      'a group that it leaves empty, in braces',
      '{ "a": { "b": { "c": 1 } }, "d": 3 }',
      'x.json',
      'a.b.c',
      '{ "d": 3 }',
    ],
    ['the second of two on a line', '{\n  a: 1, b: 2,\n  c: 3\n}', 'x.json', 'b', '{\n  a: 1, c: 3\n}'],
    ['a list of several lines', 'a: [1,\n  2]\nb: 1\n', 'x.yaml', 'a', 'b: 1\n'],
    ['a text of lines', 'a:\n  x: |\n    1\n    2\n  y: 1\nb: 1\n', 'x.yaml', 'a.x', 'a:\n  y: 1\nb: 1\n'],
    ['a key without a colon', '? a\n? b\n', 'x.yaml', 'a', '? b\n'],
    ['items of a list, of which it takes none', 'a:\n  - 1\n', 'x.yaml', 'a.0', 'a:\n  - 1\n'],
    ['a last line without an end', 'a: 1\nb: 2', 'x.yaml', 'b', 'a: 1\n'],
    ['a key without a value', 'a:\nb: 2\n', 'x.yaml', 'a', 'b: 2\n'],
    ['a group of lists', 'a:\n  x:\n    - b: 1\n      c: [2]\n  y: 1\n', 'x.yaml', 'a.x', 'a:\n  y: 1\n'],
  ])('leaves the rest alone with %s', (_name, text, file, path, expected) => {
    expect(remove(text, file, path)).toBe(expected)
  })

  it('takes nothing out of a file by an empty path, and refuses what would change another value', () => {
    expect(removeFromSource(parseSource('a: 1\n', 'x.yaml'), [])).toBe('a: 1\n')
    expect(removeFromSource(parseSource('- a\n', 'x.yaml'), [])).toBe('- a\n')
    expect(removeFromSource(parseSource('', 'x.yaml'), ['a'])).toBe('')
    expect(() => remove('a: &one 1\nb: *one\n', 'x.yaml', 'a')).toThrow(/x\.yaml: a cannot be taken out/)
    // Where an anchor of nothing is gone, its alias says nothing either, and is a fault.
    expect(() => remove('a: &one\nb: *one\n', 'x.yaml', 'a')).toThrow(/x\.yaml: a cannot be taken out/)
    const listed = 'l:\n  - x: 1\n    y: 2\n'
    expect(() => remove(listed, 'x.yaml', 'l.0.x')).toThrow(/x\.yaml: l\.0\.x cannot be taken out/)
  })

  it('undoes what an edit has added, whatever the key', () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(keys, fc.constantFrom('x.yaml', 'x.json'), (path, file) => {
        const text =
          file === 'x.yaml' ? 'top: 1\n# note\nlast: { k: 2 }\n' : '{ "top": 1,\n  "last": { "k": 2 } }\n'
        const edited = editSource(parseSource(text, file), [{ path, value: 5 }])
        const back = removeFromSource(parseSource(edited, file), path)
        expect(back).toBe(text)
      }),
    )
  })
})
