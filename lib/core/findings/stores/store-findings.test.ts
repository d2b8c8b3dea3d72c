import { describe, expect, it } from 'vitest'
import { storeConfusionOf } from '../../../testing/findings/labelled-stores'
import { STORE_LABEL_RULES } from '../../../testing/findings/store-rules'
import type { StoreFacts, StoreSession } from './store-facts'
import { STORE_DETECTORS, storeFindings } from './store-findings'

const NOW = Date.UTC(2026, 10, 20)
const DAY = 86_400_000

function sessionOf(i: number, over: Partial<StoreSession> = {}): StoreSession {
  return {
    transcriptId: `t${i}`,
    sessionId: `s${i}`,
    agent: 'main',
    path: `/s/${i}.jsonl`,
    deletion: null,
    lock: null,
    ...over,
  }
}

function found(sessions: readonly StoreSession[], over: Partial<StoreFacts> = {}) {
  return storeFindings({
    storeId: 'st',
    runtime: 'claude-code',
    now: NOW,
    sessions,
    isArchived: false,
    overdue: null,
    expired: null,
    notes: null,
    ...over,
  })
}

const due = (days: number) => ({ at: NOW + days * DAY, rule: 'cleanupPeriodDays is 30, its default' })
const lock = (over: Partial<NonNullable<StoreSession['lock']>> = {}) => ({
  ...{ stale: null, since: NOW - 60_000, pid: 7, command: 'openclaw gateway', ...over },
})

describe('findings of a store', () => {
  it('says which transcripts the runtime deletes soon, and nothing where the archive keeps them', () => {
    const sessions = [sessionOf(1, { deletion: due(5) }), sessionOf(2, { deletion: due(1) }), sessionOf(3)]
    expect(found(sessions)).toMatchObject([
      {
        kind: 'deleted-soon',
        severity: 'medium',
        evidence: { times: 2 },
        concerns: { transcriptId: 't2' },
        sentence:
          '2 transcripts will be deleted by the runtime within 7 days, 1 transcript of them within 2, the first from 2026-11-21 on (cleanupPeriodDays is 30, its default).',
      },
    ])
    expect(found([sessionOf(1, { deletion: due(5) })])).toMatchObject([{ severity: 'low' }])
    expect(found(sessions, { isArchived: true })).toEqual([])
    expect(found([sessionOf(1, { deletion: due(8) })])).toEqual([])
    // The same one, whichever session speaks for it.
    expect(found(sessions)[0]?.id).toBe(found(sessions.slice(0, 1))[0]?.id)
  })

  it('X17 are kept by the setting of Claude Code, and under every runtime by our own archive', () => {
    const keysOf = (runtime: 'claude-code' | 'openclaw') =>
      found([sessionOf(1, { deletion: due(1) })], { runtime }).flatMap(({ remedies }) =>
        remedies.flatMap((remedy) => (remedy.by === 'setting' ? [[remedy.key, remedy.value]] : [])),
      )
    expect(keysOf('claude-code')).toEqual([
      ['cleanupPeriodDays', 365],
      ['archive.enabled', true],
    ])
    expect(keysOf('openclaw')).toEqual([['archive.enabled', true]])
  })

  it('says which locks were left behind, and which are held very long', () => {
    const stale = found([
      sessionOf(1, { lock: lock({ stale: 'process 7 has ended', since: NOW - 2 * DAY }) }),
    ])
    expect(stale).toMatchObject([
      { kind: 'stale-lock', severity: 'medium', sentence: expect.stringContaining('process 7 has ended') },
    ])
    const held = found([sessionOf(1, { lock: lock({ since: NOW - 3 * 3_600_000 }) })])
    expect(held).toMatchObject([
      { severity: 'low', sentence: expect.stringMatching(/^Process 7 .* for 3\sh\.$/) },
    ])
    expect(found([sessionOf(1, { lock: lock() }), sessionOf(2)])).toEqual([])
  })

  it('says where transcripts, cold storage or memory only grow', () => {
    const grown = (files: number, bytes: number, isCut = false) => ({
      ...{ folder: '/c', files, bytes, oldest: NOW - 90 * DAY, isCut },
    })
    expect(found([sessionOf(1)], { expired: grown(60, 1000) })).toMatchObject([
      {
        kind: 'only-grows',
        severity: 'low',
        evidence: { times: 60 },
        sentence: expect.stringMatching(/^60 expired chunks of cold storage \(1 MB\) were not purged/),
      },
    ])
    expect(found([sessionOf(1)], { overdue: grown(20, 1000) })).toMatchObject([
      {
        ...{ severity: 'low', evidence: { times: 20 }, remedies: [{ by: 'action', action: 'maintain' }, {}] },
        sentence: expect.stringMatching(/^20 transcripts \(1 MB\) are past the limits of OpenClaw/),
      },
    ])
    expect(found([sessionOf(1)], { overdue: grown(19, 1000) })).toEqual([])
    expect(found([sessionOf(1)], { notes: grown(400, 1000) })).toMatchObject([{ evidence: { times: 400 } }])
    expect(found([sessionOf(1)], { notes: grown(400, 1000, true) })).toMatchObject([
      { sentence: expect.stringMatching(/^At least 400 notes of memory/) },
    ])
    expect(found([sessionOf(1)], { expired: grown(60, 1000, true) })).toMatchObject([
      { sentence: expect.stringMatching(/^At least 60 expired chunks .* one of them since/) },
    ])
    expect(found([sessionOf(1)], { expired: grown(49, 1000), notes: grown(365, 1000) })).toEqual([])
    expect(found([sessionOf(1)], { expired: grown(1, 30 * 1024 ** 2) })).toHaveLength(1)
  })

  it('has labelled cases of real files for each detector', () => {
    expect(STORE_LABEL_RULES.map(({ kind }) => kind).sort()).toEqual(
      STORE_DETECTORS.map(({ kind }) => kind).sort(),
    )
  })

  it.each(STORE_LABEL_RULES.map((rule) => [rule.kind, rule] as const))(
    'finds what is planted and leaves alone what looks like it: %s',
    async (_, rule) => {
      expect(await storeConfusionOf(rule, 5)).toEqual({ found: 5, missed: [], false: [], calm: 5 })
    },
  )

  it('has words for each', () => {
    for (const { title, about, signs } of STORE_DETECTORS)
      for (const words of [title, about, signs]) expect(words.length).toBeGreaterThan(8)
  })
})
