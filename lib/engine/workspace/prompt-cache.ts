import type { InvalidatedBy, PromptCacheState } from '../../core/bootstrap/prompt-cache-state'
import type { Policy } from '../../core/policy/policy'
import { reasonOf } from '../../core/words/reason-of'
import type { Clock } from '../read/ports'
import type { Timer, Workspace, WorkspaceLook, WorkspaceSnapshot } from './workspace'

/** What a `PromptCache` reads and watches. */
export type PromptCacheParts = {
  readonly workspace: Workspace
  readonly clock: Clock
  readonly timer: Timer
  readonly policy: Policy['promptCache']
}

type Loaded = { readonly look: WorkspaceLook; readonly snapshot: WorkspaceSnapshot; readonly at: number }

/** Timers cannot wait longer; Node would fire at once instead. */
const MAX_POLL_MS = 2 ** 31 - 1

/** While files are being written, reading starts over this often before it takes what it got. */
const MAX_ATTEMPTS = 3

/**
 * Keeps the workspace files of one agent between requests. A change is noticed by a watcher at once, by stamps of the
 * files when the next request comes, and by comparing contents every `pollSeconds` (0 is no poll and stays no poll).
 * With neither watcher nor poll every request reads anew. Nothing happens between requests but the poll. The same
 * snapshot object is given out until something changes, so that prompts made of it are equal to the byte.
 *
 * @example
 * ```ts
 * import { DEFAULT_POLICY, openPromptCache } from 'plimsoll-agent'
 *
 * const cache = openPromptCache({ folder: 'workspace', policy: DEFAULT_POLICY, clock: { now: Date.now } })
 * const { files } = await cache.snapshot()
 * cache.close()
 * ```
 */
export class PromptCache {
  private cached: Loaded | null = null
  private latest: Loaded | null = null
  private loading: Promise<Loaded> | null = null
  /** Counts changes, so that a reading knows when one fell into it. */
  private generation = 0
  private unwatch: (() => void) | null = null
  private stopPoll: (() => void) | null = null
  private watchProblem: string | null = null
  private polling = false
  private closed = false
  private hits = 0
  private misses = 0
  private invalidations = 0
  private polls = 0
  private last: PromptCacheState['last'] = null

  constructor(private readonly parts: PromptCacheParts) {}

  /** The workspace as it is now; reads files only when there is nothing cached that still holds. */
  async snapshot(): Promise<WorkspaceSnapshot> {
    const { workspace, clock, policy } = this.parts
    if (this.closed || !policy.enabled) return this.count('miss', await this.read())
    this.start()
    const before = this.cached
    const look = await workspace.look(clock.now())
    if (before !== null && this.cached === before) this.compare(before.look, look)
    if (this.cached !== null) return this.count('hit', this.cached)
    const loaded = await this.load()
    // Another caller's reading may have begun before the change that this request already saw.
    return this.count('miss', sameLook(loaded.look, look) ? loaded : await this.read())
  }

  /** Forgets what is cached, for callers who know of a change that nothing else can see. */
  invalidate(what: string): void {
    this.drop('request', what)
  }

  state(): PromptCacheState {
    const { workspace, policy } = this.parts
    const mode = this.mode()
    const files = this.latest === null ? [] : [...this.latest.snapshot.files, ...this.latest.snapshot.daily]
    return {
      folder: workspace.folder,
      mode,
      cached: this.cached !== null,
      stale: this.cached === null && this.latest !== null && (mode === 'watched' || mode === 'polled'),
      hits: this.hits,
      misses: this.misses,
      invalidations: this.invalidations,
      polls: this.polls,
      last: this.last,
      loadedAt: this.latest?.at ?? null,
      watchProblem: this.watchProblem,
      pollSeconds: policy.pollSeconds,
      files: files.map(({ name, text }) => ({ name, chars: text?.length ?? null })),
    }
  }

  /** Lets go of watcher and poll. Later requests read anew; closing twice is closing once. */
  close(): void {
    this.closed = true
    this.unwatch?.()
    this.stopPoll?.()
    this.unwatch = null
    this.stopPoll = null
    this.cached = null
  }

