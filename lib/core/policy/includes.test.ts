import { describe, expect, it } from 'vitest'
import type { RefusedInclude } from './includes'
import { readPolicy } from './read-policy'
import { valueAt } from './resolve'
import { parseSource } from './source-tree'

/** Reads a file that may include others, which lie at these names. */
function read(text: string, files: { readonly [name: string]: string | RefusedInclude } = {}) {
  const asked: string[] = []
  const file = readPolicy(parseSource(text, 'openclaw.json'), (path, from) => {
    asked.push(`${from} → ${path}`)
    const found = files[path]
    return found === undefined ? null : typeof found === 'string' ? parseSource(found, path) : found
  })
  return { ...file, asked, problems: file.problems.map(({ file, key, message }) => [file, key, message]) }
}

const CAP = 'window.cap'

describe('V5 a configuration of several files', () => {
  it('what is included comes in order, later ones over earlier ones, the file itself over all', () => {
    const { patch, problems, asked } = read(
      '{ agents: { defaults: { contextTokens: 3, $include: ["a.json", "b.json"] } } }',
      {
        'a.json': '{ contextTokens: 1, bootstrapMaxChars: 10 }',
        'b.json': '{ contextTokens: 2, bootstrapMaxChars: 20, bootstrapTotalMaxChars: 30 }',
      },
    )
    expect(problems).toEqual([])
    expect(asked).toEqual(['openclaw.json → a.json', 'openclaw.json → b.json'])
    expect(patch).toEqual({ window: { cap: 3 }, bootstrap: { maxCharsPerFile: 20, maxCharsTotal: 30 } })
  })

  it('what is included below a key that the operator chose belongs to that key', () => {
    const { patch, problems, places } = read(
      '{ channels: { telegram: { $include: "t.json" }, signal: { dms: { $include: "u.json" } } } }',
      {
        't.json': '{ dmHistoryLimit: 7, dms: { "42": { historyLimit: 2 } } }',
        'u.json': '{ "43": { historyLimit: 3 } }',
      },
    )
    expect(problems).toEqual([])
    expect(patch.history?.channels).toEqual({
      telegram: { dmTurns: 7, users: { '42': 2 } },
      signal: { users: { '43': 3 } },
    })
    expect(places['history.channels.signal.users.43']?.key).toBe('channels.signal.dms.43.historyLimit')
  })

  it('an included file may include others, from its own place', () => {
    const { patch, asked, places } = read('{ agents: { $include: "a.json" } }', {
      'a.json': '{ defaults: { $include: "sub/b.json" } }',
      'sub/b.json': '{\n contextTokens: 7 }',
    })
    expect(asked).toEqual(['openclaw.json → a.json', 'a.json → sub/b.json'])
    expect(valueAt(patch, CAP)).toBe(7)
    expect(places[CAP]).toEqual({ key: 'agents.defaults.contextTokens', line: 2, file: 'sub/b.json' })
  })

  it('what cannot be included is named with its key, and the rest is read', () => {
    const { patch, problems } = read('{ agents: { defaults: { $include: "gone.json", contextTokens: 3 } } }')
    expect(problems).toEqual([
      ['openclaw.json', 'agents.defaults.$include', expect.stringContaining('"gone.json"')],
    ])
    expect(valueAt(patch, CAP)).toBe(3)
  })

  it('what may not be included is named with the reason', () => {
    const { problems } = read('{ $include: "a.json" }', { 'a.json': { refused: 'it lies elsewhere' } })
    expect(problems).toEqual([['openclaw.json', '$include', 'cannot include "a.json": it lies elsewhere']])
  })

  it('without anything to read others with, none is included', () => {
    const { problems } = readPolicy(parseSource('{ $include: "a.json" }', 'openclaw.json'))
    expect(problems).toMatchObject([{ key: '$include', message: 'cannot include "a.json"' }])
  })

  it.each([
    [
      'at a part that is ours to know',
      '{ agents: { defaults: { compaction: { $include: "a.json" } } } }',
      '{ mode: "default", colour: 1, memoryFlush: { softThresholdTokens: 5, tone: 2 } }',
      ['colour', 'memoryFlush.tone'],
    ],
    [
      'within such a part',
      '{ agents: { defaults: { compaction: { memoryFlush: { $include: "a.json" } } } } }',
      '{ softThresholdTokens: 5, tone: 2 }',
      ['memoryFlush.tone'],
    ],
    [
      'above such a part',
      '{ agents: { $include: "a.json" } }',
      '{ defaults: { compaction: { mode: "default", colour: 1, memoryFlush: {} }, other: 1 }, other: 1 }',
      ['colour', 'memoryFlush'],
    ],
    [
      'elsewhere',
      '{ channels: { telegram: { $include: "a.json" } } }',
      '{ dmHistoryLimit: 7, colour: 1 }',
      [],
    ],
  ])('keys that nobody knows are named where a file is included %s', (_name, text, included, unknown) => {
    const message = 'unknown setting, passed over'
    expect(read(text, { 'a.json': included }).problems).toEqual(
      unknown.map((key) => ['a.json', `agents.defaults.compaction.${key}`, message]),
    )
  })

  it('a value where a group belongs says nothing', () => {
    const { patch, problems } = read('{ agents: { defaults: { compaction: 5, contextTokens: 3 } } }')
    expect([patch, problems]).toEqual([{ window: { cap: 3 } }, []])
  })

  it('a ring is named in the file that closes it; the same file twice is none', () => {
    const ring = read('{ $include: "a.json" }', { 'a.json': '{ agents: { $include: "a.json" } }' })
    expect(ring.problems).toEqual([['a.json', 'agents.$include', expect.stringContaining('includes itself')]])
    const twice = read('{ a: { $include: "a.json" }, b: { $include: "a.json" } }', { 'a.json': '{}' })
    expect(twice.problems).toEqual([])
  })

  it('the faults of an included file count, and an empty one says nothing', () => {
    const broken = read('{ $include: "a.json", agents: { defaults: { contextTokens: 3 } } }', {
      'a.json': '{ x: }',
    })
    expect(broken.problems).toEqual([['a.json', '', expect.any(String)]])
    expect(valueAt(broken.patch, CAP)).toBe(3)
    const empty = read('{ $include: ["", 5, "a.json"], agents: { defaults: { contextTokens: 3 } } }', {
      '': '{ agents: { defaults: { contextTokens: 4 } } }',
      'a.json': '',
    })
    expect(empty.asked).toEqual(['openclaw.json → ', 'openclaw.json → a.json'])
    expect(empty.problems).toEqual([])
  })

  it('no more than thirty-two files are read', () => {
    const names = Array.from({ length: 34 }, (_, i) => `f${i}.json`)
    const { problems } = read(
      JSON.stringify({ $include: names }),
      Object.fromEntries(names.map((name) => [name, '{}'])),
    )
    expect(problems).toEqual(Array(2).fill(['openclaw.json', '$include', 'too many included files']))
  })
})
