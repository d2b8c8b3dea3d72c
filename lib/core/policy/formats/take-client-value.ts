import type { Part } from '../includes'
import type { Reading } from '../reading'
import type { SourceNode } from '../source-node'
import { lineAndColumn } from '../source-tree'
import type { ClientSetting } from './client-setting'

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
