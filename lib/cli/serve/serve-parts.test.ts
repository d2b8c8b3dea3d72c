import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Child, ChildEnd } from './child'
import { startChild } from './child'
import { keepRunning, LONGEST_PAUSE_MS, pauseBefore } from './keep-running'
import { portRefusal } from './port-refusal'

describe('a port for the dashboard', () => {
  it('that the system is to choose is not looked for', async () => {
    expect(await portRefusal('127.0.0.1', 0)).toBeNull()
  })

  it('that is taken is refused with what to do', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expect(await portRefusal('127.0.0.1', port)).toContain('--port')
    await new Promise((resolve) => other.close(resolve))
  })

  it('of an address that is not ours is refused', async () => {
    expect(await portRefusal('192.0.2.1', 4747)).toBe('192.0.2.1 is not an address of this machine.')
    expect(await portRefusal('192.0.2.1', 0)).toContain('192.0.2.1')
  })
})

describe('children of serve', () => {
  const start = (code: string, onLine: (line: string) => void = () => {}) =>
    startChild({ args: ['-e', code], cwd: process.cwd(), env: process.env, onLine })

  it('hand their output over line by line and tell their end', async () => {
    const lines: string[] = []
    const child = start('console.log("one\\ntwo"); process.exit(3)', (line) => lines.push(line))
    expect(await child.ended).toEqual({ code: 3, signal: null })
    expect(lines).toEqual(['one', 'two'])
  })

  it('are made to end when they will not', async () => {
    let ready = () => {}
    const started = new Promise<void>((resolve) => {
      ready = resolve
    })
    const child = start(
      'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up")',
      () => ready(),
    )
    await started
    expect((await child.stop(200)).signal).toBe('SIGKILL')
  })

  it('are started again after longer and longer pauses', async () => {
    expect([1, 2, 3, 7].map(pauseBefore)).toEqual([1_000, 2_000, 4_000, LONGEST_PAUSE_MS])
    const stop = new AbortController()
    const ends: ChildEnd[] = []
    let started = 0
    const dying = (): Child => {
      started++
      const end = { code: 5, signal: null }
      return { ended: Promise.resolve(end), stop: async () => end }
    }
    await keepRunning({
      start: dying,
      signal: stop.signal,
      now: () => 0,
      onEnd: (end) => {
        ends.push(end)
        if (ends.length === 2) stop.abort()
      },
    })
    expect(started).toBe(2)
  })
})
