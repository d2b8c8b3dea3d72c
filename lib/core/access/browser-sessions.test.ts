import { describe, expect, it } from 'vitest'
import { Attempts } from './attempts'
import { BrowserSessions } from './browser-sessions'
import { LINK_LIFE_MS, SESSION_IDLE_MS, SESSION_LIFE_MS } from './credentials'

describe('X20 sessions of browsers', () => {
  it('end when nothing is heard, and after their time in any case', () => {
    const sessions = new BrowserSessions()
    sessions.open('a', 0)
    expect(sessions.isOpen('a', SESSION_IDLE_MS - 1)).toBe(true)
    expect(sessions.isOpen('a', 2 * SESSION_IDLE_MS - 2)).toBe(true)
    expect(sessions.isOpen('a', 3 * SESSION_IDLE_MS - 2)).toBe(false)
    expect(sessions.isOpen('a', 0)).toBe(false)
    sessions.open('b', 0)
    for (let at = 0; at < SESSION_LIFE_MS; at += SESSION_IDLE_MS / 2)
      expect([at, sessions.isOpen('b', at)]).toEqual([at, true])
    expect(sessions.isOpen('b', SESSION_LIFE_MS)).toBe(false)
  })

  it('end when somebody signs out', () => {
    const sessions = new BrowserSessions()
    sessions.open('a', 0)
    expect(sessions.end('a')).toBe(true)
    expect(sessions.isOpen('a', 1)).toBe(false)
    expect(sessions.end('a')).toBe(false)
  })

  it('are no more than a hundred; the one that was silent longest goes', () => {
    const sessions = new BrowserSessions()
    for (let i = 0; i < 100; i++) sessions.open(`s${i}`, i)
    expect(sessions.isOpen('s0', 200)).toBe(true)
    sessions.open('new', 300)
    expect(sessions.isOpen('s1', 301)).toBe(false)
    expect(sessions.isOpen('s0', 301)).toBe(true)
  })

  it('begin with a link that works once, and for an hour', () => {
    const sessions = new BrowserSessions()
    sessions.addLink('code', 0)
    expect(sessions.spendLink('other', 1)).toBe(false)
    expect(sessions.spendLink('code', 1)).toBe(true)
    expect(sessions.spendLink('code', 2)).toBe(false)
    sessions.addLink('old', 0)
    expect(sessions.spendLink('old', LINK_LIFE_MS)).toBe(false)
    for (let i = 0; i < 30; i++) sessions.addLink(`l${i}`, 0)
    expect(sessions.spendLink('l0', 1)).toBe(false)
    expect(sessions.spendLink('l29', 1)).toBe(true)
  })
})

describe('X20 wrong tokens', () => {
  /** Tries as fast as it may, until so much time has gone by. */
  function bruteForce(attempts: Attempts, addressOf: (i: number) => string, ms: number): number {
    let tried = 0
    for (let now = 0; now < ms; ) {
      const address = addressOf(tried)
      const wait = attempts.waitFor(address, now)
      if (wait > 0) {
        now += wait
        continue
      }
      attempts.wrong(address, now)
      tried++
      now += 1
    }
    return tried
  }

  const HOUR = 3_600_000

  it('make the next one wait longer and longer', () => {
    const attempts = new Attempts()
    for (let i = 0; i < 4; i++) attempts.wrong('a', 0)
    expect(attempts.waitFor('a', 0)).toBe(0)
    attempts.wrong('a', 0)
    expect(attempts.waitFor('a', 0)).toBe(1_000)
    expect(attempts.waitFor('a', 1_000)).toBe(0)
    attempts.wrong('a', 1_000)
    expect(attempts.waitFor('a', 1_000)).toBe(2_000)
    expect(attempts.waitFor('b', 1_000)).toBe(0)
    attempts.right('a')
    expect(attempts.waitFor('a', 1_000)).toBe(0)
  })

  it('come to some seventy an hour from one address, and to few from thousands', () => {
    expect(bruteForce(new Attempts(), () => 'a', HOUR)).toBeLessThan(80)
    expect(bruteForce(new Attempts(), (i) => `address ${i}`, HOUR)).toBeLessThan(800)
  })

  it('of one address make no other one wait, however long it goes on', () => {
    const attempts = new Attempts()
    for (let now = 0; now < 10 * HOUR; now += Math.max(1, attempts.waitFor('a', now))) {
      attempts.wrong('a', now)
      expect([now, attempts.waitFor('b', now)]).toEqual([now, 0])
    }
  })

  it('of thousands make none wait that a right one came from', () => {
    const attempts = new Attempts()
    attempts.right('home')
    for (let i = 0; i < 2_000; i++) attempts.wrong(`address ${i}`, 0)
    expect(attempts.waitFor('elsewhere', 0)).toBe(5_000)
    expect(attempts.waitFor('home', 0)).toBe(0)
    for (let i = 0; i < 5; i++) attempts.wrong('home', 0)
    expect(attempts.waitFor('home', 0)).toBe(1_000)
  })

  it('are forgotten after a quarter of an hour', () => {
    const attempts = new Attempts()
    for (let i = 0; i < 20; i++) attempts.wrong('a', 0)
    expect(attempts.waitFor('a', 1)).toBeGreaterThan(0)
    expect(attempts.wrong('a', 16 * 60_000).wrong).toBe(1)
  })

  it('are logged at 1, 2, 4, 8 … so that they fill no disk', () => {
    const attempts = new Attempts()
    const logged = Array.from({ length: 40 }, (_, i) => attempts.wrong('a', i)).filter(({ log }) => log)
    expect(logged.map(({ wrong }) => wrong)).toEqual([1, 2, 4, 8, 16, 32])
    const many = Array.from({ length: 5_000 }, (_, i) => attempts.wrong(`b${i}`, 100)).filter(
      ({ log }) => log,
    )
    expect(many.length).toBeLessThan(30)
  })
})
