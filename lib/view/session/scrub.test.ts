import { describe, expect, it } from 'vitest'
import { callNamed, callsOfPage, clampRange, pageOfCall, rangeShowing, scrubbedTo } from './scrub'

const at = (call: number, shift = false) => ({ call, calls: 412, shift })

describe('X4 scrubber', () => {
  it('a typed number names a call, the nearest that exists; anything else none', () => {
    expect(['300', ' 1\u202f204 ', '9999', '0'].map((text) => callNamed(text, 2_000))).toEqual([
      300, 1_204, 2_000, 1,
    ])
    expect(['', 'last', '-3', '1.5'].map((text) => callNamed(text, 2_000))).toEqual([null, null, null, null])
  })

  it.each([
    ['ArrowRight', at(211), 212],
    ['ArrowLeft', at(211), 210],
    ['ArrowRight', at(211, true), 221],
    ['ArrowLeft', at(5, true), 1],
    ['ArrowRight', at(412), 412],
    ['PageUp', at(100), 110],
    ['PageDown', at(100), 90],
    ['Home', at(211), 1],
    ['End', at(211), 412],
    ['x', at(211), null],
  ])('%s from %o goes to %s', (key, input, expected) => {
    expect(scrubbedTo(key, input)).toBe(expected)
  })

  it('asks for calls in pages that overlap by one, so that a call has its predecessor', () => {
    expect(pageOfCall(1)).toBe(0)
    expect(pageOfCall(200)).toBe(0)
    expect(pageOfCall(201)).toBe(1)
    expect(callsOfPage(0)).toEqual({ from: 1, to: 200 })
    expect(callsOfPage(1)).toEqual({ from: 200, to: 400 })
  })

  it('moves a zoomed range only as far as needed', () => {
    const range = { from: 100, to: 149 }
    expect(rangeShowing(range, 120, 400)).toBe(range)
    expect(rangeShowing(range, 150, 400)).toEqual({ from: 101, to: 150 })
    expect(rangeShowing(range, 20, 400)).toEqual({ from: 20, to: 69 })
    expect(rangeShowing(range, 400, 400)).toEqual({ from: 351, to: 400 })
  })

  it('keeps a range inside the session', () => {
    expect(clampRange({ from: -5, to: 20 }, 400)).toEqual({ from: 1, to: 26 })
    expect(clampRange({ from: 390, to: 440 }, 400)).toEqual({ from: 350, to: 400 })
    expect(clampRange({ from: 1, to: 900 }, 400)).toEqual({ from: 1, to: 400 })
  })
})
