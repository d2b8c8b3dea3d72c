import { applyChange } from './apply-change'
import type { WriteResult } from './receipt'
import type { Writer } from './write-ports'
import type { ChangeRequest, ReplaceRequest } from './write-requests'

/**
 * Replaces a whole transcript: atomically, verified, with a backup and a receipt that can be undone. Faults of `produce`
 * and `verify` come through after everything was put back.
 */
export function replaceFile(writer: Writer, request: ReplaceRequest): Promise<WriteResult> {
  const { intent, target, expected, produce, verify, wait } = request
  return applyChange(writer, {
    intent,
    root: target.root,
    kind: target.kind,
    operations: [{ op: 'replace', file: target.file, expected, produce, verify }],
    wait,
    undoes: null,
  })
}

/** Makes, replaces, moves and removes files of a store under one receipt: all of it happens, or nothing. */
export function changeFiles(writer: Writer, request: ChangeRequest): Promise<WriteResult> {
  if (request.operations.length === 0) return Promise.resolve({ kind: 'unchanged' })
  return applyChange(writer, { ...request, undoes: null })
}
