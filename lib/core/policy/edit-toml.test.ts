import { describe, expect, it } from 'vitest'
import { editSource } from './edit-source'
import { setInToml } from './edit-toml'
import { parseSource } from './source-tree'

const set = (text: string, key: string, value: unknown) =>
  editSource(parseSource(text, 'config.toml'), [{ path: [key], value }])

const FILE = `# mine
model = "gpt-5.5"   # the good one
model_auto_compact_token_limit = 24_000 # early

# who serves it
[model_providers.fake]
name = "Fake" # [not a table]
`

describe('values in TOML', () => {
  it('changes a value in its line and nothing else', () => {
    expect(set(FILE, 'model_auto_compact_token_limit', 30_000)).toBe(FILE.replace('24_000', '30000'))
    expect(set(FILE, 'model', 'other')).toBe(FILE.replace('"gpt-5.5"', '"other"'))
    expect(set(FILE, 'model_auto_compact_token_limit', 24_000)).toBe(FILE)
  })

  it('adds a value before the first table and its comment', () => {
    expect(set(FILE, 'model_context_window', 128_000)).toBe(
      FILE.replace('# early\n', '# early\nmodel_context_window = 128000\n'),
    )
    expect(set('', 'a', 1)).toBe('a = 1\n')
    expect(set('b = 2', 'a', 1)).toBe('b = 2\na = 1\n')
    expect(set('[t]\r\nx = 1\r\n', 'a', 1)).toBe('a = 1\r\n[t]\r\nx = 1\r\n')
  })

  it('is not misled by brackets inside a text or a list', () => {
    const text = `p = """\n[no table]\n"""\nl = [\n  [1],\n]\n`
    const after = set(text, 'a', 1)
    expect(after).toBe(`a = 1\n${text}`)
  })

  it.each([
    ['a text with an escaped quote', String.raw`"x \" # y" # c`, '1 # c'],
    ['a text in single quotes', "'x # y' # c", '1 # c'],
    ['a negative number', '-5 # c', '1 # c'],
    ['a number with an exponent', '1.5e+3# c', '1# c'],
    ['a switch', 'true', '1'],
    ['a date', '2024-01-01', '1'],
  ])('replaces %s up to its end', (_name, before, after) => {
    expect(set(`b = 2\na = ${before}\nc = 3\n`, 'a', 1)).toBe(`b = 2\na = ${after}\nc = 3\n`)
  })

  it.each([
    ['above a blank line', 'b = 2\n', '\n[t]\n', '\n'],
    ['above blank lines with blanks in them', 'b = 2\n', ' \t\n\n[t]\n', '\n'],
    ['above blank lines of Windows', 'b = 2\r\n', '\r\n\r\n[t]\r\n', '\r\n'],
    ['above indented tables and their comments', 'b = 2\n', ' \t# mine\n\t # yours\n \t[t]\n', '\n'],
    ['below a comment that shares its line', 'b = 2 # here\n', '[t]\n', '\n'],
    ['below a list', 'b = [1]\n', '[t]\n', '\n'],
    ['above the comment at the top', '', '# mine\n[t]\n', '\n'],
    ['below a text whose last line looks like a comment', 'p = """\n# x"""\n', '[t]\n', '\n'],
  ])('a new value comes %s', (_name, before, behind, newline) => {
    expect(set(before + behind, 'a', 'x')).toBe(`${before}a = "x"${newline}${behind}`)
  })

  it('a number beyond JSON stays, and can be set', () => {
    const most = 9_223_372_036_854_775_807n
    expect(set(`b = ${most}\n`, 'a', 1)).toBe(`b = ${most}\na = 1\n`)
    expect(set('a = 1\n', 'a', most)).toBe(`a = ${most}\n`)
  })

  it.each<[string, string, readonly string[]]>([
    ['a table', FILE, ['model_providers', 'fake']],
    ['a value in a table, though it is the same', FILE, ['model_providers', 'fake', 'name']],
    ['no key', FILE, []],
    ['a key that begins with a blank', FILE, [' a']],
    ['a key that ends with a dot', FILE, ['a.']],
    ['a list of several lines', 'a = [1,\n 2]\n', ['a']],
    ['a value in groups on one line', 'a = { b = 1 }\n', ['a']],
    ['a key in quotes', '"a" = 2\n', ['a']],
    ['a key that is in a text as well', 'p = """\na = 1\n"""\na = 2\n', ['a']],
  ])('refuses %s', (_name, text, path) => {
    const source = parseSource(text, 'config.toml')
    expect(source.problems).toEqual([])
    const refused = `config.toml: ${path.join('.')} cannot be set without rewriting the file by hand`
    expect(() => setInToml(source, { path, value: 'Fake' })).toThrow(refused)
  })
})
