import type { WorkspaceFile } from '../core/bootstrap/workspace-file'

/** What an agent's workspace holds at one moment. */
export type WorkspaceSnapshot = {
  /** The policy's files in its order, missing ones too. */
  readonly files: readonly WorkspaceFile[]
  /** The daily notes of today and yesterday, as far as there are any. */
  readonly daily: readonly WorkspaceFile[]
  /** Changes with every note that is written, created, deleted or renamed in `memory/`. */
  readonly memory: string
}

/** What can be seen of a workspace without opening a file. Equal looks mean equal content, as far as stamps tell. */
export type WorkspaceLook = {
  /** Which folder stands at the path. */
  readonly folder: string
  /** The days whose notes belong to the snapshot. */
  readonly days: string
  /** Stamps of the files. */
  readonly files: string
}

export interface WatchEvents {
  /** Something that belongs to a snapshot changed; `what` names it for the operator. */
  changed(what: string): void
  /** Nothing more will be noticed; the watch is closed. */
  failed(problem: string): void
}

export type WatchStart = { readonly close: () => void } | { readonly problem: string }

/** One agent's workspace folder. Reading never throws for a single file: what cannot be read says so. */
export interface Workspace {
  readonly folder: string
  /** @param now milliseconds since the epoch; decides which daily notes are read */
  read(now: number): Promise<WorkspaceSnapshot>
  look(now: number): Promise<WorkspaceLook>
  watch(events: WatchEvents): WatchStart
}

export interface Timer {
  /** Calls `run` every `ms` milliseconds until the returned function is called. Keeps no process alive. */
  every(ms: number, run: () => void): () => void
}
