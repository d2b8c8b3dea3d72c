import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followAddress } from './replace-address'
import { writeQuerySoon } from './write-query'

class FakeElement {
  readonly inLink: boolean
  constructor(inLink: boolean) {
    this.inLink = inLink
  }
  closest(): FakeElement | null {
    return this.inLink ? this : null
  }
}

let written: string[]
let location: { pathname: string; search: string }
let listeners: Set<(event: { target: unknown }) => void>

beforeEach(() => {
  followAddress()
  vi.useFakeTimers()
  written = []
  location = { pathname: '/sessions', search: '?q=a' }
  listeners = new Set()
  vi.stubGlobal('Element', FakeElement)
  vi.stubGlobal('window', {
    location,
    history: { replaceState: (_state: unknown, _title: string, url: string) => written.push(url) },
  })
  vi.stubGlobal('document', {
    addEventListener: (_name: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_name: string, listener: () => void) => listeners.delete(listener),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const click = (inLink: boolean) => {
  for (const listener of [...listeners]) listener({ target: new FakeElement(inLink) })
}

test('the address is written a moment later, once, and nothing listens afterwards', () => {
  writeQuerySoon('?q=ab')
  expect(written).toEqual([])
  vi.runAllTimers()
  click(true)
  expect([written, listeners.size]).toEqual([['/sessions?q=ab'], 0])
})

test('what is called off, is there already, or comes after the page was left, is not written', () => {
  writeQuerySoon('?q=ab')()
  writeQuerySoon('?q=a')
  writeQuerySoon('?q=abc')
  location.pathname = '/stores'
  vi.runAllTimers()
  expect([written, listeners.size]).toEqual([[], 0])
})

test('a click on a link writes it at once; one elsewhere does not', () => {
  writeQuerySoon('?q=ab')
  click(false)
  expect(written).toEqual([])
  click(true)
  vi.runAllTimers()
  expect(written).toEqual(['/sessions?q=ab'])
})
