import { expect, test } from 'vitest'
import { TimeLimit } from './time-limit'

const NEVER = new Promise<never>(() => {})

/** A port whose answers are given when the test gives them. */
class SlowPort {
  #asked = 0
  readonly root = 'pier'
  waiting: ((answer: string) => void)[] = []

  get asked(): number {
    return this.#asked
  }

  fetch(what: string): Promise<string> {
    this.#asked += 1
    return new Promise((resolve) => this.waiting.push(() => resolve(what)))
  }

  now(): number {
    return this.#asked
  }
}

test('a call that is answered in time is answered as ever, and fields and calls that answer at once are untouched', async () => {
  const own = new SlowPort()
  const port = new TimeLimit(20_000).port('cold', own)
  const asked = port.fetch('chunk')
  own.waiting[0]?.('')
  expect(await asked).toBe('chunk')
  expect([port.root, port.asked, port.now()]).toEqual(['pier', 1, 1])
})

test('a call without an answer fails with the name of the port and the limit', async () => {
  const port = new TimeLimit(5).port('memory', { load: () => NEVER })
  await expect(port.load()).rejects.toThrow('memory.load gave no answer within 5 ms (timeLimit)')
  const plan = new TimeLimit(5).call('plan', () => NEVER)
  await expect(plan()).rejects.toThrow('plan gave no answer within 5 ms')
})

test('a port that owes an answer is not asked again until it has given it, so that a turn waits for it once', async () => {
  const own = new SlowPort()
  // Ten limits are longer than this test.
  const port = new TimeLimit(3_000).port('cold', own)
  await expect(port.fetch('a')).rejects.toThrow('no answer within')
  await expect(port.fetch('b')).rejects.toThrow(
    'cold.fetch was not asked: an earlier call of it has given no answer',
  )
  expect(own.asked).toBe(1)
  own.waiting[0]?.('')
  await NEXT()
  const again = port.fetch('c')
  own.waiting[1]?.('')
  expect(await again).toBe('c')
})

test('a port that has lost a call for good is asked again later', async () => {
  const own = new SlowPort()
  const port = new TimeLimit(5).port('cold', own)
  await expect(port.fetch('a')).rejects.toThrow('no answer within')
  await expect.poll(() => port.fetch('b').catch(() => own.asked), { timeout: 20_000 }).toBe(2)
})

test('what fails by itself fails as it did, at once or later, and an answer that comes too late harms nothing', async () => {
  const port = new TimeLimit(5_000).port('log', {
    now: () => {
      throw new Error('broken')
    },
    later: () => Promise.reject(new Error('full')),
  })
  expect(() => port.now()).toThrow('broken')
  await expect(port.later()).rejects.toThrow('full')
  let fail = (_: Error) => {}
  const late = new TimeLimit(5).port('log', { add: () => new Promise((_, reject) => (fail = reject)) })
  await expect(late.add()).rejects.toThrow('no answer within')
  fail(new Error('gone'))
  await NEXT()
})

const NEXT = () => new Promise((resolve) => setTimeout(resolve, 0))
