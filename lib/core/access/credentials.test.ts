import { describe, expect, it } from 'vitest'
import {
  bearerOf,
  cookieName,
  isSameSecret,
  ownAddress,
  readSignInAddress,
  sessionCookie,
  sessionIdsOf,
} from './credentials'

describe('X20 what a request carries', () => {
  it('is a token in the header', () => {
    expect(bearerOf('Bearer abc')).toBe('abc')
    expect(bearerOf('bearer  abc')).toBe('abc')
    for (const other of [null, '', 'Basic abc', 'Bearer', 'Bearer a b']) expect(bearerOf(other)).toBeNull()
  })

  it('is a cookie of this server, and of no other at the same host', () => {
    const set = sessionCookie('ab12_4747', false, 'id1')
    expect(set).toMatch(/^plimsoll_session_ab12_4747=id1; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
    expect(sessionIdsOf(`other=1; ${set.split(';', 1)[0]}`, 'ab12_4747')).toEqual(['id1'])
    expect(sessionIdsOf(set, 'ab12_4748')).toEqual([])
    expect(sessionIdsOf(`${cookieName('ab12_4747', false)}=`, 'ab12_4747')).toEqual([])
    expect(sessionIdsOf(null, 'ab12_4747')).toEqual([])
  })

  it('is a cookie for this host and https alone, where the browser came so', () => {
    const set = sessionCookie('s', true, 'id1')
    expect(set).toMatch(/^__Host-plimsoll_session_s=id1; Path=\/; .*; Secure$/)
    expect(set).not.toContain('Domain')
    expect(sessionIdsOf(set, 's')).toEqual(['id1'])
  })

  it('takes the cookie away', () => {
    expect(sessionCookie('s', false, '')).toContain('Max-Age=0')
  })
})

describe('X20 an address that signs in', () => {
  it('is read, and goes on without its secret', () => {
    expect(readSignInAddress('/sessions?q=a%26b&token=secret')).toEqual({
      secret: 'secret',
      hopped: false,
      rest: '/sessions?q=a%26b',
      hop: '/sessions?q=a%26b&token=secret&from-link=1',
    })
    expect(readSignInAddress('/?from-link=1')).toMatchObject({ secret: null, hopped: true, rest: '/' })
  })

  it.each([
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    'https://evil.example',
    ' //evil.example',
    '/\t/evil.example',
  ])('leads nowhere else: %s', (address) => {
    const target = new URL(ownAddress(address), 'http://127.0.0.1:4747')
    expect(target.host).toBe('127.0.0.1:4747')
  })
})

describe('X20 secrets', () => {
  it('are compared, of any length', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true)
    expect(isSameSecret('abcabc', 'abc')).toBe(false)
    expect(isSameSecret('', 'abc')).toBe(false)
    expect(isSameSecret('abd', 'abc')).toBe(false)
  })
})
