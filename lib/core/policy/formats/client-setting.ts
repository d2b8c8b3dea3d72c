import type { Part } from '../includes'
import type { Reading } from '../reading'
import { lineAndColumn, type SourceNode } from '../source-tree'

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

/** What a value says, or what it must be (in words) where it says nothing. */
export type ClientValue = { readonly value: ClientSetting['value'] } | { readonly wanted: string }

/** Takes a value of a client's settings, or reports what is wrong with it: the client passes such values over. */
export function takeClientValue(
  reading: Reading,
  part: Part,
  node: SourceNode,
  key: string,
  setting: Pick<ClientSetting, 'name'> & { readonly model?: string },
  found: ClientValue,
): void {
  const { source } = part
  if ('wanted' in found) {
    reading.report('warning', source, node.start, key, `must be ${found.wanted}; passed over`)
    return
  }
  const { line } = lineAndColumn(source.text, node.start)
  reading.say({ model: null, ...setting, value: found.value, key, file: source.file, line })
}
