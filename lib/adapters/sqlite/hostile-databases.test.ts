import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FoundStore } from '../../engine/read/ports'
import { AgentDatabaseBuilder } from '../../testing/builders/agent-database'
import { HOSTILE_DATABASES } from '../../testing/hostile/hostile-sqlite'
import { listAll, readAll, temporaryFolder, treeOf } from '../../testing/store-folder'
import { discoverStores } from '../discovery/discover'
import { createStoreReader } from '../stores/store-reader'

const fileIn = (root: string) => join(root, 'agents', 'main', 'agent', 'openclaw-agent.sqlite')

describe('a database that is made to harm its reader', () => {
  it.each(Object.entries(HOSTILE_DATABASES))('%s: this store alone suffers', async (_, { make, problem }) => {
    const bad = temporaryFolder()
    mkdirSync(dirname(fileIn(bad)), { recursive: true })
    make(fileIn(bad))
    const good = temporaryFolder()
    const database = new AgentDatabaseBuilder(fileIn(good))
    database.session({ id: 's1', key: 'agent:main:main', rows: ['{"type":"session"}'], entry: {} }).close()

    const before = treeOf(bad)
    const reader = createStoreReader()
    const { stores } = await discoverStores({ env: {}, home: '/nowhere', only: [bad, good] })
    const [hostile, other] = stores as [FoundStore, FoundStore]
    expect(other).toMatchObject({ root: good, state: 'ok' })
    expect((await listAll(reader, other)).transcripts).toHaveLength(1)
    if (problem !== null) {
      expect(hostile).toMatchObject({
        root: bad,
        state: 'unreadable',
        problem: expect.stringMatching(problem),
      })
      const listed = await listAll(reader, hostile)
      expect(String(listed.problem)).toMatch(problem)
    } else {
      expect(hostile).toMatchObject({ root: bad })
      const { transcripts } = await listAll(reader, hostile)
      for (const transcript of transcripts) {
        const { problem: failure, facts } = await readAll(reader, hostile, transcript)
        expect(failure).toBeNull()
        expect(facts.length).toBeLessThan(1000)
      }
    }
    expect(treeOf(bad)).toEqual(before)
  })
})
