import { expect, test, vi } from 'vitest'
import { asyncCallScope } from '../../adapters/agent/async-call-scope'
import { Lanes } from './lanes'

/** Work that ends when the test ends it, and notes when it begins. */
function work(log: string[], name: string) {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    end: () => end(),
    run: async () => {
      log.push(name)
      await ended
      return name
    },
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('D23: two compactions of one session follow each other, those of two sessions run side by side', async () => {
  const lanes = new Lanes(2)
  const log: string[] = []
  const [a1, a2, b1] = [work(log, 'a1'), work(log, 'a2'), work(log, 'b1')]
  const all = [lanes.run('a', a1.run), lanes.run('a', a2.run), lanes.run('b', b1.run)]
  await settle()
  expect(log).toEqual(['a1', 'b1'])
  a1.end()
  await settle()
  expect(log).toEqual(['a1', 'b1', 'a2'])
  for (const one of [a2, b1]) one.end()
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1'])
})

test('D23: never more at once than the cap, whatever fails', async () => {
  const lanes = new Lanes(2)
  let running = 0
  let most = 0
  const jobs = Array.from({ length: 20 }, (_, i) =>
    lanes
      .run(`s${i}`, async () => {
        running += 1
        most = Math.max(most, running)
        await settle()
        running -= 1
        if (i % 3 === 0) throw new Error('failed')
      })
      .catch(() => undefined),
  )
  await Promise.all(jobs)
  expect(most).toBe(2)
})

test('D24: work that asks for the lane it runs in is done at once, however deep, and others still wait', async () => {
  const lanes = new Lanes(1, asyncCallScope())
  const log: string[] = []
  const inner = async () => {
    await settle()
    await lanes.run('a', () => lanes.run('a', async () => void log.push('inner')))
  }
  const running = lanes.run('a', async () => {
    await settle()
    await inner()
    await settle()
    log.push('outer')
  })
  await settle()
  const other = lanes.run('a', async () => void log.push('other'))
  await Promise.all([running, other])
  expect(log).toEqual(['inner', 'outer', 'other'])
})

test('D24: what a piece of work leaves behind after its end waits like any other', async () => {
  const lanes = new Lanes(1, asyncCallScope())
  const log: string[] = []
  let late: Promise<unknown> = Promise.resolve()
  await lanes.run('a', async () => {
    late = settle()
      .then(() => settle())
      .then(() => lanes.run('a', async () => void log.push('late')))
  })
  const next = work(log, 'next')
  const running = lanes.run('a', next.run)
  await settle()
  await settle()
  await settle()
  expect(log).toEqual(['next'])
  next.end()
  await Promise.all([running, late])
  expect(log).toEqual(['next', 'late'])
})

test('D23: a wait of more than two seconds is reported', async () => {
  vi.useFakeTimers()
  try {
    const lanes = new Lanes(1)
    const first = work([], 'first')
    const noted = vi.fn()
    const running = lanes.run('a', first.run)
    const second = lanes.run('a', async () => 'second', { onLongWait: noted })
    await vi.advanceTimersByTimeAsync(1_999)
    expect(noted).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2)
    expect(noted).toHaveBeenCalledOnce()
    first.end()
    await Promise.all([running, second])
  } finally {
    vi.useRealTimers()
  }
})

test('work that is stopped while it waits is not begun', async () => {
  const lanes = new Lanes(1)
  const first = work([], 'first')
  const stop = new AbortController()
  const running = lanes.run('a', first.run)
  const begun = vi.fn(async () => undefined)
  const second = lanes.run('a', begun, { signal: stop.signal })
  stop.abort()
  first.end()
  await running
  await expect(second).rejects.toMatchObject({ code: 'LANE_STOPPED' })
  expect(begun).not.toHaveBeenCalled()
  expect(await lanes.run('a', async () => 'free again')).toBe('free again')
})
