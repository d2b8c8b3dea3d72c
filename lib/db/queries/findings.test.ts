import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foundStore } from '../../adapters/discovery/found-store'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { PLAIN_JUDGE } from '../../engine/ingest/finding-judge'
import { importJobs } from '../../engine/ingest/import-jobs'
import { ingest } from '../../engine/ingest/ingest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { sharedFolder, writeFiles } from '../../testing/store-folder'
import { IngestRows } from '../commands/ingest'
import { countCauses, findCause, findFindingGroups } from './finding-causes'
import { findFindings } from './findings'

const PAGE = { skip: 0, limit: 50 }

/** Prompts with a compaction before each but the first. */
function looping(id: string, prompts: number): TranscriptBuilder {
  const builder = new TranscriptBuilder({ id })
  for (let i = 0; i < prompts; i++) again(builder, i > 0)
  return builder
}

function again(builder: TranscriptBuilder, compacts: boolean): void {
  const asked = builder.user('Go.')
  if (compacts) builder.compaction('Gone.', asked)
  builder.assistant('Yes.', { usage: { input: 50_000, output: 10 } })
}

let database: TestDatabase
let now = 1000
const builder = looping('s1', 4)
const folder = sharedFolder()
const file = join(folder, 's1.jsonl')
writeFiles(folder, { 's1.jsonl': builder.text(), 's2.jsonl': looping('s2', 8).text() })
const stores = ['s1', 's2'].map((name) =>
  foundStore('pi', 'jsonl', join(folder, `${name}.jsonl`), 'test', 'ok'),
)

async function pass(): Promise<void> {
  const rows = new IngestRows(database.connection, null)
  const reader = createStoreReader()
  const judge = { ...PLAIN_JUDGE, now: () => now }
  const executor = {
    run: (...[jobs, onBatch]: Parameters<Parameters<typeof ingest>[0]['executor']['run']>) =>
      importJobs(() => reader, rows, jobs, onBatch, { judge }),
  }
  await ingest({ clock: { now: Date.now }, database: rows, readerOf: () => reader, executor }, stores)
}

beforeAll(async () => {
  database = createTestDatabase()
  await pass()
})
afterAll(() => database.destroy())

const open = (filter = {}) => findFindings(database, filter, PAGE).rows

describe('findings in the database', () => {
  it('are there after an import, the worst first, with their session', () => {
    const found = open()
    expect(found.map(({ finding, session }) => [finding.severity, finding.kind, session.sessionId])).toEqual(
      expect.arrayContaining([
        ['high', 'compaction-chain', 's2'],
        ['medium', 'compaction-chain', 's1'],
      ]),
    )
    expect(found[0]?.finding.severity).toBe('high')
    expect(found.every(({ foundAt, goneAt }) => foundAt === 1000 && goneAt === null)).toBe(true)
  })

  it('are asked for by severity, kind, cause, session, store and time', () => {
    const [first] = open()
    if (first === undefined) throw new Error('nothing was found')
    expect(open({ severity: 'high' }).every(({ finding }) => finding.severity === 'high')).toBe(true)
    expect(open({ session: first.session.id }).every(({ session }) => session.sessionId === 's2')).toBe(true)
    const { kind, cause } = first.finding
    expect(open({ kind, cause }).length).toBe(2)
    expect(open({ store: 'none' })).toEqual([])
    expect(open({ from: Date.UTC(2027, 0, 1) })).toEqual([])
    expect(findFindings(database, {}, { skip: 0, limit: 1 })).toMatchObject({
      total: open().length,
      rows: [{}],
    })
  })

  it('come in groups of one cause, with sums of what is known', () => {
    const groups = findFindingGroups(database, {}, PAGE)
    const freed = groups.find(({ kind }) => kind === 'compaction-frees-nothing')
    const both = open({ kind: 'compaction-frees-nothing' })
    expect(freed).toMatchObject({ sessions: 2, severity: 'high', withoutTokens: 0 })
    expect(freed?.tokens).toBe(both.reduce((sum, { finding }) => sum + (finding.cost.tokens.value ?? 0), 0))
    expect(groups.find(({ kind }) => kind === 'compaction-chain')).toMatchObject({
      tokens: null,
      withoutTokens: 2,
    })
    expect(groups[0]?.severity).toBe('high')
  })

  it('are counted by cause, and given out page by page', () => {
    const groups = findFindingGroups(database, {}, PAGE)
    const counts = countCauses(database, {})
    const worst = (severity: 'high' | 'medium' | 'low') =>
      groups.filter((group) => group.severity === severity)
    expect(counts).toEqual({
      high: worst('high').length,
      medium: worst('medium').length,
      low: worst('low').length,
    })
    const paged = groups.map((_, skip) => findFindingGroups(database, {}, { skip, limit: 1 })[0])
    expect(paged).toEqual(groups)
    expect(findFindingGroups(database, {}, { ...PAGE, worst: 'high' })).toEqual(worst('high'))
  })

  it('lead to their cause by session and id', () => {
    const [first] = open()
    if (first === undefined) throw new Error('nothing was found')
    const { finding, session } = first
    expect(findCause(database, session.id, finding.id)).toBe(finding.cause)
    expect(findCause(database, 'other', finding.id)).toBeNull()
  })

  it('keep their id and their first moment while lines come in', async () => {
    const before = open({ kind: 'compaction-chain' }).find(({ session }) => session.sessionId === 's1')
    const from = builder.lines.length
    again(builder, true)
    again(builder, true)
    appendFileSync(file, `${builder.lines.slice(from).join('\n')}\n`)
    now = 2000
    await pass()
    const after = open({ kind: 'compaction-chain' }).find(({ session }) => session.sessionId === 's1')
    expect(after).toMatchObject({ foundAt: 1000, finding: { id: before?.finding.id, severity: 'high' } })
  })

  it('stay when they are not found any more, and say since when', async () => {
    const ids = open({ kind: 'compaction-chain' }).map(({ finding }) => finding.id)
    const calm = new TranscriptBuilder({ id: 's1' })
    calm.user('Go.')
    calm.assistant('Yes.', { usage: { input: 5000, output: 10 } })
    writeFileSync(file, calm.text())
    now = 3000
    await pass()
    expect(open({ kind: 'compaction-chain' }).map(({ session }) => session.sessionId)).toEqual(['s2'])
    const gone = open({ which: 'gone', kind: 'compaction-chain' })
    expect(gone).toMatchObject([{ foundAt: 1000, goneAt: 3000, session: { sessionId: 's1' } }])
    expect(ids).toContain(gone[0]?.finding.id)
  })

  it('are left out where they or their cause are muted, or listed alone', () => {
    const [one, ...others] = open({})
    if (one === undefined) throw new Error('nothing is open')
    const byId = { ids: [one.finding.id], causes: [] }
    expect(open({ muted: { only: true, ...byId } })).toEqual([one])
    expect(open({ muted: { only: false, ...byId } })).toEqual(others)
    const { cause } = one.finding
    const left = open({ muted: { only: false, ids: [], causes: [cause] } })
    expect(left.every(({ finding }) => finding.cause !== cause)).toBe(true)
    expect(open({ muted: { only: false, ids: [], causes: [] } })).toHaveLength(others.length + 1)
  })
})
