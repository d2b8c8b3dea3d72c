import { describe, expect, test } from 'vitest'
import { effectivePolicy, NO_SUBJECT } from './effective'
import { readPolicy } from './read-policy'
import { parseSource } from './source-tree'

/** Keys that every object has without anybody having set them. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

/** Places where a document may have such a key. */
const documents = (key: string): readonly (readonly [file: string, text: string])[] => [
  ['plimsoll.yaml', `policy:\n  ${key}: {historyLimit: 3}\n`],
  ['plimsoll.yaml', `policy:\n  ${key}: 3\n`],
  ['plimsoll.yaml', `policy:\n  lines: {${key}: {at: 0.5}}\n`],
  ['plimsoll.yaml', `policy:\n  lines: {compact: {${key}: 0.5}}\n`],
  ['plimsoll.yaml', `policy:\n  history: {channels: {${key}: {dmTurns: 3, groupTurns: 4, users: {a: 1}}}}\n`],
  ['plimsoll.yaml', `policy:\n  history: {channels: {x: {users: {${key}: 1}, dmTurns: 2}}}\n`],
  ['plimsoll.yaml', `policy:\n  window: {byModel: {${key}: 4096}}\n`],
  ['plimsoll.yaml', `${key}: {polluted: 1}\npolicy: {}\n`],
  ['plimsoll.yaml', `overrides: [{session: x, policy: {${key}: {at: 1}}}]\n`],
  ['plimsoll.yaml', `overrides: [{${key}: x, session: y, policy: {lines: {${key}: 1}}}]\n`],
  [
    'openclaw.json',
    `{"channels":{"${key}":{"historyLimit":3,"dmHistoryLimit":4,"dms":{"u":{"historyLimit":1}}}}}`,
  ],
  ['openclaw.json', `{"agents":{"defaults":{"compaction":{"${key}":{"mode":"x"}}}}}`],
  ['openclaw.json', `{"${key}":{"agents":{"defaults":{}}},"channels":{}}`],
  ['openclaw.json', `{"models":{"providers":{"${key}":{"models":[{"id":"${key}","contextWindow":5}]}}}}`],
  ['context-config.yaml', `${key}: 1\nRELEVANCE_CUTOFF: 0.3\n`],
  ['settings.json', `{"${key}":{"compaction":{"enabled":true}},"compaction":{"${key}":1}}`],
]

describe('keys that every object inherits are keys like any others', () => {
  for (const key of INHERITED)
    test(`${key} at any place: read, resolved, and nothing else has it`, () => {
      const before = Object.getOwnPropertyNames(Object.prototype)
      for (const [name, text] of documents(key)) {
        const file = readPolicy(parseSource(text, name))
        const own = { label: name, file }
        const { policy } = effectivePolicy({ own, store: [{ label: name, file }], chosen: null }, NO_SUBJECT)
        expect(policy.lines, text).toBeDefined()
        expect(Object.getOwnPropertyNames(Object.prototype), text).toEqual(before)
        for (const part of [policy, policy.lines, policy.history.channels, policy.window.byModel, file.patch])
          expect(Object.getPrototypeOf(part), text).toBe(Object.prototype)
      }
    })

  test('an unknown one is reported with its line', () => {
    const { problems } = readPolicy(parseSource('policy:\n  __proto__: {x: 1}\n', 'plimsoll.yaml'))
    expect(problems).toMatchObject([{ severity: 'warning', line: 2, key: 'policy.__proto__' }])
  })

  test('a channel may be called like something that objects have', () => {
    const text = 'policy: {history: {channels: {constructor: {dmTurns: 3}}}}\n'
    const file = readPolicy(parseSource(text, 'plimsoll.yaml'))
    const { policy } = effectivePolicy({ own: { label: 'x', file }, store: [], chosen: null }, NO_SUBJECT)
    expect(file.problems).toEqual([])
    expect(Object.hasOwn(policy.history.channels, 'constructor')).toBe(true)
  })
})
