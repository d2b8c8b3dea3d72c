import { difference, readFileState } from './file-state'
import type { FileChange, FileState } from './receipt'
import { Refused } from './refusal'
import { type SafeTarget, safeTarget } from './safe-target'
import type { Writer } from './write-ports'
import type { ChangeRequest, FileOperation } from './write-requests'

/** One change of one name, as far as it is known before anything is prepared. Paths are real ones. */
export type Step = {
  readonly kind: 'replace' | 'append' | 'create' | 'adopt' | 'remove'
  readonly path: string
  /** `adopt` gives the file that is here a second name; a `remove` of the first follows. */
  readonly from: string | null
  readonly expected: FileState | null
  readonly operation: FileOperation
}

/** The steps of a request, every target found safe. @throws Refused */
export async function planSteps(writer: Pick<Writer, 'files'>, request: ChangeRequest): Promise<Step[]> {
  const steps: Step[] = []
  for (const operation of request.operations) {
    const target = await safeTarget(writer.files, request.root, operation.file)
    if (operation.op === 'move') {
      const to = await safeTarget(writer.files, request.root, operation.to)
      demandFree(to)
      const adopt = { kind: 'adopt', path: to.path, from: target.path, expected: null, operation } as const
      const remove = { kind: 'remove', path: target.path, from: null, operation } as const
      steps.push(adopt, { ...remove, expected: operation.expected })
    } else if (operation.op === 'create') {
      demandFree(target)
      steps.push({ kind: 'create', path: target.path, from: null, expected: null, operation })
    } else {
      const { op: kind, expected } = operation
      steps.push({ kind, path: target.path, from: null, expected, operation })
    }
  }
  const paths = new Set<string>()
  for (const { path } of steps) {
    if (paths.has(path)) throw new Refused('unsafe', `${path} is named twice in one change.`)
    paths.add(path)
  }
  return steps
}

function demandFree({ path, seen }: SafeTarget): void {
  if (seen !== null) throw new Refused('changed', `${path} exists already; it is not overwritten.`)
}

/**
 * Reads every file again, under its lock, and compares it with what the plan was made from.
 * @throws Refused when one is not the same any more
 */
export async function compareSteps(writer: Writer, steps: readonly Step[]): Promise<void> {
  for (const { path, expected } of steps) {
    if (expected === null) {
      await demandUnchanged(writer, path, null)
      continue
    }
    const now = await readFileState(writer, path)
    if (now === null) throw new Refused('missing', `${path} is not there any more.`)
    const seen = { ...now, kind: 'file', what: 'a file', links: 1 } as const
    const how =
      difference(expected, seen) ?? (now.hash === expected.hash ? null : 'its content is another one')
    if (how !== null) throw changedSince(path, how)
  }
}

/** Files that are copied side by side: their flushes then share the journal of the file system. */
const AT_ONCE = 16

/** Copies what will be replaced or taken away. @throws Refused when a copy cannot be made */
export async function keepBackups(
  writer: Pick<Writer, 'backups'>,
  steps: readonly Step[],
  notes: string[],
): Promise<FileChange[]> {
  const changes: FileChange[] = []
  for (let at = 0; at < steps.length; at += AT_ONCE) {
    const group = steps.slice(at, at + AT_ONCE)
    // All of a group end before a failure is reported: nothing goes on behind a refusal.
    const kept = await Promise.allSettled(group.map((step) => keepBackup(writer, step, notes)))
    for (const one of kept) {
      if (one.status === 'rejected') throw one.reason
      changes.push(one.value)
    }
  }
  return changes
}

async function keepBackup(
  writer: Pick<Writer, 'backups'>,
  { path, expected }: Step,
  notes: string[],
): Promise<FileChange> {
  if (expected === null) return { path, before: null, after: null, backup: null }
  const kept = await writer.backups.keep(path, expected.hash, expected.size)
  if (!kept.kept) {
    const code = ({ quota: 'no-space', changed: 'changed', damaged: 'no-backup' } as const)[kept.reason]
    throw new Refused(code, kept.message)
  }
  if (kept.removed.count > 0) {
    const { count, bytes } = kept.removed
    notes.push(`${count} backups (${bytes} bytes) were older than they are kept and made room for this one.`)
  }
  return { path, before: expected, after: null, backup: kept.backup }
}

/** The file was still the one that the plan is about a moment ago; is it now? @throws Refused */
export async function demandUnchanged(
  writer: Pick<Writer, 'files'>,
  path: string,
  expected: FileState | null,
): Promise<void> {
  const stats = await writer.files.stat(path)
  if (expected === null) {
    demandFree({ path, seen: stats })
    return
  }
  const how = stats === null ? 'it is not there any more' : difference(expected, stats)
  if (how !== null) throw changedSince(path, how)
}

function changedSince(path: string, how: string): Refused {
  return new Refused(
    'changed',
    `${path} has changed since the plan was made: ${how}. Nothing was written; look at it again.`,
  )
}
