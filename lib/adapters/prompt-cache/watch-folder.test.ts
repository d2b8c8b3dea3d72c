import { appendFile, mkdir, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inotifyWatches } from '../../testing/inotify'
import { temporaryFolder } from '../../testing/store-folder'
import { watchFolder } from './watch-folder'

const NAMES = ['AGENTS.md', 'SOUL.md']

describe('watch on a workspace folder', () => {
  let folder = ''
  let changed: string[] = []
  let failed: string[] = []
  let close: (() => void) | null = null

  function start(place = folder): string | null {
    const watch = watchFolder({
      folder: place,
      names: NAMES,
      memory: 'memory',
      events: { changed: (what) => changed.push(what), failed: (problem) => failed.push(problem) },
    })
    close = 'close' in watch ? watch.close : null
    return 'problem' in watch ? watch.problem : null
  }

  /** Does something and waits for what the watch says of it; the latest sign of life counts. */
  async function hears(act: () => Promise<unknown>, what: string): Promise<void> {
    await settle()
    changed = []
    await act()
    await expect.poll(() => changed, { timeout: 15_000, interval: 2 }).toContain(what)
  }

  /** Lets events arrive that belong to what was done before: a marker file is the last of them. */
  async function settle(): Promise<void> {
    changed = []
    await writeFile(join(folder, 'SOUL.md'), 'marker')
    await expect.poll(() => changed, { timeout: 15_000, interval: 2 }).toContain('SOUL.md')
  }

  const file = (...parts: string[]) => join(folder, ...parts)

  beforeEach(async () => {
    folder = temporaryFolder()
    changed = []
    failed = []
    await writeFile(file('AGENTS.md'), 'first')
  })

  afterEach(async () => {
    close?.()
  })

  it('P2 reports a file that is written in place', async () => {
    expect(start()).toBeNull()
    await hears(() => appendFile(file('AGENTS.md'), ' and more'), 'AGENTS.md')
  })

  it('P5 reports a file that is saved by renaming, again and again, created, deleted, renamed', async () => {
    start()
    for (const text of ['one', 'two', 'three']) {
      await hears(async () => {
        await writeFile(file('.AGENTS.md.tmp'), text)
        await rename(file('.AGENTS.md.tmp'), file('AGENTS.md'))
      }, 'AGENTS.md')
    }
    await hears(() => rename(file('AGENTS.md'), file('AGENTS.md~')), 'AGENTS.md')
    await hears(() => writeFile(file('AGENTS.md'), 'back'), 'AGENTS.md')
    await hears(() => unlink(file('AGENTS.md')), 'AGENTS.md')
    await hears(() => symlink(file('SOUL.md'), file('AGENTS.md')), 'AGENTS.md')
  })

  it('P2 reports notes, whether their folder was there from the start, came later, or came anew', async () => {
    start()
    await hears(() => mkdir(file('memory')), 'memory/')
    await hears(() => writeFile(file('memory', '2026-11-21.md'), 'note'), 'memory/2026-11-21.md')
    await hears(() => appendFile(file('memory', '2026-11-21.md'), 'more'), 'memory/2026-11-21.md')
    await hears(() => unlink(file('memory', '2026-11-21.md')), 'memory/2026-11-21.md')
    await hears(() => rename(file('memory'), file('old')), 'memory/')
    await hears(() => mkdir(file('memory')), 'memory/')
    await hears(() => writeFile(file('memory', 'new.md'), 'note'), 'memory/new.md')
    expect(failed).toEqual([])
  })

  it('P2 keeps still about everything else', async () => {
    await mkdir(file('memory'))
    await mkdir(file('sub'))
    start()
    await settle()
    changed = []
    await writeFile(file('README.md'), 'x')
    await writeFile(file('.AGENTS.md.swp'), 'x')
    await writeFile(file('memory', 'note.md.tmp'), 'x')
    await writeFile(file('sub', 'AGENTS.md'), 'x')
    await utimes(file('README.md'), new Date(), new Date())
    await writeFile(file('SOUL.md'), 'marker')
    await expect.poll(() => changed, { timeout: 15_000 }).toContain('SOUL.md')
    expect(new Set(changed)).toEqual(new Set(['SOUL.md']))
  })

  it('P4 fails once when the folder is moved or deleted, and says so', async () => {
    const place = file('workspace')
    await mkdir(place)
    expect(start(place)).toBeNull()
    await rename(place, file('elsewhere'))
    await expect.poll(() => failed, { timeout: 15_000 }).toEqual([`${place} was moved or deleted`])
    await writeFile(join(file('elsewhere'), 'AGENTS.md'), 'x')
    await rm(file('elsewhere'), { recursive: true })
    expect(start(place)).toBe(`${place} is not there`)
    expect(failed).toHaveLength(1)
    expect(changed).toEqual([])
  })

  it('P4 cannot watch what is not there or no folder', async () => {
    expect(start(file('nothing'))).toBe(`${file('nothing')} is not there`)
    expect(close).toBeNull()
  })

  it.skipIf(inotifyWatches() === null)(
    'P1 closing gives back every watch (skipped: the system does not list its watches)',
    async () => {
      await mkdir(file('memory'))
      const before = inotifyWatches()
      start()
      expect(inotifyWatches()).toBe((before ?? 0) + 2)
      await hears(() => rename(file('memory'), file('old')), 'memory/')
      await hears(() => mkdir(file('memory')), 'memory/')
      expect(inotifyWatches()).toBe((before ?? 0) + 2)
      close?.()
      close?.()
      expect(inotifyWatches()).toBe(before)
      changed = []
      await writeFile(file('AGENTS.md'), 'x')
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(changed).toEqual([])
    },
  )
})
