import { describe, expect, it } from 'vitest'
import { injectBootstrap } from '../../core/bootstrap/inject'
import { buildSystemPrompt, cachedSystemBlocks } from '../../core/history/system-prompt'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { ManualTimer, MemoryWorkspace } from '../../testing/memory-workspace'
import { PromptCache } from './prompt-cache'
import type { WorkspaceSnapshot } from './workspace'

const NOON = Date.UTC(2026, 10, 21, 12)

function setUp({ pollSeconds = 60, enabled = true, workspace = new MemoryWorkspace() } = {}) {
  const timer = new ManualTimer()
  const clock = { now: () => NOON }
  const cache = new PromptCache({ workspace, clock, timer, policy: { enabled, pollSeconds } })
  const text = async (name = 'AGENTS.md') => textOf(await cache.snapshot(), name)
  return { workspace, timer, cache, text }
}

function textOf({ files, daily }: WorkspaceSnapshot, name: string): string | null | undefined {
  return [...files, ...daily].find((file) => file.name === name)?.text
}

describe('prompt cache', () => {
  it('P1 the second request reads no file and gets the same snapshot', async () => {
    const { workspace, cache } = setUp()
    const first = await cache.snapshot()
    expect(workspace.reads).toBe(1)
    expect(await cache.snapshot()).toBe(first)
    expect(workspace.reads).toBe(1)
    expect(cache.state()).toMatchObject({ mode: 'watched', cached: true, stale: false, hits: 1, misses: 1 })
  })

  it('P1 requests at the same time read once', async () => {
    const { workspace, cache } = setUp()
    await Promise.all([cache.snapshot(), cache.snapshot(), cache.snapshot()])
    expect(workspace.reads).toBe(1)
  })

  it('P2 after a change that the watcher reported, the next request gets the new text', async () => {
    const { workspace, cache, text } = setUp()
    workspace.stamps = false
    expect(await text()).toBe('first')
    workspace.edit('AGENTS.md', 'second')
    expect(cache.state()).toMatchObject({
      cached: false,
      stale: true,
      invalidations: 1,
      last: { at: NOON, by: 'watcher', what: 'AGENTS.md' },
    })
    expect(await text()).toBe('second')
    expect(cache.state()).toMatchObject({ cached: true, stale: false, hits: 0, misses: 2 })
    workspace.edit('AGENTS.md', null)
    expect(await text()).toBeUndefined()
  })

  it('P2 a change that was not reported is seen by its stamp at the next request', async () => {
    const { workspace, cache, text } = setUp({ pollSeconds: 0 })
    await text()
    workspace.edit('AGENTS.md', 'second', { notified: false })
    expect(await text()).toBe('second')
    expect(cache.state().last).toMatchObject({ by: 'stamp', what: 'AGENTS.md' })
  })

  it('P2 a change in the middle of a reading is not missed', async () => {
    const { workspace, cache, text } = setUp()
    workspace.stamps = false
    let edits = 0
    workspace.whileReading = () => {
      if (edits++ === 0) workspace.edit('AGENTS.md', 'second')
    }
    expect(await text()).toBe('second')
    expect(workspace.reads).toBe(2)
    // With a file that changes all the time, reading ends and nothing is kept.
    workspace.whileReading = () => workspace.edit('AGENTS.md', `${edits++}`)
    workspace.edit('AGENTS.md', 'again')
    await text()
    expect(workspace.reads).toBe(5)
    expect(cache.state().cached).toBe(false)
  })

  it('P2 a request that has seen a change does not share a reading that began before it', async () => {
    const { workspace, cache } = setUp()
    let release = () => {}
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    workspace.whileReading = () => blocked
    const early = cache.snapshot()
    await expect.poll(() => workspace.reads).toBe(1)
    workspace.edit('AGENTS.md', 'second', { notified: false })
    const late = cache.snapshot()
    release()
    expect(textOf(await late, 'AGENTS.md')).toBe('second')
    await early
    expect(textOf(await cache.snapshot(), 'AGENTS.md')).toBe('second')
  })

  it('P3 with a watcher and stamps that notice nothing, a poll finds the change within its interval', async () => {
    const { workspace, timer, cache, text } = setUp({ pollSeconds: 60 })
    workspace.stamps = false
    await text()
    expect(timer.running).toEqual([60_000])
    await timer.tick()
    expect(cache.state()).toMatchObject({ polls: 1, cached: true, invalidations: 0 })
    workspace.edit('AGENTS.md', 'second', { notified: false })
    expect(await text()).toBe('first')
    await timer.tick()
    expect(cache.state()).toMatchObject({ stale: true, last: { by: 'poll', what: 'AGENTS.md' } })
    expect(await text()).toBe('second')
  })

  it('P3 the poll sees files that come and go', async () => {
    const { workspace, timer, cache, text } = setUp()
    workspace.stamps = false
    await text()
    workspace.edit('SOUL.md', 'new', { notified: false })
    await timer.tick()
    expect(cache.state().last).toMatchObject({ by: 'poll', what: 'SOUL.md' })
    expect(await text('SOUL.md')).toBe('new')
    workspace.edit('SOUL.md', null, { notified: false })
    await timer.tick()
    expect(cache.state().invalidations).toBe(2)
    expect(await text('SOUL.md')).toBeUndefined()
  })

  it('P3 compares with what is cached: a change between reading and first poll is found', async () => {
    const { workspace, timer, cache, text } = setUp()
    workspace.stamps = false
    await text()
    workspace.edit('AGENTS.md', 'second', { notified: false })
    await timer.tick()
    expect(cache.state().last?.by).toBe('poll')
  })

  it('P3 0 seconds is no poll, and stays no poll', async () => {
    const { timer, cache, text } = setUp({ pollSeconds: 0 })
    await text()
    expect(timer.running).toEqual([])
    expect(cache.state()).toMatchObject({ mode: 'watched', pollSeconds: 0 })
  })

  it('P3 with nothing cached a poll reads nothing, and one poll waits for the other', async () => {
    const { workspace, timer, cache, text } = setUp()
    await text()
    workspace.edit('AGENTS.md', 'second')
    await timer.tick()
    expect(workspace.reads).toBe(1)
    await text()
    workspace.whileReading = () => new Promise(() => {})
    await timer.tick()
    await timer.tick()
    expect(workspace.reads).toBe(3)
    expect(cache.state().polls).toBe(1)
  })

  it('P3 an interval longer than timers can wait is not a timer that fires at once', async () => {
    const { timer, text } = setUp({ pollSeconds: 1e9 })
    await text()
    expect(timer.running).toEqual([2 ** 31 - 1])
  })

  it('P4 with neither watcher nor poll every request reads anew', async () => {
    const workspace = new MemoryWorkspace()
    workspace.watchProblem = 'no watches left'
    workspace.stamps = false
    const { cache, text } = setUp({ pollSeconds: 0, workspace })
    await text()
    workspace.edit('AGENTS.md', 'second', { notified: false })
    expect(await text()).toBe('second')
    expect(workspace.reads).toBe(2)
    expect(cache.state()).toMatchObject({
      mode: 'uncached',
      cached: false,
      stale: false,
      hits: 0,
      misses: 2,
      watchProblem: 'no watches left',
    })
  })

  it('P4 without a watcher the poll alone is enough to cache', async () => {
    const workspace = new MemoryWorkspace()
    workspace.watchProblem = 'no watches left'
    workspace.stamps = false
    const { timer, cache, text } = setUp({ workspace })
    await text()
    await text()
    expect(workspace.reads).toBe(1)
    expect(cache.state().mode).toBe('polled')
    workspace.edit('AGENTS.md', 'second', { notified: false })
    await timer.tick()
    expect(await text()).toBe('second')
  })

  it('P4 a watcher that fails later takes the cache with it, and is tried again at the next request', async () => {
    const { workspace, cache, text } = setUp({ pollSeconds: 0 })
    workspace.stamps = false
    await text()
    workspace.watchProblem = 'gone'
    workspace.watcher?.failed('gone')
    expect(cache.state()).toMatchObject({ cached: false, watchProblem: 'gone', last: { by: 'watch lost' } })
    workspace.edit('AGENTS.md', 'second', { notified: false })
    expect(await text()).toBe('second')
    expect(cache.state().mode).toBe('uncached')
    workspace.watchProblem = null
    await text()
    expect(cache.state()).toMatchObject({ mode: 'watched', cached: true, watchProblem: null })
  })

  it('P5 a new day brings other notes', async () => {
    const { workspace, cache, text } = setUp()
    expect(await text('memory/2026-11-21.md')).toBe('notes of 2026-11-21')
    workspace.day = '2026-11-22'
    expect(await text('memory/2026-11-22.md')).toBe('notes of 2026-11-22')
    expect(cache.state().last).toEqual({ at: NOON, by: 'day', what: '2026-11-22' })
  })

  it('P5 another folder at the same path is read anew and watched instead', async () => {
    const { workspace, cache, text } = setUp()
    workspace.stamps = false
    await text()
    workspace.identity = '2'
    workspace.edit('AGENTS.md', 'second', { notified: false })
    expect(await text()).toBe('second')
    expect(cache.state().last?.by).toBe('folder')
    expect(workspace.watchesOpened).toBe(2)
    workspace.edit('AGENTS.md', 'third')
    expect(await text()).toBe('third')
  })

  it('P6 the cached prefix of the prompt is equal to the byte until a file changes', async () => {
    const { workspace, cache } = setUp()
    const { bootstrap } = DEFAULT_POLICY
    const caps = { perFile: 20_000, total: 150_000, tokens: null }
    const prefix = async (time: string) => {
      const { files } = injectBootstrap({ files: (await cache.snapshot()).files, policy: bootstrap, caps })
      return cachedSystemBlocks(buildSystemPrompt({ identity: 'You are.', files, time }))[0]
    }
    const first = await prefix('12:00')
    expect(first?.cache_control).toEqual({ type: 'ephemeral' })
    expect(await prefix('12:01')).toEqual(first)
    workspace.edit('AGENTS.md', 'second')
    expect((await prefix('12:02'))?.text).not.toBe(first?.text)
  })

  it('P1 switched off, it reads each time and holds nothing', async () => {
    const { workspace, timer, cache, text } = setUp({ enabled: false })
    await text()
    await text()
    expect(workspace.reads).toBe(2)
    expect([workspace.watchesOpened, timer.running.length]).toEqual([0, 0])
    expect(cache.state()).toMatchObject({ mode: 'off', cached: false, stale: false, misses: 2 })
  })

  it('P1 closing lets go of watcher and timer; requests after it read anew', async () => {
    const { workspace, timer, cache, text } = setUp()
    await text()
    cache.close()
    cache.close()
    expect([workspace.watcher, timer.running.length]).toEqual([null, 0])
    await text()
    expect([workspace.reads, workspace.watcher, timer.running.length]).toEqual([2, null, 0])
    expect(cache.state()).toMatchObject({ mode: 'off', cached: false, stale: false })
  })

  it('P1 a reading that closing overtakes is not kept', async () => {
    const { workspace, cache } = setUp()
    workspace.whileReading = () => cache.close()
    await cache.snapshot()
    expect(cache.state().cached).toBe(false)
  })

  it('P1 shows what it holds; nothing is known before the first request', async () => {
    const { workspace, cache } = setUp()
    expect(cache.state()).toMatchObject({ mode: 'idle', loadedAt: null, last: null, files: [] })
    await cache.snapshot()
    expect(cache.state()).toMatchObject({
      loadedAt: NOON,
      folder: '/w',
      files: [
        { name: 'AGENTS.md', chars: 5 },
        { name: 'memory/2026-11-21.md', chars: 19 },
      ],
    })
    cache.invalidate('policy changed')
    expect(cache.state().last).toEqual({ at: NOON, by: 'request', what: 'policy changed' })
    await cache.snapshot()
    expect(workspace.reads).toBe(2)
  })

  it('P1 P3 a reading that fails reaches the caller, or takes the cache along if it was the poll’s', async () => {
    const { workspace, timer, cache, text } = setUp()
    const fail = () => Promise.reject(new Error('disk'))
    workspace.whileReading = fail
    await expect(cache.snapshot()).rejects.toThrow('disk')
    workspace.whileReading = () => {}
    expect(await text()).toBe('first')
    workspace.whileReading = fail
    await timer.tick()
    expect(cache.state()).toMatchObject({ stale: true, last: { by: 'poll', what: 'disk' } })
  })
})
