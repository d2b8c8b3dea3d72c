import { expect, it } from 'vitest'
import { RecentlyUsed } from './recently-used'

it('forgets what was not used for longest', () => {
  const kept = new RecentlyUsed<string, number>(2)
  kept.set('a', 1)
  kept.set('b', 2)
  expect(kept.get('a')).toBe(1)
  kept.set('c', 3)
  expect([kept.get('a'), kept.get('b'), kept.get('c')]).toEqual([1, undefined, 3])
})

it('replaces a value without forgetting another', () => {
  const kept = new RecentlyUsed<string, number>(2)
  kept.set('a', 1)
  kept.set('b', 2)
  kept.set('a', 3)
  expect([kept.get('a'), kept.get('b')]).toEqual([3, 2])
})
