import { describe, expect, it } from 'vitest'
import type { SessionFinding } from '../../core/findings/finding'
import { estimated, measured, UNKNOWN } from '../../core/tokens/figure'
import { findingsView, readFindingsPlace } from './findings-page'
import { type FindingsPlace, findingsQuery, OPEN_FINDINGS } from './findings-place'

const finding: SessionFinding = {
  id: 'will-not-fit.1',
  kind: 'will-not-fit',
  cause: 'will-not-fit',
  severity: 'high',
  confidence: 'certain',
  evidence: { times: 9, calls: [3, 4, 5, 6, 7], lines: [], before: null, after: null },
  cost: { tokens: measured(90_000), usd: estimated(0.5, 10), calls: measured(9), unpriced: 0 },
  firstSeen: 1,
  lastSeen: 2,
  concerns: {
    storeId: 's',
    transcriptId: 'ab12',
    sessionId: 'berth',
    agent: 'main',
    provider: null,
    model: null,
  },
  sentence: 'The next call will not fit.',
  remedies: [
    { by: 'setting', lever: 'keep', runtime: 'openclaw', key: 'a.b', value: 'cache-ttl', words: 'Set it.' },
    { by: 'command', argv: ['plimsoll', 'compact', 'berth'], words: 'Compact it.' },
    { by: 'advice', words: 'Ask less.' },
  ],
}
const session = {
  id: 'ab12',
  sessionId: 'berth',
  name: 'Berth plan',
  key: null,
  agent: 'main',
  channel: null,
}
const cause = (over: object = {}) => ({
  ...{ kind: 'will-not-fit', cause: 'will-not-fit', severity: 'high' as const, sessions: 2 },
  ...{ usd: 0.59, tokens: 219_600, withoutUsd: 0, withoutTokens: 0, lastSeen: 2 },
  worst: { finding, session, store: null, foundAt: 1, goneAt: null },
  ...over,
})

const NONE = { mutes: [], applied: [], now: 10 }
const COUNTS = { high: 1, medium: 0, low: 2 }
type Causes = Parameters<typeof findingsView>[1]['causes']
const view = (causes: Causes, place: Partial<FindingsPlace> = {}, notes = {}) =>
  findingsView({ ...OPEN_FINDINGS, ...place }, { causes, counts: COUNTS }, { ...NONE, ...notes })

