import { describe, expect, it } from 'vitest'
import { AUDIT_PAGE_SIZE, type AuditFacts, auditView, clampPage, readAuditPage } from './audit'

const LOG = {
  ok: true,
  files: ['/h/logs/audit.jsonl'],
  chained: 3,
  torn: 0,
  older: 0,
  broken: null,
  problems: [],
}

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
  proof: { kind: 'proved' },
  ...values,
})

const entryOf = (values: Partial<AuditFacts>) => {
  const [entry] = auditView({ total: 1, receipts: [receipt(values)], folder: '/h', log: LOG }, 1).entries
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

  it('offers no undo of a receipt that does not prove itself, and marks it', () => {
    expect(entryOf({}).doubt).toBeNull()
    const forged = entryOf({ proof: { kind: 'not-proved', why: 'It was changed after it was signed.' } })
    expect(forged).toMatchObject({ canUndo: false, state: 'not proved', tone: 'danger' })
    expect(forged.doubt).toMatch(/^Not proved\. It was changed after it was signed\./)
    const older = entryOf({ proof: { kind: 'older' } })
    expect(older).toMatchObject({ canUndo: false, state: 'done' })
    expect(older.doubt).toContain('plimsoll undo r1 --unsigned')
    expect(entryOf({ proof: { kind: 'older' }, state: 'failed' }).doubt).not.toContain('undo r1')
  })

  it('says what the log of writes proves', () => {
    const linesOf = (values: object) =>
      auditView({ total: 0, receipts: [], folder: '/h', log: { ...LOG, ...values } }, 1).log.lines
    expect(linesOf({})).toEqual([
      '3 lines of /h/logs/audit.jsonl: each follows the one before it, and none is missing.',
    ])
    expect(linesOf({ older: 2, torn: 1 })).toEqual([
      expect.stringContaining('3 lines'),
      '2 lines from before the log was chained: unchanged since it is.',
      '1 line cut short by a crash.',
    ])
    expect(linesOf({ chained: 0, older: 1 })).toEqual([
      expect.stringContaining('the next write begins the chain'),
      '1 line from before the log was chained, which nothing proves.',
    ])
    const broken = { file: '/h/logs/audit.1.jsonl', line: 7, why: 'It was changed after it was written.' }
    expect(linesOf({ ok: false, broken, problems: ['More.'] })).toEqual([
      'The chain breaks at line 7 of /h/logs/audit.1.jsonl. It was changed after it was written.',
      'More.',
    ])
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
