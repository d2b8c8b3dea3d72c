import { expect, it } from 'vitest'
import { readPolicy } from './read-policy'
import { parseSource } from './source-tree'

const CHANNELS = 4500

// Time that grows with the square of their number is a minute for these.
it.each([
  [
    'openclaw.json',
    JSON.stringify({
      channels: Object.fromEntries(
        Array.from({ length: CHANNELS }, (_, i) => [`c${i}`, { dmHistoryLimit: 3 }]),
      ),
    }),
  ],
  [
    'plimsoll.yaml',
    `policy:\n  history:\n    channels:\n${Array.from({ length: CHANNELS }, (_, i) => `      c${i}: { dmTurns: 3 }\n`).join('')}`,
  ],
])('%s with thousands of channels is read with all of them', (file, text) => {
  const { patch, problems, places } = readPolicy(parseSource(text, file), () => null)
  expect(problems).toEqual([])
  expect(Object.keys(patch.history?.channels ?? {})).toHaveLength(CHANNELS)
  expect(places[`history.channels.c${CHANNELS - 1}.dmTurns`]?.file).toBe(file)
})

it('thousands of unknown keys are a hundred warnings and how many more there are', () => {
  const text = `policy:\n${Array.from({ length: 5000 }, (_, i) => `  key${i}: 1\n`).join('')}  window: nothing\n`
  const { problems } = readPolicy(parseSource(text, 'plimsoll.yaml'), () => null)
  expect(problems.filter(({ severity }) => severity === 'warning')).toHaveLength(101)
  expect(problems.some(({ message }) => message === '4900 more warnings are not listed')).toBe(true)
  // An error behind them is not lost.
  expect(problems.some(({ severity, line }) => severity === 'error' && line === 5002)).toBe(true)
})
