import { expect, test } from 'vitest'
import { rarityOver } from './rarity'

test('what is in every place is no need', () => {
  const rarity = rarityOver(Array.from({ length: 8 }, () => ['src/lib/common.ts']))
  expect(rarity('src/lib/common.ts')).toBe(0)
  expect(rarity('src/lib/own.ts')).toBe(1)
})
