import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { lineAndColumn, nodeAt, parseSource, plainValue } from './source-tree'

const TEXT = `# Codex
model = "gpt-5.5"
model_auto_compact_token_limit = 24_000 # tokens

[model_providers.fake]
name = "Fake"

[[skills]]
model = "not this one"
`

describe('a configuration in TOML', () => {
  it('is read with the places of its keys', () => {
    const source = parseSource(TEXT, '/c/config.toml')
    expect(source.problems).toEqual([])
    const limit = nodeAt(source.root, ['model_auto_compact_token_limit'])
    expect(limit && plainValue(limit)).toBe(24_000)
    expect(lineAndColumn(TEXT, limit?.start ?? 0)).toEqual({ line: 3, column: 34 })
    const name = nodeAt(source.root, ['model_providers', 'fake', 'name'])
    expect([name && plainValue(name), lineAndColumn(TEXT, name?.start ?? 0).line]).toEqual(['Fake', 6])
    expect(lineAndColumn(TEXT, nodeAt(source.root, ['model'])?.start ?? 0).line).toBe(2)
  })

  it('says where it cannot be read', () => {
    const source = parseSource('model = "a"\nmodel_context_window = \n', '/c/config.toml')
    expect(source.root).toBeNull()
    expect(source.problems).toMatchObject([{ severity: 'error', file: '/c/config.toml', line: 2, key: '' }])
  })

  it.each([
    ['brackets without end', `a=${'['.repeat(20_000)}`],
    ['lists inside lists', `a=${'['.repeat(9_000)}${']'.repeat(9_000)}`],
    ['a key of thousands of keys', `[${Array(9_000).fill('a').join('.')}]\nb=1`],
    ['names that every object has', '__proto__.x = 1\n[constructor]\ntoString = 2'],
  ])('%s: read or refused, never an error', (_, text) => {
    const { root, problems } = parseSource(text, '/c/config.toml')
    expect(root !== null || problems.length === 1).toBe(true)
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        parseSource(text, '/c/config.toml')
      }),
    )
  })
})
