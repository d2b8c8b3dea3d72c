import { carryOut } from './carry-out'
import type { WriteResult } from './receipt'
import type { Writer } from './write-ports'
import type { AppendRequest, ChangeRequest, ReplaceRequest } from './write-requests'

/**
 * Replaces a whole transcript: atomically, verified, with a backup and a receipt that can be undone. Faults of `produce`
 * and `verify` come through after everything was put back.
 */
export function replaceFile(writer: Writer, request: ReplaceRequest): Promise<WriteResult> {
  const { intent, target, expected, produce, verify, wait } = request
  return carryOut(writer, {
    intent,
    root: target.root,
    kind: target.kind,
    operations: [{ op: 'replace', file: target.file, expected, produce, verify }],
    wait,
    undoes: null,
  })
}

/** Adds whole lines at the end of a transcript with a single call of the system; the file stays the very same one. */
export async function appendLines(writer: Writer, request: AppendRequest): Promise<WriteResult> {
  const { intent, target, expected, lines, verify, wait } = request
  const broken = lines.findIndex((line) => line.includes('\n'))
  if (broken !== -1) throw new RangeError(`Line ${broken + 1} of those to be added holds a line end`)
  if (lines.length === 0) return { kind: 'unchanged' }
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`)
  return carryOut(writer, {
    intent,
    root: target.root,
    kind: target.kind,
    operations: [{ op: 'append', file: target.file, expected, bytes, verify }],
    wait,
    undoes: null,
  })
}

/** Makes, replaces, moves and removes files of a store under one receipt: all of it happens, or nothing. */
export function changeFiles(writer: Writer, request: ChangeRequest): Promise<WriteResult> {
  if (request.operations.length === 0) return Promise.resolve({ kind: 'unchanged' })
  return carryOut(writer, { ...request, undoes: null })
}
