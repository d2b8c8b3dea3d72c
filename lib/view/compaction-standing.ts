/** Whether a session can be compacted, and what stands in the way. */
export type CompactionStanding = {
  readonly file: string
  /** Folder that keeps copies of what is changed. */
  readonly backups: string
  /** Why it is never compacted here, and what to do instead; null when it can be. */
  readonly unfit: string | null
  /** Who works with the session now; null when nobody does. */
  readonly owner: string | null
  /** OpenClaw's own gateway carries it out, since the session stands in its database. */
  readonly byGateway: boolean
}
