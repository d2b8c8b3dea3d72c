import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NextRequest } from 'next/server'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCli } from '../run-cli'
import { sharedFolder } from '../store-folder'
import { checkDocument, DOCUMENT_NOW, documentWorld, RUNNING, setTimes } from './document-world'
import { environmentOfKinds, writeStoresOfEachKind } from './stores-of-each-kind'

/*
 * Every answer of `app/api`, compared with a golden document as those of verbs are (`documents.test.ts`); renewed in the
 * same way.
 */

const API = fileURLToPath(new URL('../../../app/api', import.meta.url))

/** Streams that do not end, sign-in, changes, pictures, and jobs and experiments, of which there are none here. */
const WITHOUT_DOCUMENT = [
  'jobs/[id]',
  'lab/evidence',
  'lab/export/[id]',
  'lab/picks',
  'live',
  'sessions/[id]/entries/[seq]/image',
  'sign-in-link',
  'signed-in',
]

/** Routes with a test for themselves. */
const FACETS = 'sessions/facets'
const MAINTENANCE = 'stores/[id]/maintenance'

type Handler = (request: NextRequest, context: { params: Promise<object> }) => Promise<Response>

const folder = sharedFolder()
const world = documentWorld('answers', folder, { env: environmentOfKinds(folder) })

beforeAll(async () => {
  await writeStoresOfEachKind(folder)
  setTimes(folder)
  await runCli(['ingest'], { env: world.env, cwd: folder, stop: RUNNING })
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: DOCUMENT_NOW })
  for (const [name, value] of Object.entries(world.env)) vi.stubEnv(name, value)
})
afterEach(() => void vi.useRealTimers())

/** Answers a route; `path` has its parameters in brackets, `query` what is behind the question mark. */
async function ask(path: string, params: object, query = ''): Promise<{ status: number; answer: unknown }> {
  const { GET } = (await import(join(API, path, 'route.ts'))) as { GET: Handler }
  const request = new NextRequest(`http://127.0.0.1:4747/api/${path}?${query}`)
  const response = await GET(request, { params: Promise.resolve(params) })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, answer: isJson ? JSON.parse(text) : text }
}

type Case = readonly [path: string, query?: string, params?: object]

const GENERAL: readonly Case[] = [
  ['activity', 'tab=drops'],
  ['activity/cut-off', 'cutoff=0.3'],
  ['activity/export', 'form=json'],
  ['sessions/export', 'form=json'],
  ['activity/transcripts', 'kind=compaction'],
  ['activity/trial', 'cutoff=0.3'],
  ['audit'],
  ['cold-storage', 'q=crane'],
  ['cold-storage/chunk', 'chunk=e4&of=busy&at=1795165200000'],
  ['findings'],
  ['findings/groups'],
  ['findings/list'],
  ['findings/effects'],
  ['findings/foreseen', 'session=busy&finding=none'],
  ['help'],
  ['jobs'],
  ['jobs/open'],
  ['lab', 'experiment=none'],
  ['lab/sessions', 'agent=main'],
  ['memory', 'q=crane'],
  ['overview', 'days=7'],
  ['policies/fills'],
  ['policies/fit'],
  ['policies/workspaces', 'window=200000'],
  ['sessions'],
  ['sessions', 'q=berth'],
  ['stores'],
]

const OF_SESSION: readonly Case[] = [
  ['policies/sessions/[id]'],
  ['sessions/[id]'],
  ['sessions/[id]/calls', 'page=1'],
  ['sessions/[id]/calls'],
  ['sessions/[id]/calls.csv'],
  ['sessions/[id]/findings'],
  ['sessions/[id]/findings/list'],
  ['sessions/[id]/compactions'],
  ['sessions/[id]/compactions/[seq]', '', { seq: '21' }],
  ['sessions/[id]/context', 'call=3'],
  ['sessions/[id]/entries', 'page=1'],
  ['sessions/[id]/entries/[seq]', '', { seq: '5' }],
  ['sessions/[id]/entries/[seq]/text', 'from=100&block=0', { seq: '5' }],
  ['sessions/[id]/exact', 'call=3'],
  ['sessions/[id]/find', 'q=tide'],
  ['sessions/[id]/frames', 'from=1&to=6'],
  ['sessions/[id]/plan', 'policy=memfas'],
  ['sessions/[id]/plan/chunks', 'page=1&policy=memfas&action=drop'],
  ['sessions/[id]/plan/compare', 'compaction.keepRecentTokens=100'],
  ['sessions/[id]/plan/digest', 'policy=memfas'],
  ['sessions/[id]/plan/losses', 'policy=memfas'],
  ['sessions/[id]/plan/needs', 'policy=memfas&call=20'],
  ['sessions/[id]/plan/standing'],
  ['sessions/[id]/policy'],
  ['sessions/[id]/proof', 'call=3'],
  ['sessions/[id]/prune', 'policy=memfas'],
  ['sessions/[id]/prune/texts', 'page=1&policy=memfas'],
  ['sessions/[id]/recall', 'q=crane'],
  ['sessions/[id]/turns', 'page=1'],
]

const nameOf = ([path, query = '']: Case) =>
  `${path}${query === '' ? '' : `-${query}`}`.replaceAll(/[/&=]/g, '-').replaceAll(/[[\]]/g, '')

describe('answers of app/api', () => {
  it.each(GENERAL.map((one) => [nameOf(one), one] as const))('%s', async (name, [path, query]) => {
    await checkDocument(world, name, await ask(path, {}, query))
  })

  it('sessions-facets', async () => {
    const { status, answer } = await ask(FACETS, {})
    const { stores, ...rest } = answer as { stores: readonly { label: string }[] }
    // Stores with as many sessions come in the order of their ids, which are hashes of paths.
    const sorted = stores.toSorted((a, b) => a.label.localeCompare(b.label))
    await checkDocument(world, 'sessions-facets', { status, answer: { stores: sorted, ...rest } })
  })

  it.each(OF_SESSION.map((one) => [nameOf(one), one] as const))('%s', async (name, [path, query, more]) => {
    const { answer } = await ask('sessions', {})
    const { rows } = answer as { rows: readonly { id: string; title: string; store: string }[] }
    const session = rows.find(({ title, store }) => title === 'Berth plan' && store.endsWith('files'))
    await checkDocument(world, name, await ask(path, { id: session?.id, ...more }, query))
  })

  it('stores-id-maintenance', async () => {
    const { answer } = await ask('stores', {})
    const { stores } = answer as { stores: readonly { id: string; root: string }[] }
    const store = stores.find(({ root }) => root === join(folder, 'files'))
    await checkDocument(world, 'stores-id-maintenance', await ask(MAINTENANCE, { id: store?.id }))
  })

  it('every route has one', () => {
    const routes = readdirSync(API, { recursive: true, withFileTypes: true })
      .filter(({ name }) => name === 'route.ts')
      .map((entry) => entry.parentPath.slice(API.length + 1))
    const compared = [...GENERAL, ...OF_SESSION].map(([path]) => path)
    expect(routes.sort()).toEqual(
      [...new Set([...compared, FACETS, MAINTENANCE, ...WITHOUT_DOCUMENT])].sort(),
    )
  })
})
