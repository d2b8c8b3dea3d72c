import { describe, expect, it } from 'vitest'
import { type CallRoute, isOwnSession, isSameRoute, type Route, routeHash, UNKNOWN_ROUTE } from './call-route'

const ROUTE: Route = { provider: 'openai', api: 'openai-responses', model: 'gpt-5', baseUrlHash: 'b' }
const CALL: CallRoute = { ...UNKNOWN_ROUTE, provider: 'openai', api: 'openai-responses', model: 'gpt-5' }

describe('B4 whether a checkpoint was made on the way of a call', () => {
  it.each<[string, Partial<Route>, Partial<CallRoute>, boolean]>([
    ['the same provider, model and API', {}, {}, true],
    ['an API that is not known', {}, { api: null }, true],
    ['another API', {}, { api: 'openai-completions' }, false],
    ['another provider', {}, { provider: 'xai' }, false],
    ['another model', {}, { model: 'gpt-4' }, false],
    ['nothing is known of the call', {}, UNKNOWN_ROUTE, false],
    ['its own session', { sessionHash: 's' }, { session: 's' }, true],
    ['another session: the transcript is a copy', { sessionHash: 's' }, { session: 't' }, false],
    ['a session that is not known', { sessionHash: 's' }, { session: null }, true],
    ['a checkpoint that names no session', {}, { session: 't' }, true],
    [
      'address, session and login',
      { sessionHash: 's', authProfileHash: 'a' },
      { hidden: { baseUrlHash: 'b', sessionHash: 's', authProfileHash: 'a' } },
      true,
    ],
    ['the address alone, where nothing else was recorded', {}, { hidden: { baseUrlHash: 'b' } }, true],
    ['another address', {}, { hidden: { baseUrlHash: 'c' } }, false],
    ['another login', { authProfileHash: 'a' }, { hidden: { baseUrlHash: 'b' } }, false],
    [
      'another session, which is known',
      { sessionHash: 's' },
      { hidden: { baseUrlHash: 'b', sessionHash: 't' } },
      false,
    ],
  ])('%s', (_name, route, call, same) => {
    expect(isSameRoute({ ...ROUTE, ...route }, { ...CALL, ...call })).toBe(same)
  })

  it('it is its own session unless it names another', () => {
    const named = { ...ROUTE, sessionHash: 's' }
    expect([isOwnSession(named, 's'), isOwnSession(named, 't'), isOwnSession(named, null)]).toEqual([
      ...[true, false, true],
    ])
    expect(isOwnSession(ROUTE, 't')).toBe(true)
  })
})

describe('B4 the hash under which OpenClaw records a way', () => {
  it('is of the text without white space around it, and none of a blank one', () => {
    expect(routeHash(' s1 ')).toBe(routeHash('s1'))
    expect([routeHash(''), routeHash(' \n')]).toEqual([undefined, undefined])
  })

  it.each([
    ['s1', '1bmc92v952vt3'],
    ['https://api.openai.com/v1', 'ozhevd1smnk8s'],
    ['Ärger 🚢', 'r8l1es1ju20tl'],
  ])('of %s is the one that the client makes', (text, hash) => {
    expect(routeHash(text)).toBe(hash)
  })

  it('differs for texts that differ in one character, in its length, or in its order', () => {
    const texts = [
      's1',
      's2',
      's',
      's11',
      '1s',
      'S1',
      'https://api.openai.com/v1',
      'https://api.openai.com/v2',
    ]
    const hashes = texts.map(routeHash)
    expect(new Set(hashes).size).toBe(texts.length)
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-z]{2,14}$/)
  })
})
