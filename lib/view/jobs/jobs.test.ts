import { describe, expect, it } from 'vitest'
import { type JobFacts, jobsView, jobView, stepsText } from './jobs'

const job = (over: Partial<JobFacts> = {}): JobFacts => ({
  id: 'j1',
  kind: 'repair',
  title: 'Repair harbour',
  sessionId: 'abc',
  storeId: null,
  state: 'running',
  done: 1,
  of: 5,
  doing: 'Looking',
  receipt: null,
  message: null,
  createdAt: 1,
  startedAt: 2,
  endedAt: null,
  ...over,
})

const receipts = (state: string, newer = 0, problem: string | null = null) =>
  new Map([
    [
      'r1',
      {
        newer,
        receipt: {
          id: 'r1',
          at: 1,
          kind: 'repair',
          actor: 'dashboard',
          reason: 'Repaired.',
          session: null,
          state,
          problem,
          undoes: null,
          undoneBy: null,
          verified: true,
          files: [],
          summary: {},
        },
      },
    ],
  ])

const interrupted = { state: 'interrupted', endedAt: 9 }

describe('X16 a job on a page', () => {
  it('says how far it is, and leads to what it is about', () => {
    const view = jobView(job(), new Map())
    expect(view).toMatchObject({ open: true, writeSays: null, receipt: null })
    expect(view.about).toEqual({ href: '/sessions/abc', label: 'Session' })
    const store = { sessionId: null, storeId: '01' }
    expect(jobView(job({ ...store, kind: 'maintain' }), new Map()).about?.href).toBe('/stores/01/maintenance')
    expect(jobView(job({ sessionId: null }), new Map()).about?.href).toBe('/stores')
    expect(stepsText(view)).toBe('1 of 5')
    expect(stepsText({ done: 1_182, of: 10_001 })).toBe('1\u202f182 of 10\u202f001')
    expect(stepsText({ done: 7, of: null })).toBe('7')
    expect(stepsText({ done: 0, of: null })).toBe('')
  })

  it('leads to the receipt, on its page of the list, and back from it', () => {
    const done = job({ state: 'done', endedAt: 9, receipt: 'r1' })
    expect(jobView(done, receipts('done', 24)).receipt).toMatchObject({
      href: '/audit#r1',
      entry: { canUndo: true },
    })
    expect(jobView(done, receipts('undone', 25)).receipt).toMatchObject({
      href: '/audit?page=2#r1',
      entry: { canUndo: false },
    })
  })

  it('says what an interrupted write came to, as its receipt tells', () => {
    const says = (receipt: string | null, facts = new Map()) =>
      jobView(job({ ...interrupted, receipt }), facts).writeSays
    expect(says(null)).toContain('no store was changed')
    expect(says('r1')).toContain('not settled yet')
    expect(says('r1', receipts('pending'))).toContain('not settled yet')
    expect(says('r1', receipts('done'))).toContain('complete')
    expect(says('r1', receipts('failed', 0, 'Every file is as it was.'))).toBe('Every file is as it was.')
    expect(jobView(job({ state: 'failed', endedAt: 9 }), new Map()).writeSays).toBeNull()
  })

  it('shows what hides in names, and says something of every state', () => {
    expect(jobView(job({ title: 'a\u202eb', doing: '\u001b[2J' }), new Map()).title).not.toContain('\u202e')
    const states = ['waiting', 'running', 'done', 'refused', 'failed', 'cancelled', 'interrupted']
    const meanings = states.map((state) => jobView(job({ state }), new Map()).meaning)
    expect(new Set(meanings).size).toBe(states.length)
  })

  it('counts pages of ended jobs', () => {
    const facts = { open: [job()], ended: [], total: 51, receipts: new Map() }
    expect(jobsView(facts, 3)).toMatchObject({ page: 3, pages: 3, total: 51 })
    expect(jobsView({ ...facts, total: 0 }, 1).pages).toBe(1)
  })
})
