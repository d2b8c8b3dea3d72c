import type { FileState, WriteResult } from '../engine/write/receipt'
import { changeFiles } from '../engine/write/replace-file'
import type { Writer } from '../engine/write/write-ports'
import type { Verify, WaitOptions, WriteIntent, WriteTarget } from '../engine/write/write-requests'

/** Adds whole lines at the end of a transcript, as a compaction adds its record. */
export function appendLines(
  writer: Writer,
  request: {
    readonly intent: WriteIntent
    readonly target: WriteTarget
    readonly expected: FileState
    /** Without line ends. */
    readonly lines: readonly string[]
    readonly verify?: Verify
    readonly wait: WaitOptions
  },
): Promise<WriteResult> {
  const { intent, target, expected, lines, verify, wait } = request
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
  const { file, root, kind } = target
  return changeFiles(writer, {
    intent,
    root,
    kind,
    operations: lines.length === 0 ? [] : [{ op: 'append', file, expected, bytes, verify }],
    wait,
  })
}
