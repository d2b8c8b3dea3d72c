import type { EntryUnits } from '../tokens/category'
import type { Route } from './fold/call-route'

/** Whose checkpoint it is: of the Responses API (OpenAI, Azure, xAI) or of Anthropic's messages. */
export type CheckpointFamily = 'openai' | 'anthropic'

/**
 * What a provider left on an assistant message when it compacted the conversation on its side
 * (`message.providerReplay`, OpenClaw 2026.9 and later; lib/docs/openclaw.md#provider-checkpoints). Only its measures
 * are kept: `data` may be megabytes.
 */
export type ProviderCheckpoint =
  | UsableCheckpoint
  /** The provider refused a checkpoint of this route: older ones are not sent any more. */
  | { readonly kind: 'suppression'; readonly family: CheckpointFamily; readonly route: Route }
  /** Cannot be read. With a family it ends the search of that family, and the full history is sent. */
  | { readonly kind: 'broken'; readonly family: CheckpointFamily | null; readonly problem: string }

export type UsableCheckpoint = {
  /**
   * `prefix`: it replaces what came before. `window`: it is a complete window, of messages that were kept and the
   * checkpoint. `stale`: its window cannot be read, and OpenClaw refuses to send until it is compacted anew.
   */
  readonly kind: 'prefix' | 'window' | 'stale'
  readonly family: CheckpointFamily
  readonly route: Route
  /** Blocks of the message's content that it covers; those from here on are sent after it. */
  readonly covers: number
  /** Estimator units of the checkpoint, with the messages of its window. */
  readonly units: number
  /** UTF-16 units of `data`. */
  readonly chars: number
  /** Messages that its window keeps. */
  readonly windowMessages?: number
  /** The message's content that is sent after it: units, images and the last so many of its calls. */
  readonly rest: EntryUnits
  readonly restImages: number
  readonly restCalls: number
  /** First characters of a readable summary; absent when what it kept is unknown. */
  readonly text?: string
}

/** Whether it takes the place of what came before. */
export function isUsable(checkpoint: ProviderCheckpoint | undefined): checkpoint is UsableCheckpoint {
  return checkpoint?.kind === 'prefix' || checkpoint?.kind === 'window' || checkpoint?.kind === 'stale'
}

/** Whether what the provider kept can be read: Anthropic writes a summary, the others encrypt. */
export function isReadable({ family }: { readonly family: CheckpointFamily | null }): boolean {
  return family === 'anthropic'
}

/** Whether an entry records a compaction on the provider's side, usable or not. */
export function isProviderCompaction({ checkpoint }: { readonly checkpoint?: ProviderCheckpoint }): boolean {
  return checkpoint !== undefined && checkpoint.kind !== 'suppression'
}
