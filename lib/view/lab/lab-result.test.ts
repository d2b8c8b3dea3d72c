import { describe, expect, it } from 'vitest'
import type { ExperimentResult, ReplayedPolicy, ReplayedSession } from '../../core/replay/experiment-result'
import type { Regret, ReplaySum } from '../../core/replay/replay-result'
import { labResultView } from './lab-result'
import { regretsView } from './regrets'

const at = (value: number, spread = 0) => ({ value, low: value - spread, high: value + spread })
const sum = (over: Partial<ReplaySum> = {}): ReplaySum => ({
  ...{ sessions: 2, calls: 40, needs: 90, saving: at(0.31, 0.05), savingBeforeMisses: at(0.35) },
  ...{ tokensSaved: at(0.5), recall: at(0.9962, 0.001), longRecall: at(0.97, 0.01), rulesKept: at(1) },
  ...{ lost: at(0.001), usdAll: 2, usdSent: 1.4, missTokens: 10, rewrites: 4, compactions: 2, overfull: 0 },
  largestShare: 0.8,
  ...over,
})
const regret: Regret = {
  ...{ transcriptId: 't1', need: 3, call: 9, text: 'src/berth.ts', kind: 'path', weight: 0.8 },
  ...{ verdict: 'lost', chunk: 4, droppedBefore: 7, rule: 'cut', entry: 5, from: 0, to: 40, callEntry: 21 },
}
const policy = (over: Partial<ReplayedPolicy> = {}): ReplayedPolicy => ({
  ...{ name: 'vs7', label: 'VS7', about: 'Five regions.', role: 'policy', sum: sum(), regrets: [regret] },
  unmet: 12,
  ...over,
})
const session = (over: Partial<ReplayedSession> = {}): ReplayedSession => ({
  ...{ transcriptId: 't1', storeId: 's', sessionId: 'one', agent: 'main', title: 'Harbour', startedAt: 1 },
  ...{ calls: 20, needs: 45, weight: 8, passedOver: 0 },
  fit: { matched: 19, compared: 20, money: 1.01, moneyByTimes: 1.01, rewrites: null, coldStarts: [] },
  excluded: { quoted: 0, reread: 0, encrypted: 0, repeated: 0, unseen: 0, refused: 0 },
  ...over,
})
const result = (over: Partial<ExperimentResult> = {}): ExperimentResult => ({
  versions: { replay: 1, prices: 'list' },
  weighing: { owners: 1, sharedSpans: 0, countedSpans: 1, precision: [] },
  sessions: [session(), session({ transcriptId: 't2', title: 'Crane', weight: 2 })],
  problems: [],
  tune: null,
  policies: [policy()],
  ...over,
})
const plain = (text: string | null | undefined) => text?.replace(/[\u202f\u00a0]/g, ' ')

describe('the result of an experiment', () => {
  it('says what needs were weighed by: other workspaces, and recorded compactions where there are some', () => {
    expect(plain(labResultView(result()).weighing)).toBe(
      'All of one workspace, so every span counts as rare. How sure a need is: 80 % for every kind, the prior, since nothing that was written again after a compaction in these sessions tells more.',
    )
    const precision = [{ kind: 'path', value: 0.742, shown: 60, unseen: 20 }]
    const weighing = { owners: 4, sharedSpans: 1_234, countedSpans: 0.5, precision }
    expect(plain(labResultView(result({ weighing })).weighing)).toBe(
      'Weighed among 4 workspaces: 1 234 spans that more than one of them has weigh less (counted over 50 % of all spans). How sure a need is, by what was written again after recorded compactions: path 74 % (80 cases); 80 % for the other kinds, the prior.',
    )
    expect(labResultView(result({ weighing: null })).weighing).toBeNull()
  })

  it('says on how much it rests, and warns when one session has more than 30 % of the weight', () => {
    const view = labResultView(result())
    expect(plain(view.scope)).toBe(
      '2 sessions, 40 calls, 90 needs; the largest session has 80 % of the weight.',
    )
    expect(plain(view.warning)).toContain('One session has 80 %')
    const even = [1, 2, 3, 4].map((n) => session({ transcriptId: `t${n}`, weight: 1 }))
    expect(labResultView(result({ sessions: even })).warning).toBeNull()
    expect(labResultView(result({ sessions: [session()] })).scope).toContain('no interval')
  })

  it('gives each figure with its interval as an estimate, and what is unknown as unknown', () => {
    const none = policy({ name: 'none', sum: sum({ saving: null, longRecall: null, usdSent: null }) })
    const [row, unknown] = labResultView(result({ policies: [policy(), none] })).rows
    expect(plain(row?.saving)).toBe('≈ 31 % (26 % … 36 %)')
    expect(plain(row?.recall)).toBe('≈ 99.6 % (99.5 % … 99.7 %)')
    expect(unknown).toMatchObject({ saving: '?', longRecall: '?', usd: '?' })
  })

  it('draws only policies with both figures', () => {
    const none = policy({ name: 'none', sum: sum({ longRecall: null }) })
    const { points } = labResultView(result({ policies: [none, policy()] }))
    expect(points).toMatchObject([{ key: 'vs7', number: 2 }])
  })

  it('marks sessions whose cache is not reproduced within 5 %', () => {
    const off = { matched: 1, compared: 20, money: 0.8, moneyByTimes: 0.8, rewrites: 2, coldStarts: [] }
    const cold = { ...off, matched: 18, money: 1, coldStarts: [4, 9] }
    const silent = { ...off, matched: 0, compared: 0, money: null, moneyByTimes: null }
    const sessions = [session(), session({ fit: off }), session({ fit: silent }), session({ fit: cold })]
    const view = labResultView(result({ sessions }))
    expect(view.sessions.map(({ fit, isRanged }) => [fit, isRanged])).toEqual([
      ['19 of 20 calls', false],
      ['1 of 20 calls', true],
      ['no cache figures', true],
      ['18 of 20 calls, 2 cold starts', false],
    ])
    expect(view.ranged).toContain('2 sessions')
  })

  it('prints each share that was left out, by why', () => {
    const excluded = { ...session().excluded, refused: 2, quoted: 6 }
    const view = labResultView(result({ sessions: [session({ weight: 2, excluded })] }))
    expect(plain(view.excluded)).toBe(
      'Not counted: 75 % that the summary itself said first, 50 % that you said are none.',
    )
  })
})

describe('unmet needs', () => {
  it('name what went and when, the call that needed it, and lead to both lines', () => {
    const view = regretsView(result(), null, () => false)
    expect(view).toMatchObject({ policy: 'vs7', unmet: 12 })
    expect(view?.items[0]).toMatchObject({
      why: 'It went before call 8: it was before the cut of a compaction, and the summary does not hold it. Call 10 wrote it again; nothing that says where to find it is there any more.',
      drop: { href: '/sessions/t1/transcript?entry=5' },
      need: { href: '/sessions/t1/transcript?entry=21' },
      session: { title: 'Harbour' },
      refused: false,
    })
  })

  it('are first those of what is in force; another policy can be asked for', () => {
    const policies = [
      policy(),
      policy({ name: 'in-force', role: 'in-force' }),
      policy({ name: 'x', unmet: 0 }),
    ]
    expect(regretsView(result({ policies }), null, () => false)?.policy).toBe('in-force')
    expect(regretsView(result({ policies }), 'vs7', () => false)?.policy).toBe('vs7')
    expect(regretsView(result({ policies }), 'x', () => false)?.policy).toBe('in-force')
    expect(regretsView(result({ policies: [policy({ unmet: 0 })] }), null, () => false)).toBeNull()
  })
})
