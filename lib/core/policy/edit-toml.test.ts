import { describe, expect, it } from 'vitest'
import { editSource } from './edit-source'
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

  it('refuses what it cannot set alone', () => {
    expect(() =>
      editSource(parseSource(FILE, 'config.toml'), [{ path: ['model_providers', 'fake'], value: 1 }]),
    ).toThrow(/by hand/)
    expect(() => set('a = [1,\n 2]\n', 'a', 1)).toThrow(/by hand/)
  })
})
