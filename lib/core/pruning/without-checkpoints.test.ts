import { expect, test } from 'vitest'
import { checkpointRecord } from '../../testing/builders/checkpoint'
import { withoutStaleCheckpoints } from './without-checkpoints'

const user = { role: 'user', content: 'go' }
const answer = { role: 'assistant', content: 'yes' }
const carrying = (id: string) => ({
  role: 'assistant',
  content: id,
  providerReplay: checkpointRecord({ id }),
})

test('a checkpoint at or behind the first message that changed goes, one before it stays', () => {
  const before = [user, carrying('a'), { ...user }, carrying('b'), carrying('c')]
  const [first, a, second, b, c] = before
  const changed = { ...user, content: 'shorter' }
  const after = [first, a, changed, b, c]
  const found = withoutStaleCheckpoints(before, after)
  expect(found).toEqual([
    first,
    a,
    changed,
    { role: 'assistant', content: 'b' },
    { role: 'assistant', content: 'c' },
  ])
  expect(found.slice(0, 3).every((message, at) => message === after[at])).toBe(true)
  expect(second).toBeDefined()
  // The one that changed carries one itself.
  const shorter = { ...carrying('b'), content: 'shorter' }
  expect(withoutStaleCheckpoints(before, [first, a, second, shorter])[3]).toEqual({
    ...{ role: 'assistant', content: 'shorter' },
  })
})

test('where the very first message changed, every checkpoint goes', () => {
  const before = [user, carrying('a')]
  expect(withoutStaleCheckpoints(before, [{ ...user, content: 'shorter' }, before[1]])).toEqual([
    { role: 'user', content: 'shorter' },
    { role: 'assistant', content: 'a' },
  ])
})

test('the same list comes back where no message changed, or none behind the change carries a checkpoint', () => {
  const before = [user, carrying('a'), answer]
  const longer = [...before, carrying('b')]
  expect(withoutStaleCheckpoints(before, longer)).toBe(longer)
  const changed = [user, before[1], { ...answer }]
  expect(withoutStaleCheckpoints(before, changed)).toBe(changed)
  expect(withoutStaleCheckpoints([], [])).toEqual([])
})

test('a message that was taken out changes what is behind it', () => {
  const [a, b] = [carrying('a'), carrying('b')]
  expect(withoutStaleCheckpoints([user, a, answer, b], [user, a, b])).toEqual([
    ...[user, a, { role: 'assistant', content: 'b' }],
  ])
})

test('only an answer carries a checkpoint', () => {
  const note = { ...carrying('a'), role: 'user' }
  const after = [{ ...user }, note, 'text']
  expect(withoutStaleCheckpoints([user, note, 'text'], after)).toBe(after)
})
