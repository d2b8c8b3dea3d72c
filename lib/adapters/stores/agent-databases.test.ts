import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import type { SqliteFiles } from '../sqlite/read-only'
import { AgentDatabases } from './agent-databases'
import type { AgentDatabase } from './openclaw-database'

it('a page waits for databases that do not answer no longer than it may, and has their answer the next time', async () => {
  const folder = temporaryFolder()
  const files = ['one.sqlite', 'two.sqlite'].map((name) => join(folder, name))
  for (const file of files) writeFileSync(file, '')
  const waiting: ((found: AgentDatabase) => void)[] = []
  const asked: string[] = []
  const silent: SqliteFiles = {
    read: <T>(file: string) => {
      asked.push(file)
      return new Promise<T>((resolve) => waiting.push((found) => resolve(found as T)))
    },
  }
  const databases = new AgentDatabases(silent, 20)
  const [one = '', two = ''] = files
  for (const file of [one, two, one])
    await expect(databases.get(file)).rejects.toMatchObject({ code: 'locked', path: file })
  // It is asked once, however often somebody looks.
  expect(asked).toEqual([one, two])

  const found = { schema: 23, agent: 'main', transcripts: [], archives: [], index: new Map() }
  for (const answer of waiting) answer(found)
  databases.beginLook()
  expect(await databases.get(one)).toBe(found)
  expect(await databases.get(two)).toBe(found)
  expect(asked).toHaveLength(2)
})
