import { beforeEach, expect, it, vi } from 'vitest'
import { PageAddress } from './replace-address'

const replaced: string[] = []

beforeEach(() => {
  replaced.length = 0
  const location = { href: 'http://localhost/sessions?page=2', pathname: '/sessions' }
  const history = { replaceState: (_state: unknown, _title: string, url: string) => replaced.push(url) }
  vi.stubGlobal('window', { location, history })
})

it('the last address waits until the router follows it, and later ones do not wait', () => {
  const address = new PageAddress()
  address.replace('/sessions?q=a')
  address.replace('/sessions?q=ab')
  expect(replaced).toEqual([])
  address.follow()
  expect(replaced).toEqual(['/sessions?q=ab'])
  address.replace('/sessions?q=abc')
  expect(replaced).toEqual(['/sessions?q=ab', '/sessions?q=abc'])
})

it('an address of a page that was left meanwhile is none any more', () => {
  const address = new PageAddress()
  address.replace('/activity?kind=drops')
  address.follow()
  expect(replaced).toEqual([])
})
