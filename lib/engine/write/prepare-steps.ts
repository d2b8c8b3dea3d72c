import { hashOf, stateOf, writeAll } from './file-state'
import type { FileChange, FileState } from './receipt'
import { Refused } from './refusal'
import { temporaryPath } from './temporary-path'
import type { Writer } from './write-ports'
import type { Verify } from './write-requests'
import type { Step } from './write-steps'

/** A step that can be done with one system call that matters. */
export type PreparedStep = Step & { readonly change: FileChange }

/**
 * Writes everything that is to come beside the files, flushes it, reads it back and lets the request look at it. The
 * store's own files are not touched.
 * @param receipt id; the names of the temporary files come from it
 * @throws Refused when what was written does not read back, or does not please
 */
export async function prepareSteps(
  writer: Writer,
  steps: readonly Step[],
  changes: readonly FileChange[],
  receipt: string,
): Promise<PreparedStep[]> {
  const prepared: PreparedStep[] = []
  for (const [i, step] of steps.entries()) {
    const change = changes[i]
    if (change === undefined) throw new Error('A step without its change')
    prepared.push({ ...step, change: { ...change, after: await prepareStep(writer, step, receipt) } })
  }
  return prepared
}

async function prepareStep(writer: Writer, step: Step, receipt: string): Promise<FileState | null> {
  const { operation, path, expected } = step
  switch (operation.op) {
    case 'replace': {
      if (expected === null) throw new Error('A replacement without the file that it replaces')
      const content = () => operation.produce(() => writer.files.read(path))
      const after = await writeTemporary(writer, path, receipt, {
        content,
        mode: expected.mode,
        owner: expected,
      })
      await judge(path, operation.verify, () => writer.files.read(temporaryPath(writer.files, path, receipt)))
      return after
    }
    case 'create': {
      const { mode, owner, produce: content } = operation
      const after = await writeTemporary(writer, path, receipt, { content, mode, owner: owner ?? null })
      await judge(path, operation.verify, () => writer.files.read(temporaryPath(writer.files, path, receipt)))
      return after
    }
    case 'append':
      return prepareAppend(writer, step, receipt, operation.bytes, operation.verify)
    case 'move':
      // The very same file under its new name.
      return step.kind === 'adopt' ? operation.expected : null
    case 'remove':
      return null
  }
}

const NEWLINE = 10

async function prepareAppend(
  writer: Writer,
  { path, expected: before }: Step,
  receipt: string,
  bytes: Uint8Array,
  verify: Verify | undefined,
): Promise<FileState> {
  if (before === null) throw new Error('An addition without the file that it is added to')
  const hasher = writer.sha256()
  let last = NEWLINE
  for await (const piece of writer.files.read(path)) {
    hasher.update(piece)
    last = piece.at(-1) ?? last
  }
  if (last !== NEWLINE) {
    throw new Refused(
      'unsafe',
      `${path}: its last line has no end, so nothing can be added behind it. Repair the file first.`,
    )
  }
  hasher.update(bytes)
  await judge(path, verify, async function* () {
    yield* writer.files.read(path)
    yield bytes
  })
  // Kept beside the file until the write has ended: after a crash they tell what is ours at its end, and what is not.
  const content = async function* () {
    yield bytes
  }
  await writeTemporary(writer, path, receipt, { content, mode: 0o600, owner: null })
  await writer.files.syncFolder(writer.files.folderOf(path))
  return { ...before, size: before.size + bytes.length, hash: hasher.digest() }
}

type NewFile = {
  readonly content: () => AsyncIterable<Uint8Array>
  readonly mode: number
  readonly owner: { readonly uid: number; readonly gid: number } | null
}

/**
 * Writes a flushed temporary file with the wanted mode and owner in the folder of `path`. It will keep its device,
 * inode, size and time when it is renamed, so its state is the file's state to come.
 */
export async function writeTemporary(
  writer: Writer,
  path: string,
  receipt: string,
  { content, mode, owner }: NewFile,
): Promise<FileState> {
  const temporary = temporaryPath(writer.files, path, receipt)
  const hasher = writer.sha256()
  // Closed to others until it has the mode of the file that it replaces.
  const file = await writer.files.create(temporary, 0o600)
  try {
    for await (const piece of content()) {
      hasher.update(piece)
      await writeAll(file, piece)
    }
    const made = await file.stat()
    if (owner !== null && (made.uid !== owner.uid || made.gid !== owner.gid)) {
      await file.setOwner(owner.uid, owner.gid)
    }
    await file.setMode(mode & 0o7777)
    await file.sync()
    const after = stateOf(await file.stat(), hasher.digest())
    if ((await hashOf(writer, temporary)) !== after.hash) {
      throw new Refused(
        'failed',
        `${temporary} did not read back as it was written; the disk may be damaged.`,
      )
    }
    return after
  } finally {
    await file.close()
  }
}

async function judge(
  path: string,
  verify: Verify | undefined,
  read: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  const problem = (await verify?.(read)) ?? null
  if (problem !== null) {
    throw new Refused('failed', `${path} was not changed, since the new content is wrong: ${problem}`)
  }
}
