import { describe, expect, it } from 'vitest'
import { AUDIT_PAGE_SIZE, type AuditFacts, auditView, clampPage, readAuditPage } from './audit'

const receipt = (values: Partial<AuditFacts>): AuditFacts => ({
  id: 'r1',
  at: 1,
  kind: 'repair',
  actor: 'cli',
  reason: 'Two lines could not be read.',
  session: 'agent:main:main',
  state: 'done',
  problem: null,
  undoes: null,
  undoneBy: null,
  verified: true,
  files: [
    { path: '/s/a.jsonl', before: { size: 9, hash: 'aa' }, after: { size: 7, hash: 'bb' }, backup: '/b/aa' },
  ],
  summary: { dropped: 2, checked: null },
  ...values,
})

const entryOf = (values: Partial<AuditFacts>) => {
  const [entry] = auditView({ total: 1, receipts: [receipt(values)], folder: '/h' }, 1).entries
  if (entry === undefined) throw new Error('No entry')
  return entry
}

describe('X17: the list of writes', () => {
  it('tells who, what, why, the hashes, and whether there is a way back', () => {
    expect(entryOf({})).toMatchObject({
      actor: 'cli',
      kind: 'repair',
      reason: 'Two lines could not be read.',
      tone: 'ok',
      canUndo: true,
      files: [{ change: 'changed', before: { hash: 'aa', size: 9 }, after: { hash: 'bb', size: 7 } }],
      facts: [
        { name: 'dropped', value: '2' },
        { name: 'checked', value: 'unknown' },
      ],
    })
  })

  it('offers no undo of what failed, is under way, or was taken back', () => {
    for (const state of ['failed', 'pending', 'preparing', 'undone']) {
      expect(entryOf({ state }).canUndo, state).toBe(false)
    }
  })

  it('offers no undo of what OpenClaw did in its own database, and tells when that was not borne out', () => {
    const outside = { by: 'openclaw', files: [] } as const
    expect(entryOf(outside)).toMatchObject({ tone: 'ok', canUndo: false })
    expect(entryOf(outside).meaning).toContain('cannot be undone')
    const other = entryOf({ ...outside, verified: false, problem: 'It removed two.' })
    expect(other).toMatchObject({ tone: 'danger', canUndo: false, problem: 'It removed two.' })
  })

  it('shows that a failed write left a file as it was', () => {
    expect(entryOf({ state: 'failed', problem: 'The disk is full.' })).toMatchObject({
      tone: 'danger',
      problem: 'The disk is full.',
      files: [{ before: { hash: 'aa' }, after: { hash: 'aa' } }],
    })
  })

  it('says what was made and what was removed', () => {
    const state = { size: 1, hash: 'cc' }
    const files = [
      { path: '/new', before: null, after: state, backup: null },
      { path: '/old', before: state, after: null, backup: '/b/cc' },
    ]
    expect(entryOf({ files }).files.map(({ change }) => change)).toEqual(['made', 'removed'])
  })

  it('makes names of files harmless', () => {
    expect(entryOf({ reason: 'a\u202eb\nc' }).reason).not.toContain('\u202e')
  })

  it('has only pages that exist', () => {
    expect(clampPage(9, AUDIT_PAGE_SIZE * 2)).toBe(2)
    expect(clampPage(0, 0)).toBe(1)
    expect(['3', '0', '-1', 'x', undefined, ['2']].map(readAuditPage)).toEqual([3, 1, 1, 1, 1, 1])
  })
})
