import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import { findDemoRoots, writeDemoFiles } from './demo-files'

const NOW = Date.parse('2026-11-21T12:00:00Z')

it('writes the demo into the state folder, once', async () => {
  const home = temporaryFolder()
  expect(findDemoRoots(home)).toEqual([])
  const roots = await writeDemoFiles({ home, now: NOW })
  expect(roots.map((root) => root.kind)).toEqual(['openclaw', 'pi'])
  expect(readdirSync(home)).toEqual(['demo'])
  const index = join(roots[0]?.path ?? '', 'agents', 'harbour', 'sessions', 'sessions.json')
  const before = readFileSync(index, 'utf8')
  await writeDemoFiles({ home, now: NOW + 1_000_000 })
  expect(readFileSync(index, 'utf8')).toBe(before)
})

it('two at once leave one whole demo and no rest', async () => {
  const home = temporaryFolder()
  const [first, second] = await Promise.all([
    writeDemoFiles({ home, now: NOW }),
    writeDemoFiles({ home, now: NOW }),
  ])
  expect(first).toEqual(second)
  expect(readdirSync(home)).toEqual(['demo'])
})
