import type { WorkspaceFile } from '../core/bootstrap/workspace-file'
import type {
  Timer,
  WatchEvents,
  WatchStart,
  Workspace,
  WorkspaceLook,
  WorkspaceSnapshot,
} from '../engine/workspace/workspace'

/** A workspace in memory: what a test changes is seen by stamps and reported to the watcher only as far as it says so. */
export class MemoryWorkspace implements Workspace {
  readonly folder = '/w'
  readonly texts = new Map<string, string>()
  /** How often the files were read. */
  reads = 0
  /** Whether stamps change with the files, as on a local disk. */
  stamps = true
  identity = '1'
  day = '2026-11-21'
  /** Set to make watching impossible. */
  watchProblem: string | null = null
  /** Called in the middle of each reading. */
  whileReading: () => void | Promise<void> = () => {}
  watcher: WatchEvents | null = null
  watchesOpened = 0
  private version = 0

  constructor(texts: { readonly [name: string]: string } = { 'AGENTS.md': 'first' }) {
    for (const [name, text] of Object.entries(texts)) this.texts.set(name, text)
  }

  /** Changes a file; null deletes it. `notified` says whether the watcher hears of it. */
  edit(name: string, text: string | null, { notified = true } = {}): void {
    this.version += 1
    if (text === null) this.texts.delete(name)
    else this.texts.set(name, text)
    if (notified) this.watcher?.changed(name)
  }

  async read(): Promise<WorkspaceSnapshot> {
    this.reads += 1
    const files = [...this.texts].map(([name, text]): WorkspaceFile => ({ name, path: `/w/${name}`, text }))
    const daily = [
      { name: `memory/${this.day}.md`, path: `/w/memory/${this.day}.md`, text: `notes of ${this.day}` },
    ]
    await this.whileReading()
    return { files, daily, memory: '' }
  }

  async look(): Promise<WorkspaceLook> {
    const files = [...this.texts.keys()].map((name) => `${name}\t${this.stamps ? this.version : 0}`)
    return { folder: this.identity, days: this.day, files: files.join('\n') }
  }

  watch(events: WatchEvents): WatchStart {
    if (this.watchProblem !== null) return { problem: this.watchProblem }
    this.watcher = events
    this.watchesOpened += 1
    return {
      close: () => {
        if (this.watcher === events) this.watcher = null
      },
    }
  }
}

/** A timer whose time passes when a test says so. */
export class ManualTimer implements Timer {
  private jobs: { readonly ms: number; readonly run: () => void }[] = []

  every(ms: number, run: () => void): () => void {
    const job = { ms, run }
    this.jobs.push(job)
    return () => {
      this.jobs = this.jobs.filter((other) => other !== job)
    }
  }

  /** Waiting times of the running timers, in milliseconds. */
  get running(): number[] {
    return this.jobs.map(({ ms }) => ms)
  }

  /** Lets each timer fire once, and what it started come to its end. */
  async tick(): Promise<void> {
    for (const { run } of this.jobs) run()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
