import { describe, expect, it } from 'vitest'
import { isTouched, type LiveMessage, mergeLiveMessages, parseLiveMessage } from './live'

const message = (values: Partial<LiveMessage>): LiveMessage => ({
  revision: 1,
  sessions: [],
  all: false,
  stores: false,
  audit: false,
  jobs: false,
  logs: false,
  ...values,
})

describe('X15: the live line', () => {
  it('touches the session that changed, and every list, but no other session', () => {
    const changed = message({ sessions: ['a'] })
    expect(isTouched(['session', 'a', 'calls'], changed)).toBe(true)
    expect(isTouched(['session', 'b', 'calls'], changed)).toBe(false)
    expect(isTouched(['sessions', 'list'], changed)).toBe(true)
    expect(isTouched(['overview', 30], changed)).toBe(true)
  })

  it('touches every session when more changed than are listed', () => {
    expect(isTouched(['session', 'b'], message({ all: true }))).toBe(true)
  })

  it('leaves sessions alone when only a store was read again', () => {
    const read = message({ stores: true })
    expect(isTouched(['stores'], read)).toBe(true)
    expect(isTouched(['overview', 7], read)).toBe(true)
    expect(isTouched(['sessions', 'list'], read)).toBe(false)
    expect(isTouched(['session', 'a'], read)).toBe(false)
    // What is wrong in a store as a whole is among its findings, and among those of its sessions.
    expect(isTouched(['findings', ''], read)).toBe(true)
    expect(isTouched(['session', 'a', 'findings'], read)).toBe(true)
  })

  it('touches the list of writes and findings when one was made, and nothing else', () => {
    const written = message({ audit: true })
    expect(isTouched(['audit', 1], written)).toBe(true)
    expect(isTouched(['sessions', 'list'], written)).toBe(false)
    // A setting that was applied for a finding is one.
    expect(isTouched(['findings', ''], written)).toBe(true)
    expect(isTouched(['audit', 1], message({ sessions: ['a'] }))).toBe(false)
  })

  it('X16: touches jobs when one got on or its receipt changed, and nothing else', () => {
    const worked = message({ jobs: true })
    expect(isTouched(['jobs', 'list', 1], worked)).toBe(true)
    // Of an experiment that another page began.
    expect(isTouched(['lab', 'page', ''], worked)).toBe(true)
    expect(isTouched(['lab', 'page', ''], message({ sessions: ['a'] }))).toBe(true)
    expect(isTouched(['lab', 'evidence', ''], worked)).toBe(false)
    expect(isTouched(['audit', 1], worked)).toBe(false)
    expect(isTouched(['sessions', 'list'], worked)).toBe(false)
    expect(isTouched(['jobs', 'open'], message({ audit: true }))).toBe(true)
    expect(isTouched(['jobs', 'open'], message({ sessions: ['a'] }))).toBe(false)
    expect(mergeLiveMessages(worked, message({})).jobs).toBe(true)
    const logged = message({ logs: true })
    for (const kind of ['activity', 'cold', 'overview']) expect(isTouched([kind], logged)).toBe(true)
    expect(isTouched(['stores'], logged)).toBe(false)
    expect(isTouched(['activity', 'rows'], message({ sessions: ['a'] }))).toBe(false)
    expect(mergeLiveMessages(logged, message({})).logs).toBe(true)
    expect(parseLiveMessage(JSON.stringify(worked))).toEqual(worked)
  })

  it('puts messages together without losing one', () => {
    const merged = mergeLiveMessages(
      message({ sessions: ['a', 'b'], revision: 4 }),
      message({ sessions: ['b', 'c'], revision: 6, stores: true }),
    )
    expect(merged).toEqual(message({ revision: 6, sessions: ['a', 'b', 'c'], stores: true }))
  })

  it('takes only what is a message', () => {
    expect(parseLiveMessage('{"revision":3,"sessions":["x",7]}')).toEqual(
      message({ revision: 3, sessions: ['x'] }),
    )
    for (const text of ['', 'null', '[]', '{"revision":"3","sessions":[]}', '{"revision":3}']) {
      expect(parseLiveMessage(text)).toBeNull()
    }
  })
})
