import type { OwnPrices } from '../../core/tokens/own-prices'
import type { ReplayedTask, ReplayTask } from '../../engine/replay/replay-work'

/** What a thread that replays needs to start. */
export type ReplayWorkerSetup = {
  /** null: nothing is kept. */
  readonly databaseFile: string | null
  /** Folder of the archive. */
  readonly archive: string
  readonly prices: OwnPrices
}

/** A task with its number; null: there are no more. */
export type ToReplayWorker = { readonly index: number; readonly task: ReplayTask } | null

export type FromReplayWorker =
  | { readonly kind: 'done'; readonly index: number; readonly done: ReplayedTask }
  | { readonly kind: 'failed'; readonly message: string }
