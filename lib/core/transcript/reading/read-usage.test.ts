import { expect, it } from 'vitest'
import { readUsage } from './read-usage'

const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: null }

it.each<[string, unknown, object | null]>([
  [
    'all parts',
    { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: { total: 0.5 } },
    { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, costUsd: 0.5 },
  ],
  ['a part alone: input', { input: 1 }, { ...NONE, input: 1 }],
  ['a part alone: output', { output: 1 }, { ...NONE, output: 1 }],
  ['a part alone: what the cache gave', { cacheRead: 1 }, { ...NONE, cacheRead: 1 }],
  ['a part alone: what the cache took', { cacheWrite: 1 }, { ...NONE, cacheWrite: 1 }],
  ['a price of zero is none', { input: 1, cost: { total: 0 } }, { ...NONE, input: 1 }],
  ['a price below zero is none', { input: 1, cost: { total: -1 } }, { ...NONE, input: 1 }],
  ['a price that is no number is none', { input: 1, cost: '0.5' }, { ...NONE, input: 1 }],
  [
    'what stays an hour in the cache',
    { cacheWrite: 9, cacheWrite1h: 4 },
    { ...NONE, cacheWrite: 9, cacheWrite1h: 4 },
  ],
  [
    'is no more than went into it',
    { cacheWrite: 9, cacheWrite1h: 12 },
    { ...NONE, cacheWrite: 9, cacheWrite1h: 9 },
  ],
  ['and left out where it is nothing', { cacheWrite: 9, cacheWrite1h: 0 }, { ...NONE, cacheWrite: 9 }],
  ['what is reasoning', { output: 9, reasoning: 4 }, { ...NONE, output: 9, reasoning: 4 }],
  ['no reasoning', { output: 9, reasoning: 0 }, { ...NONE, output: 9, reasoning: 0 }],
  ['reasoning below zero is none', { output: 9, reasoning: -1 }, { ...NONE, output: 9, reasoning: 0 }],
  [
    'reasoning is no more than the output',
    { output: 9, reasoning: 12 },
    { ...NONE, output: 9, reasoning: 9 },
  ],
  ['reasoning that is no number is unknown', { output: 9, reasoning: '4' }, { ...NONE, output: 9 }],
  [
    'input less the cache keeps its sign',
    { input: -50, cacheRead: 80 },
    { ...NONE, input: -50, cacheRead: 80 },
  ],
  [
    'other parts below zero are nothing',
    { input: 5, output: -1, cacheRead: -2, cacheWrite: -3 },
    { ...NONE, input: 5 },
  ],
  ['a prompt below zero with an output', { input: -50, output: 2 }, { ...NONE, input: -50, output: 2 }],
  ['a prompt below zero alone is unknown', { input: -50, cacheRead: 20 }, null],
  ['zeros are unknown', { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: { total: 1 } }, null],
  ['no report', undefined, null],
  ['a report that is none', [1, 2], null],
  ['numbers that are none', { input: '5', output: Number.NaN, cacheRead: Number.POSITIVE_INFINITY }, null],
])('B6 reported usage: %s', (_name, raw, usage) => {
  expect(readUsage(raw)).toEqual(usage)
})
