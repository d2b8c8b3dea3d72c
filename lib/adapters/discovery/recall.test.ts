import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FoundStore, SeenStore } from '../../engine/read/ports'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { type Discovery, discoverStores, newLookMemory } from './discover'
import { fingerprintRoot } from './store-fingerprint'

const HEADER = '{"type":"session","version":3,"id":"s1","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}\n'
const INDEX = 'agents/main/sessions/sessions.json'

function look(root: string, seen?: ReadonlyMap<string, SeenStore>): Promise<Discovery> {
  return discoverStores({ env: {}, home: '/nowhere', only: [root] }, { ...newLookMemory(), seen })
}

/** The stores as a database would have them after a look, each with a problem that no second look could make up. */
function remember(stores: readonly FoundStore[], change: Partial<SeenStore> = {}): Map<string, SeenStore> {
  return new Map(
    stores.map((store) => {
      const { label, state } = store
      return [
        store.id,
        { label, state, problem: `found in ${store.kind}`, fingerprint: fingerprintRoot(store), ...change },
      ]
    }),
  )
}

const problems = ({ stores }: Discovery) => stores.map(({ problem }) => problem)

function openClawFolder(): string {
  const root = temporaryFolder()
  writeFiles(root, { 'agents/main/sessions/s1.jsonl': HEADER, [INDEX]: '{}' })
  return root
}

describe('stores that were seen before', () => {
  it('are not examined again while nothing changes', async () => {
    const root = openClawFolder()
    const first = await look(root)
    expect(problems(first)).toEqual([undefined])
    expect(first.fingerprints.size).toBe(0)
    const again = await look(root, remember(first.stores))
    expect(again.stores).toEqual([{ ...first.stores[0], problem: 'found in openclaw' }])
    expect([...again.fingerprints.values()]).toEqual(first.stores.map(fingerprintRoot))
  })

  it('are examined again as soon as their index breaks, and say so', async () => {
    const root = openClawFolder()
    const seen = remember((await look(root)).stores)
    writeFileSync(join(root, INDEX), '{')
    expect(problems(await look(root, seen))).toEqual([expect.stringContaining(join(root, INDEX))])
  })

  it.each<[string, Partial<SeenStore>]>([
    ['called otherwise then', { label: 'OpenClaw · ~/x' }],
    ['missing where somebody looked since', { state: 'missing' }],
    ['not read to the end', { fingerprint: null }],
  ])('are examined when they were %s', async (_, change) => {
    const root = openClawFolder()
    const seen = remember((await look(root)).stores, change)
    expect(problems(await look(root, seen))).toEqual([undefined])
  })

  it('may be transcripts with an OpenClaw folder among them', async () => {
    const root = temporaryFolder()
    writeFiles(root, {
      'oc/agents/main/sessions/s1.jsonl': HEADER,
      'plain.jsonl': HEADER,
      'other.jsonl': '{"n":1}\n',
      'codex.jsonl': '{"timestamp":"x","type":"session_meta","payload":{}}\n',
    })
    const first = await look(root)
    expect(first.stores.map(({ kind }) => kind)).toEqual(['openclaw', 'codex', 'pi'])
    const seen = remember(first.stores)
    const again = await look(root, seen)
    expect(again.stores.map(({ id }) => id)).toEqual(first.stores.map(({ id }) => id))
    expect(problems(again)).toEqual(['found in openclaw', 'found in codex', 'found in pi'])
    appendFileSync(join(root, 'other.jsonl'), '{"n":2}\n')
    expect(problems(await look(root, seen))).toEqual([
      'found in openclaw',
      undefined,
      expect.stringContaining('1 .jsonl file holds no transcript that is known'),
    ])
  })
})
