import { expect, test, vi } from 'vitest'
import { behind } from './behind'

const MINUTE = 60_000

/** Works that end when they are told to. */
function works() {
  const ends: { resolve: (value: number) => void; reject: (error: Error) => void }[] = []
  const measure = vi.fn(() => new Promise<number>((resolve, reject) => ends.push({ resolve, reject })))
  return { ends, measure }
}

test('the first waits; later ones get what is known at once, while it is worked out anew behind them', async () => {
  const known = behind<number>('behind 1', MINUTE)
  const { ends, measure } = works()
  const first = known(0, measure)
  ends[0]?.resolve(1)
  expect(await first).toBe(1)
  expect(await known(MINUTE, measure)).toBe(1)
  expect(measure).toHaveBeenCalledTimes(1)
  // Old: none of these waits for the second work, which is begun once.
  expect([await known(2 * MINUTE, measure), await known(2 * MINUTE, measure)]).toEqual([1, 1])
  expect(measure).toHaveBeenCalledTimes(2)
  ends[1]?.resolve(2)
  await vi.waitFor(async () => expect(await known(2 * MINUTE, measure)).toBe(2))
  expect(measure).toHaveBeenCalledTimes(2)
})

test('what failed is forgotten: who waited hears of it, and the next one has it worked out', async () => {
  const known = behind<number>('behind 2', MINUTE)
  const { ends, measure } = works()
  const first = known(0, measure)
  ends[0]?.reject(new Error('EACCES'))
  await expect(first).rejects.toThrow('EACCES')
  const second = known(1, measure)
  ends[1]?.resolve(5)
  expect(await second).toBe(5)
})
