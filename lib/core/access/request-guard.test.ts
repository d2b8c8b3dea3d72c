import { describe, expect, it } from 'vitest'
import { decideBind } from './bind-address'
import { type AccessRules, isSameSecret, judgeRequest, type RequestFacts } from './request-guard'

const LOCAL: AccessRules = { hosts: ['127.0.0.1'], anyAddress: false, token: null }
const SECRET = 'a-long-enough-secret'

function request(facts: Partial<RequestFacts> = {}): RequestFacts {
  return {
    method: 'GET',
    url: '/',
    host: '127.0.0.1:4747',
    origin: null,
    fetchSite: null,
    fetchMode: null,
    authorization: null,
    cookie: null,
    ...facts,
  }
}

describe('X20 access: the name asked for', () => {
  it.each(['127.0.0.1:4747', 'localhost', 'LOCALHOST:80', '[::1]:4747'])('answers to %s', (host) => {
    expect(judgeRequest(LOCAL, request({ host })).kind).toBe('allow')
  })

  it.each([
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example:4747',
    '10.0.0.5:4747',
    '[fe80::1]',
  ])('refuses %s, which DNS rebinding would send', (host) => {
    expect(judgeRequest(LOCAL, request({ host }))).toMatchObject({ kind: 'refuse', status: 421 })
  })

  it.each([null, '', 'a b', 'x:y:z', 'user@localhost'])(
    'refuses a request that names no host: %s',
    (host) => {
      expect(judgeRequest(LOCAL, request({ host }))).toMatchObject({ kind: 'refuse', status: 400 })
    },
  )

  it('answers to the configured name, and to any address when bound to all', () => {
    const named: AccessRules = { hosts: ['box.lan'], anyAddress: false, token: null }
    expect(judgeRequest(named, request({ host: 'box.lan:4747' })).kind).toBe('allow')
    const all: AccessRules = { hosts: [], anyAddress: true, token: null }
    expect(judgeRequest(all, request({ host: '192.168.1.7:4747' })).kind).toBe('allow')
    expect(judgeRequest(all, request({ host: 'evil.example' })).kind).toBe('refuse')
  })
})

describe('X20 access: the page that asks', () => {
  it.each(['https://evil.example', 'http://127.0.0.1:3000', 'null', 'http://localhost:4747', 'file://'])(
    'refuses the origin %s',
    (origin) => {
      for (const method of ['GET', 'POST']) {
        expect(judgeRequest(LOCAL, request({ method, origin }))).toMatchObject({
          kind: 'refuse',
          status: 403,
        })
      }
    },
  )

  it('lets our own pages ask', () => {
    const own = request({ method: 'POST', origin: 'http://127.0.0.1:4747', fetchSite: 'same-origin' })
    expect(judgeRequest(LOCAL, own).kind).toBe('allow')
  })

  it('lets a link from elsewhere open a page, but nothing else', () => {
    const from = (facts: Partial<RequestFacts>) =>
      judgeRequest(LOCAL, request({ fetchSite: 'cross-site', ...facts })).kind
    expect(from({ fetchMode: 'navigate' })).toBe('allow')
    expect(from({ fetchMode: 'navigate', url: '/api/live' })).toBe('refuse')
    expect(from({ fetchMode: 'navigate', method: 'POST' })).toBe('refuse')
    expect(from({ fetchMode: 'no-cors', url: '/_next/static/a.js' })).toBe('refuse')
    expect(judgeRequest(LOCAL, request({ fetchSite: 'same-site', fetchMode: 'cors' })).kind).toBe('refuse')
  })
})

describe('X20 access: the token', () => {
  const rules: AccessRules = { ...LOCAL, token: SECRET }

  it('refuses without it and with a wrong one', () => {
    expect(judgeRequest(rules, request())).toMatchObject({ kind: 'refuse', status: 401 })
    expect(judgeRequest(rules, request({ authorization: `Bearer ${SECRET}x` })).kind).toBe('refuse')
    expect(judgeRequest(rules, request({ url: '/?token=' })).kind).toBe('refuse')
    expect(judgeRequest(rules, request({ cookie: 'plimsoll_token_4747=' })).kind).toBe('refuse')
  })

  it('takes it from the header', () => {
    expect(judgeRequest(rules, request({ authorization: `Bearer ${SECRET}` })).kind).toBe('allow')
  })

  it('takes it once from the address, then from the cookie', () => {
    const first = judgeRequest(rules, request({ url: `/sessions?q=a%26b&token=${SECRET}` }))
    expect(first).toMatchObject({ kind: 'keep-token', location: '/sessions?q=a%26b' })
    if (first.kind !== 'keep-token') throw new Error('unreachable')
    expect(first.cookie).toMatch(/HttpOnly; SameSite=Strict$/)
    const cookie = `other=1; ${first.cookie.split(';', 1)[0]}`
    expect(judgeRequest(rules, request({ cookie })).kind).toBe('allow')
  })

  it('does not send the reader to another host', () => {
    const verdict = judgeRequest(rules, request({ url: `//evil.example/?token=${SECRET}` }))
    expect(verdict).toMatchObject({ location: '/evil.example/' })
  })

  it('compares secrets of any length', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true)
    expect(isSameSecret('abcabc', 'abc')).toBe(false)
    expect(isSameSecret('', 'abc')).toBe(false)
    expect(isSameSecret('abd', 'abc')).toBe(false)
  })
})

describe('X20 access: where to serve', () => {
  it.each(['127.0.0.1', 'localhost', '::1', '[::1]', '127.0.0.2'])('%s needs no token', (host) => {
    expect(decideBind({ host, token: null })).toMatchObject({ ok: true, loopback: true })
  })

  it.each(['0.0.0.0', '::', '192.168.1.7', 'box.lan', '127.0.0.1.evil.example'])('%s needs one', (host) => {
    expect(decideBind({ host, token: null }).ok).toBe(false)
    expect(decideBind({ host, token: SECRET })).toMatchObject({ ok: true, loopback: false })
  })

  it('refuses a token that can be guessed', () => {
    expect(decideBind({ host: '127.0.0.1', token: 'short' }).ok).toBe(false)
  })
})
