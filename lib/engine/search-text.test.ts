import { expect, it } from 'vitest'
import { boundSearchText } from './search-text'

it('takes more of what is said and of what failed than of what tools print', () => {
  const text = 'x'.repeat(5000)
  expect(boundSearchText({ role: 'assistant' }, text)).toHaveLength(2048)
  expect(boundSearchText({ role: 'toolResult', isError: true }, text)).toHaveLength(1024)
  expect(boundSearchText({ role: 'toolResult' }, text)).toHaveLength(384)
  expect(boundSearchText({ role: 'bashExecution' }, text)).toHaveLength(384)
  expect(boundSearchText({}, 'short')).toBe('short')
})
