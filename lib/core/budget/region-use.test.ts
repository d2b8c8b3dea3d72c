import { expect, test } from 'vitest'
import { estimated, measured, UNKNOWN } from '../tokens/figure'
import type { Frame } from '../tokens/frame'
import { regionUse } from './region-use'

type Region = Parameters<typeof regionUse>[0]

function use(region: Region, frame: Partial<Frame> = {}, context = measured(1_000)) {
  const next = {
    total: measured(1_000),
    categories: {
      ...{ 'system-prompt': 100, 'tool-schemas': 20, skills: 3, residual: 4 },
      ...{ user: 50, assistant: 60, 'tool-result': 700 },
    },
    basis: {
      ...{
        'system-prompt': 'measured',
        'tool-schemas': 'measured',
        skills: 'measured',
        residual: 'measured',
      },
      ...{ user: 'measured', assistant: 'measured', 'tool-result': 'estimated' },
    },
    errorPct: 12,
    ...frame,
  } as Frame
  return regionUse(region, { next, lastOutput: measured(77), totals: { context } })
}

test('A10: each category is in one region; what has no name was sent with the system prompt', () => {
  expect(use('systemPrompt')).toEqual(measured(127))
  expect(use('history')).toEqual(estimated(810, 12))
  const files = {
    categories: { 'bootstrap-file': 40, user: 5 },
    basis: { 'bootstrap-file': 'estimated', user: 'measured' },
  }
  expect(use('bootstrap', files as never)).toEqual(estimated(40, 12))
  expect(use('history', files as never)).toEqual(measured(5))
})

test('A10: a figure is measured where all of it is, and its error is that of the frame', () => {
  const part = { categories: { user: 5, assistant: 6 }, basis: { user: 'measured', assistant: 'estimated' } }
  expect(use('history', { ...part, errorPct: null } as never)).toEqual(estimated(11, 0))
  expect(use('history', { categories: {}, basis: {} })).toEqual(measured(0))
})

test('A10: bootstrap files are unknown where no runtime reports them, and so is all of an unknown context', () => {
  expect(use('bootstrap')).toEqual(UNKNOWN)
  expect(use('history', {}, UNKNOWN as never)).toEqual(UNKNOWN)
  expect(use('systemPrompt', { total: UNKNOWN })).toEqual(UNKNOWN)
})

test('A10: the response is what was answered last, and nothing is in the reserve', () => {
  expect(use('response')).toEqual(measured(77))
  expect(use('response', { total: UNKNOWN })).toEqual(measured(77))
  expect(use('reserve')).toEqual(UNKNOWN)
})
