import { describe, expect, it } from 'vitest'
import { decideBind } from './bind-address'
import { type AccessRules, MAX_BODY_BYTES, type RequestFacts, refusalOf } from './request-guard'

const LOCAL: AccessRules = { hosts: ['127.0.0.1'], anyAddress: false }
const SECRET = 'a-long-enough-secret'

function request(facts: Partial<RequestFacts> = {}): RequestFacts {
  return {
    method: 'GET',
    url: '/',
    host: '127.0.0.1:4747',
    origin: null,
    fetchSite: null,
    fetchMode: null,
    contentLength: null,
    transferEncoding: null,
    ...facts,
  }
}

describe('X20 access: the name asked for', () => {
  it.each(['127.0.0.1:4747', 'localhost', 'LOCALHOST:80', '[::1]:4747'])('answers to %s', (host) => {
    expect(refusalOf(LOCAL, request({ host }))).toBeNull()
  })

  it.each([
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example:4747',
    '10.0.0.5:4747',
    '[fe80::1]',
  ])('refuses %s, which DNS rebinding would send', (host) => {
    expect(refusalOf(LOCAL, request({ host }))).toMatchObject({ status: 421 })
  })

  it.each([null, '', 'a b', 'x:y:z', 'user@localhost'])(
    'refuses a request that names no host: %s',
    (host) => {
      expect(refusalOf(LOCAL, request({ host }))).toMatchObject({ status: 400 })
    },
  )

  it('answers to the configured name, and to any address when bound to all', () => {
    const named: AccessRules = { hosts: ['box.lan'], anyAddress: false }
    expect(refusalOf(named, request({ host: 'box.lan:4747' }))).toBeNull()
    const all: AccessRules = { hosts: [], anyAddress: true }
    expect(refusalOf(all, request({ host: '192.168.1.7:4747' }))).toBeNull()
    expect(refusalOf(all, request({ host: 'evil.example' }))).not.toBeNull()
  })
})

describe('X20 access: the page that asks', () => {
  it.each(['https://evil.example', 'http://127.0.0.1:3000', 'null', 'http://localhost:4747', 'file://'])(
    'refuses the origin %s',
    (origin) => {
      for (const method of ['GET', 'POST']) {
        expect(refusalOf(LOCAL, request({ method, origin }))).toMatchObject({ status: 403 })
      }
    },
  )

  it('lets our own pages ask', () => {
    const own = request({ method: 'POST', origin: 'http://127.0.0.1:4747', fetchSite: 'same-origin' })
    expect(refusalOf(LOCAL, own)).toBeNull()
  })

  it('lets a link from elsewhere open a page, but nothing else', () => {
    const isRefused = (facts: Partial<RequestFacts>) =>
      refusalOf(LOCAL, request({ fetchSite: 'cross-site', ...facts })) !== null
    expect(isRefused({ fetchMode: 'navigate' })).toBe(false)
    expect(isRefused({ fetchMode: 'navigate', url: '/api/live' })).toBe(true)
    expect(isRefused({ fetchMode: 'navigate', method: 'POST' })).toBe(true)
    expect(isRefused({ fetchMode: 'no-cors', url: '/_next/static/a.js' })).toBe(true)
    expect(refusalOf(LOCAL, request({ fetchSite: 'same-site', fetchMode: 'cors' }))).not.toBeNull()
  })
})

describe('X20 access: address and body', () => {
  it.each(['/api/sessions/%ff', '/%', '/a/%e0%a4'])('refuses the address %s, which is no text', (url) => {
    expect(refusalOf(LOCAL, request({ url }))).toMatchObject({ status: 400 })
  })

  it('leaves the query to whoever reads it', () => {
    expect(refusalOf(LOCAL, request({ url: '/sessions?q=%ff' }))).toBeNull()
    expect(refusalOf(LOCAL, request({ url: '/sessions/%C3%A4' }))).toBeNull()
  })

  it('refuses a body that is too large, or whose size is not known', () => {
    const body = (contentLength: string | null, transferEncoding: string | null = null) =>
      refusalOf(LOCAL, request({ method: 'POST', contentLength, transferEncoding }))?.status
    expect(body(String(MAX_BODY_BYTES))).toBeUndefined()
    expect(body(String(MAX_BODY_BYTES + 1))).toBe(413)
    expect(body('many')).toBe(413)
    expect(body(null, 'chunked')).toBe(411)
    expect(body(null)).toBeUndefined()
  })
})

describe('X20 access: where to serve', () => {
  const at = (host: string, token: string | null = null, open = false) => decideBind({ host, token, open })

  it.each(['127.0.0.1', 'localhost', '::1', '[::1]', '127.0.0.2'])(
    '%s needs no token of the operator’s own',
    (host) => {
      expect(at(host)).toMatchObject({ ok: true, loopback: true })
      expect(at(host, null, true)).toMatchObject({ ok: true, loopback: true })
    },
  )

  it.each(['0.0.0.0', '::', '192.168.1.7', 'box.lan', '127.0.0.1.evil.example'])(
    '%s needs one, and is never open to all',
    (host) => {
      expect(at(host).ok).toBe(false)
      expect(at(host, null, true).ok).toBe(false)
      expect(at(host, SECRET)).toMatchObject({ ok: true, loopback: false })
    },
  )

  it('refuses a token that can be guessed, and one that no request would be asked for', () => {
    expect(at('127.0.0.1', 'short').ok).toBe(false)
    expect(at('127.0.0.1', SECRET, true).ok).toBe(false)
  })
})
