import { expect, it } from 'vitest'
import { inTurn } from './in-turn'

it('works of one kind wait for each other, also for one that fails; those of another kind do not', async () => {
  const said: string[] = []
  let end = () => {}
  const first = inTurn('a', () => {
    said.push('first begins')
    return new Promise<void>((_, reject) => {
      end = () => reject(new Error('no'))
    })
  })
  const second = inTurn('a', async () => {
    said.push('second')
  })
  await inTurn('b', async () => {
    said.push('other')
  })
  expect(said).toEqual(['first begins', 'other'])
  end()
  await expect(first).rejects.toThrow('no')
  await second
  expect(said).toEqual(['first begins', 'other', 'second'])
})
