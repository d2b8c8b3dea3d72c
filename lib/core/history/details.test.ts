import { expect, it } from 'vitest'
import { withoutDetails } from './details'

it('M15 what a result keeps for screens is not sent: the agent keeps it, and without any it is the same object', () => {
  const result = { role: 'toolResult', content: 'Berth 4.', details: { rows: 9 } }
  expect(withoutDetails(result)).toEqual({ role: 'toolResult', content: 'Berth 4.' })
  expect(result.details).toEqual({ rows: 9 })
  const bare = { role: 'toolResult', content: 'Berth 4.' }
  expect(withoutDetails(bare)).toBe(bare)
})
