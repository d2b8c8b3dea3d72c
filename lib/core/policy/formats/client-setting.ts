/** What the settings of a client say of its compaction beyond what a policy has knobs for. Tokens, percent, switches. */
export type ClientSettingName =
  /** Claude Code: the window that it compacts by, by its settings, and by a variable, which counts more. */
  | 'compactWindow'
  | 'compactWindowVariable'
  | 'compactPercent'
  | 'maxOutput'
  | 'idle'
  | 'idleTokens'
  /** Codex. */
  | 'compactLimit'
  | 'limitScope'
  | 'modelWindow'

/** One of them, and where it is said. */
export type ClientSetting = {
  readonly name: ClientSettingName
  /** Only for this model, as it is written; null: for all. */
  readonly model: string | null
  readonly value: number | boolean | string
  /** Dotted key in the file. */
  readonly key: string
  readonly file: string
  /** From 1. */
  readonly line: number
}
