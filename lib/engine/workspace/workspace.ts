import type { WorkspaceFile } from '../../core/bootstrap/workspace-file'
import type { Policy } from '../../core/policy/policy'
import { workspaceRules } from '../../core/summary/workspace-rules'
import type { Milliseconds } from '../../core/units/units'

/** What an agent's workspace holds at one moment. */
export type WorkspaceSnapshot = {
  /** The policy's files in its order, missing ones too. */
  readonly files: readonly WorkspaceFile[]
  /** The daily notes of today and yesterday, as far as there are any. */
  readonly daily: readonly WorkspaceFile[]
  /** Changes with every note that is written, created, deleted or renamed in `memory/`. */
  readonly memory: string
}

/** The files of a workspace that go into a request: the policy's, and where it says so the daily notes. */
export function requestFiles(
  { files, daily }: Pick<WorkspaceSnapshot, 'files' | 'daily'>,
  { dailyNotes }: Pick<Policy['bootstrap'], 'dailyNotes'>,
): readonly WorkspaceFile[] {
  return dailyNotes ? [...files, ...daily] : files
}

/** What can be seen of a workspace without opening a file. Equal stamps mean equal content, as far as stamps tell. */
export type WorkspaceLook = {
  /** Which folder is at the path. */
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
  read(now: Milliseconds): Promise<WorkspaceSnapshot>
  look(now: Milliseconds): Promise<WorkspaceLook>
  watch(events: WatchEvents): WatchStart
}

export interface Timer {
  /** Calls `run` every `ms` milliseconds until the returned function is called. Keeps no process alive. */
  every(ms: number, run: () => void): () => void
}

/** What AGENTS.md of a workspace puts behind every summary. */
export function summaryRules(snapshot: WorkspaceSnapshot | null): string | null {
  const text = snapshot?.files.find(({ name }) => name === 'AGENTS.md')?.text
  return text == null ? null : workspaceRules(text)
}
