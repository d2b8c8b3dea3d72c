/** Whether a session can be compacted, and what is in the way. */
export type CompactionStatus = {
  readonly file: string
  /** Folder that keeps copies of what is changed. */
  readonly backups: string
  /** Why it is never compacted here, and what to do instead; null when it can be. */
  readonly unfit: string | null
  /** Who works with the session now; null when there is none. */
  readonly owner: string | null
  /** OpenClaw's own gateway applies it, since the session is in its database. */
  readonly byGateway: boolean
}
