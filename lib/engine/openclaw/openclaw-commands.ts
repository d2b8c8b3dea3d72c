import type { Cleanup } from '../../core/maintenance/cleanup'

/** The database of one agent, in a store of OpenClaw. */
export type DatabasePlace = {
  /** Root of the store. */
  readonly root: string
  /** Real path of the database. */
  readonly database: string
  readonly agent: string
  /** The state folder that it belongs to; null when that is unknown. */
  readonly stateFolder: string | null
  /** OpenClaw's configuration says that its gateway is on another machine. */
  readonly remote: boolean
}

/** What came of a command. */
export type CommandReply<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  /** It is not there, ended with a failure, took too long or said something else. `message`: for the operator. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped' }

export type CleanupRequest = {
  readonly place: DatabasePlace
  /** A session that must stay; null: OpenClaw alone decides. */
  readonly active: string | null
  /** Also remove sessions whose transcripts hold no message. */
  readonly fixMissing: boolean
  readonly signal?: AbortSignal
}

/** OpenClaw's own commands, which alone may change its databases. */
export interface OpenClawCommands {
  /** What its maintenance would do; changes nothing. */
  previewCleanup(request: CleanupRequest): Promise<CommandReply<Cleanup>>
  /**
   * Does it. @param through `gateway` when one serves the database, so that there is one writer; else the file itself
   */
  cleanUp(request: CleanupRequest, through: 'gateway' | 'database'): Promise<CommandReply<Cleanup>>
  /**
   * `openclaw doctor --fix`, its only way to write a header that a transcript lacks. It applies all of its safe repairs
   * (configuration, registries, migrations), of which it has no dry run for programs.
   */
  doctor(request: {
    readonly place: DatabasePlace
    readonly signal?: AbortSignal
  }): Promise<CommandReply<null>>
}