describe('the page of findings', () => {
  it('leads from a cause to its dearest session and calls, with what it cost and what to do', () => {
    const [item] = view([cause()]).causes
    expect(item).toMatchObject({
      sentence: 'The next call will not fit.',
      cost: '≈ $0.59 · 220k tokens in 2 sessions',
      session: { title: 'Berth plan', place: 'main', href: '/sessions/ab12' },
      allHref: '/findings?session=ab12&finding=will-not-fit.1',
    })
    expect(item?.title).not.toBe('will-not-fit')
    expect(item?.calls.map(({ href }) => href)).toEqual([3, 4, 5, 6].map((n) => `/sessions/ab12?call=${n}`))
    expect(item?.remedies).toEqual([
      { words: 'Set it.', code: 'a.b: "cache-ttl"', href: null },
      { words: 'Compact it.', code: 'plimsoll compact berth', href: null },
      { words: 'Ask less.', code: null, href: null },
    ])
  })

  it('leads to lines of the transcript, and to no call before the first', () => {
    const evidence = { ...finding.evidence, calls: [0, 2], lines: [17], href: null }
    const worst = { finding: { ...finding, evidence }, session, store: null, foundAt: 1, goneAt: null }
    const [item] = view([cause({ worst, sessions: 1 })]).causes
    expect(item?.calls.map(({ number }) => number)).toEqual([2])
    expect(item?.lines).toEqual([{ number: 17, href: '/sessions/ab12/transcript?line=17' }])
    expect(item?.allHref).toBeNull()
  })

  it('says what is unknown, and never takes it for nothing', () => {
    const cost = (over: object) => view([cause(over)]).causes[0]?.cost.replace(/\u202f/g, ' ')
    expect(cost({ usd: null, sessions: 1 })).toBe('price unknown · 220k tokens in 1 session')
    expect(cost({ withoutUsd: 1, tokens: null })).toBe('≈ $0.59 and what has no price in 2 sessions')
  })

  it('covers credentials in the words of a finding', () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789'
    const worst = {
      finding: { ...finding, sentence: `Failed with ${secret}.` },
      session,
      store: null,
      foundAt: 1,
      goneAt: null,
    }
    expect(JSON.stringify(view([cause({ worst })]))).not.toContain(secret)
  })

  it('says of a muted one why and until when, and shows what was muted before in its history', () => {
    const mute = { finding: 'other.1', cause: 'will-not-fit', reason: 'Known.', at: 3, until: null }
    expect(view([cause()], { show: 'muted' }, { mutes: [mute] }).causes[0]).toMatchObject({
      ...{ finding: 'will-not-fit.1', subjectId: 'ab12', applies: 'setting' },
      mute: { reason: 'Known.', at: 3, until: null },
    })
    const [ended] = view([cause()], {}, { mutes: [{ ...mute, until: 9 }] }).causes
    expect(ended?.mute).toBeNull()
    expect(ended?.history).toEqual([
      { at: 1, words: 'Found', until: null },
      { at: 3, words: 'Muted: Known.', until: 9 },
    ])
  })

  it('tells the story of a finding: found, applied, taken back, gone', () => {
    const applied = {
      ...{ receipt: 'r1', at: 4, undoneAt: 6, finding: 'other.2', kind: 'will-not-fit', file: '/a.json' },
      ...{ key: 'a.b', from: null, to: 7, cause: 'will-not-fit' },
    }
    const worst = { finding, session, store: null, foundAt: 1, goneAt: 8 }
    const shown = view([cause({ worst })], {}, { applied: [applied, { ...applied, cause: 'else' }] })
    expect(shown.causes[0]?.history.map(({ at, words }) => [at, words])).toEqual([
      [1, 'Found'],
      [4, 'Applied: a.b: not set → 7'],
      [6, 'Taken back: a.b'],
      [8, 'Not found any more'],
    ])
    expect(shown.applied[0]).toMatchObject({ receipt: 'r1', change: 'a.b: not set → 7', undoneAt: 6 })
  })

  it('counts pages by what is chosen, and lists the sessions of one cause', () => {
    const counts = { high: 120, medium: 3, low: 0 }
    const pages = (place: Partial<FindingsPlace>) =>
      findingsView({ ...OPEN_FINDINGS, ...place }, { causes: [], counts }, NONE).pages
    expect([pages({}), pages({ severity: 'high' }), pages({ severity: 'low' })]).toEqual([5, 5, 1])
    const of = { about: 'session', id: 'ab12', finding: 'will-not-fit.1' } as const
    const rows = [{ finding, session, store: null, foundAt: 1, goneAt: null }]
    const { members, causes } = findingsView(
      { ...OPEN_FINDINGS, of },
      { causes: [cause()], counts, members: { total: 1, rows } },
      NONE,
    )
    expect(causes[0]?.allHref).toBeNull()
    expect(members?.rows[0]).toMatchObject({
      cost: '≈ $0.50 · 90k tokens',
      session: { href: '/sessions/ab12/findings' },
    })
  })

  it('leads from what is wrong in a store to the store, and names the transcripts that it is about', () => {
    const store = { id: 'st1', kind: 'claude-code', root: '/home/.claude/projects', label: 'Claude Code · x' }
    const transcripts = [
      { id: 'ab12', at: 100 },
      { id: 'cd34', at: 200 },
    ]
    const due: SessionFinding = {
      ...finding,
      ...{ id: 'deleted-soon.1', kind: 'deleted-soon', cause: 'deleted-soon st1' },
      cost: { tokens: UNKNOWN, usd: UNKNOWN, calls: UNKNOWN, unpriced: 0 },
      evidence: { ...finding.evidence, times: 40, calls: [], transcripts },
    }
    const worst = { finding: due, session, store, foundAt: 1, goneAt: null }
    const sums = { usd: null, tokens: null, withoutUsd: 1, withoutTokens: 1, sessions: 1 }
    const facts = cause({ kind: 'deleted-soon', cause: due.cause, worst, ...sums })
    const [item] = view([facts]).causes
    const href = '/findings?store=st1&finding=deleted-soon.1'
    expect(item).toMatchObject({
      subjectId: 'st1',
      session: null,
      store: { title: 'Claude Code · projects', href: '/stores#st1' },
      cost: 'no price is known',
      allHref: href,
    })
    expect(item?.title).not.toBe('deleted-soon')
    const place = readFindingsPlace(Object.fromEntries(new URLSearchParams(href.split('?')[1])))
    expect(place.of).toEqual({ about: 'store', id: 'st1', finding: 'deleted-soon.1' })
    const members = { total: 1, rows: [worst] }
    const shown = findingsView(
      place,
      { causes: [facts], counts: COUNTS, members, names: new Map([['ab12', session]]) },
      NONE,
    )
    expect(shown.transcripts).toMatchObject({
      total: 40,
      rows: [
        { title: 'Berth plan', href: '/sessions/ab12', at: 100 },
        { title: 'cd34', href: '/sessions/cd34' },
      ],
    })
    const lock = { ...due, evidence: { ...due.evidence, times: 1, transcripts: [{ id: 'ab12', at: 1 }] } }
    expect(view([cause({ worst: { ...worst, finding: lock }, ...sums })]).causes[0]).toMatchObject({
      session: { title: 'Berth plan' },
      allHref: null,
    })
  })

  it('keeps what is chosen in the address', () => {
    const of = { about: 'session', id: 'ab12', finding: 'cache-expired.1f' } as const
    const place = { severity: 'high', kind: 'cache-expired', show: 'muted', of, page: 3 } as const
    const query = findingsQuery(place)
    expect(readFindingsPlace(Object.fromEntries(new URLSearchParams(query)))).toEqual(place)
    expect(
      readFindingsPlace({
        severity: 'worst',
        kind: 'constructor',
        finding: '../x',
        session: 'a',
        page: '-1',
      }),
    ).toEqual(OPEN_FINDINGS)
  })
})