  private mode(): PromptCacheState['mode'] {
    if (this.closed || !this.parts.policy.enabled) return 'off'
    if (this.unwatch !== null) return 'watched'
    if (this.stopPoll !== null) return 'polled'
    return this.watchProblem === null ? 'idle' : 'uncached'
  }

  /** Watcher first, reading after it: no change can fall between the two. A lost watcher is tried again here. */
  private start(): void {
    const { workspace, timer, policy } = this.parts
    if (this.unwatch === null) {
      const watch = workspace.watch({
        changed: (what) => this.drop('watcher', what),
        failed: (problem) => {
          this.unwatch = null
          this.watchProblem = problem
          this.drop('watch lost', problem)
        },
      })
      this.watchProblem = 'problem' in watch ? watch.problem : null
      this.unwatch = 'problem' in watch ? null : watch.close
    }
    if (this.stopPoll === null && policy.pollSeconds > 0) {
      const ms = Math.min(policy.pollSeconds * 1000, MAX_POLL_MS)
      this.stopPoll = timer.every(ms, () => void this.poll())
    }
  }

  private compare(then: WorkspaceLook, now: WorkspaceLook): void {
    if (then.folder !== now.folder) {
      // The watcher still looks at the folder that was there before.
      this.unwatch?.()
      this.unwatch = null
      this.drop('folder', 'another folder is at the path')
      this.start()
    } else if (then.days !== now.days) this.drop('day', now.days)
    else if (then.files !== now.files) this.drop('stamp', firstChange(then.files, now.files))
  }

  private drop(by: InvalidatedBy, what: string): void {
    this.generation += 1
    if (this.cached === null || this.closed) return
    this.cached = null
    this.invalidations += 1
    this.last = { at: this.parts.clock.now(), by, what }
  }

  /** One reading for all who ask at the same time. */
  private load(): Promise<Loaded> {
    this.loading ??= this.readUntilQuiet().finally(() => {
      this.loading = null
    })
    return this.loading
  }

  private async readUntilQuiet(): Promise<Loaded> {
    for (let attempt = 1; ; attempt++) {
      const { generation } = this
      const loaded = await this.read()
      if (generation === this.generation) {
        const noticesChanges = this.unwatch !== null || this.stopPoll !== null
        if (noticesChanges) this.cached = loaded
        return loaded
      }
      if (attempt === MAX_ATTEMPTS) return loaded
    }
  }

  private async read(): Promise<Loaded> {
    const { workspace, clock } = this.parts
    const at = clock.now()
    const look = await workspace.look(at)
    const loaded = { look, snapshot: await workspace.read(at), at }
    this.latest = loaded
    return loaded
  }

  private async poll(): Promise<void> {
    const { cached } = this
    if (cached === null || this.polling) return
    this.polling = true
    this.polls += 1
    try {
      const now = await this.parts.workspace.read(this.parts.clock.now())
      const what = difference(cached.snapshot, now)
      if (what !== null && this.cached === cached) this.drop('poll', what)
    } catch (error) {
      if (this.cached === cached) this.drop('poll', reasonOf(error))
    } finally {
      this.polling = false
    }
  }

  private count(kind: 'hit' | 'miss', { snapshot }: Loaded): WorkspaceSnapshot {
    if (kind === 'hit') this.hits += 1
    else this.misses += 1
    return snapshot
  }
}

function sameLook(a: WorkspaceLook, b: WorkspaceLook): boolean {
  return a.folder === b.folder && a.days === b.days && a.files === b.files
}

/** Looks hold one line per file, its name first. */
function firstChange(then: string, now: string): string {
  const before = new Set(then.split('\n'))
  const line = now.split('\n').find((text) => !before.has(text)) ?? ''
  return line.split('\t')[0] ?? ''
}

/**
 * The name of the first file that differs, or null; notes that come and go show in the listing. Texts are compared
 * whole: no hash can be wrong.
 */
function difference(then: WorkspaceSnapshot, now: WorkspaceSnapshot): string | null {
  const before = [...then.files, ...then.daily]
  const after = [...now.files, ...now.daily]
  const changed = after.find((file, at) => {
    const old = before[at]
    return (
      old?.name !== file.name ||
      old.path !== file.path ||
      old.text !== file.text ||
      old.problem !== file.problem
    )
  })
  if (changed !== undefined) return changed.name
  return then.memory === now.memory ? null : 'memory/'
}
