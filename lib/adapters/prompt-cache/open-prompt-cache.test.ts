import fs, { mkdir, rename, unlink, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { BOOTSTRAP_FILES } from '../../core/policy/knobs/bootstrap'
import { PromptCache } from '../../engine/workspace/prompt-cache'
import { inotifyWatches } from '../../testing/inotify'
import { temporaryFolder } from '../../testing/store-folder'
import { openPromptCache } from './open-prompt-cache'
import { unrefTimer } from './unref-timer'
import { openWorkspaceFolder } from './workspace-folder'

describe('prompt cache of a folder', () => {
  let folder = ''
  let cache: PromptCache
  let now = Date.UTC(2026, 10, 21, 12)

  function start(pollSeconds: number, place = folder): PromptCache {
    const policy = { ...DEFAULT_POLICY, promptCache: { enabled: true, pollSeconds } }
    cache = openPromptCache({ folder: place, policy, clock: { now: () => now } })
    return cache
  }

  async function textOf(name: string): Promise<string | null | undefined> {
    const { files, daily } = await cache.snapshot()
    return [...files, ...daily].find((file) => file.name === name)?.text
  }

  const file = (...parts: string[]) => join(folder, ...parts)

  beforeEach(async () => {
    now = Date.UTC(2026, 10, 21, 12)
    folder = temporaryFolder()
    await mkdir(file('memory'))
    for (const name of BOOTSTRAP_FILES) await writeFile(file(name), `${name} first`)
    await writeFile(file('memory', '2026-11-21.md'), 'note')
  })

  afterEach(async () => {
    cache.close()
  })

  it('P1 the second request opens no file', async () => {
    const open = vi.spyOn(fs, 'open')
    // What imports it by name sees the spy, too.
    syncBuiltinESMExports()
    onTestFinished(() => {
      open.mockRestore()
      syncBuiltinESMExports()
    })
    start(60)
    await cache.snapshot()
    expect(open.mock.calls.length).toBeGreaterThanOrEqual(9)
    open.mockClear()
    for (let i = 0; i < 20; i++) await cache.snapshot()
    expect(open).not.toHaveBeenCalled()
    expect(cache.state().hits).toBe(20)
  })

  it('P2 after an edit of any of the 8 files or of a note the next request has the new text', async () => {
    start(0)
    for (const name of [...BOOTSTRAP_FILES, 'memory/2026-11-21.md']) {
      await textOf(name)
      await writeFile(file(...name.split('/')), `${name} second`)
      expect(await textOf(name)).toBe(`${name} second`)
    }
  })

  it('P2 the watcher marks the cache as stale within a second, before anybody asks', async () => {
    start(0)
    for (const name of [...BOOTSTRAP_FILES, 'memory/2026-11-21.md', 'memory/2020-01-01.md']) {
      await cache.snapshot()
      await writeFile(file(...name.split('/')), `${name} third`)
      await expect.poll(() => cache.state().stale, { timeout: 15_000, interval: 5 }).toBe(true)
      expect(cache.state().last).toMatchObject({ by: 'watcher', what: name })
    }
  })

  it('P5 sees files saved by renaming, deleted, created and renamed', async () => {
    start(0)
    expect(await textOf('AGENTS.md')).toBe('AGENTS.md first')
    for (const text of ['one', 'two']) {
      await writeFile(file('AGENTS.md.new'), text)
      await rename(file('AGENTS.md.new'), file('AGENTS.md'))
      expect(await textOf('AGENTS.md')).toBe(text)
    }
    await unlink(file('AGENTS.md'))
    expect(await textOf('AGENTS.md')).toBeNull()
    await rename(file('SOUL.md'), file('AGENTS.md'))
    expect(await textOf('AGENTS.md')).toBe('SOUL.md first')
    expect(await textOf('SOUL.md')).toBeNull()
  })

  it('P5 at midnight the notes of the new day come in, without any change on disk', async () => {
    start(0)
    await writeFile(file('memory', '2026-11-22.md'), 'tomorrow')
    expect(await textOf('memory/2026-11-22.md')).toBeUndefined()
    now += 86_400_000
    expect(await textOf('memory/2026-11-22.md')).toBe('tomorrow')
    expect(await textOf('memory/2026-11-21.md')).toBe('note')
    expect(cache.state().last?.by).toBe('day')
  })

  it('P3 with the watcher off and stamps that do not change, the poll finds changes of files and of old notes', async () => {
    const workspace = openWorkspaceFolder({ folder, names: BOOTSTRAP_FILES })
    const look = await workspace.look(now)
    cache = new PromptCache({
      workspace: { ...workspace, look: async () => look, watch: () => ({ problem: 'off' }) },
      clock: { now: () => now },
      timer: unrefTimer,
      policy: { enabled: true, pollSeconds: 0.05 },
    })
    expect(await textOf('SOUL.md')).toBe('SOUL.md first')
    await expect.poll(() => cache.state().polls, { timeout: 15_000 }).toBeGreaterThan(2)
    expect(cache.state()).toMatchObject({ mode: 'polled', cached: true, invalidations: 0 })
    await writeFile(file('SOUL.md'), 'SOUL.md again')
    await expect
      .poll(() => cache.state().last, { timeout: 15_000 })
      .toMatchObject({ by: 'poll', what: 'SOUL.md' })
    expect(await textOf('SOUL.md')).toBe('SOUL.md again')
    await writeFile(file('memory', '2020-01-01.md'), 'old')
    await expect
      .poll(() => cache.state().last, { timeout: 15_000 })
      .toMatchObject({ by: 'poll', what: 'memory/' })
  })

  it('P4 a workspace that does not exist yet is read at every request, until it is there', async () => {
    start(0, file('later'))
    expect(await textOf('AGENTS.md')).toBeNull()
    expect(cache.state()).toMatchObject({ mode: 'uncached', misses: 1 })
    await mkdir(file('later'))
    await writeFile(file('later', 'AGENTS.md'), 'here')
    expect(await textOf('AGENTS.md')).toBe('here')
    expect(cache.state()).toMatchObject({ mode: 'watched', cached: true })
  })

  it('P5 a workspace replaced by another one of the same name is read and watched anew', async () => {
    const place = file('workspace')
    await mkdir(place)
    await writeFile(join(place, 'AGENTS.md'), 'old')
    start(0, place)
    expect(await textOf('AGENTS.md')).toBe('old')
    await rename(place, file('old'))
    await mkdir(place)
    await writeFile(join(place, 'AGENTS.md'), 'new')
    expect(await textOf('AGENTS.md')).toBe('new')
    await expect.poll(() => cache.state().mode).toBe('watched')
    await cache.snapshot()
    await writeFile(join(place, 'AGENTS.md'), 'newer')
    await expect.poll(() => cache.state().stale, { timeout: 15_000 }).toBe(true)
  })

  it('P1 close releases watches and timer, and keeps no process alive before that', async () => {
    const watches = inotifyWatches()
    const resources = () => process.getActiveResourcesInfo().filter((name) => /Timeout|FSEvent/.test(name))
    start(60)
    const others = resources().length
    await cache.snapshot()
    // Timers and watches that a process would wait for are listed; these are not. Those of others may end meanwhile.
    expect(resources().length).toBeLessThanOrEqual(others)
    if (watches !== null) expect(inotifyWatches()).toBe(watches + 2)
    cache.close()
    expect(inotifyWatches()).toBe(watches)
  })
})
