import type { ArchivedVersion } from '../../core/archive/archived-version'
import type { FoundStore } from '../read/ports'
import { hashBytes, readFileState } from '../write/file-state'
import type { WriteResult } from '../write/receipt'
import { changeFiles } from '../write/replace-file'
import type { Writer } from '../write/write-ports'
import type { WaitOptions } from '../write/write-requests'
import { ArchiveDamage, type ArchiveFolder } from './archive-ports'
import { readArchived } from './read-archived'

export type RestoreIo = Pick<Writer, 'files' | 'sha256'> & { readonly folder: Pick<ArchiveFolder, 'block'> }

/** What restoring a version would do. */
export type RestoreTrial =
  /** `sha256` of all bytes, as they will be. */
  | { readonly kind: 'create' | 'same'; readonly sha256: string }
  /** Another file is there, or the copy is damaged; a sentence. */
  | { readonly kind: 'refused'; readonly code: 'changed' | 'no-backup'; readonly message: string }

/** Unpacks the whole version and looks at the place that it would go to. Changes nothing. */
export async function tryRestore(
  io: RestoreIo,
  version: ArchivedVersion,
  file: string,
): Promise<RestoreTrial> {
  let sha256: string
  try {
    sha256 = await hashBytes(io.sha256(), readArchived(io, version))
  } catch (error) {
    if (!(error instanceof ArchiveDamage)) throw error
    return { kind: 'refused', code: 'no-backup', message: `${error.message} Nothing was written.` }
  }
  const there = await io.files.stat(file)
  if (there === null) return { kind: 'create', sha256 }
  const now = await readFileState(io, file)
  if (now?.hash === sha256) return { kind: 'same', sha256 }
  return {
    kind: 'refused',
    code: 'changed',
    message: `${file} exists already and holds something else; it is not overwritten. Name another file with --to.`,
  }
}

export type RestoreRequest = {
  readonly version: ArchivedVersion
  readonly file: string
  /** Folder that the file must not leave. */
  readonly root: string
  readonly kind: FoundStore['kind']
  readonly actor: string
  readonly wait: WaitOptions
}

/**
 * Puts an archived version back as a new file, byte for byte, with the writer of all stores: it has a receipt and can be
 * undone. A file that is there is never overwritten.
 */
export async function restoreTranscript(
  writer: Writer,
  folder: Pick<ArchiveFolder, 'block'>,
  { version, file, root, kind, actor, wait }: RestoreRequest,
): Promise<WriteResult> {
  const io = { files: writer.files, sha256: writer.sha256, folder }
  const trial = await tryRestore(io, version, file)
  if (trial.kind === 'refused') return { kind: 'refused', refusal: trial }
  if (trial.kind === 'same') return { kind: 'unchanged' }
  return changeFiles(writer, {
    intent: {
      kind: 'restore',
      actor,
      reason: 'Restored from the archive.',
      session: version.key ?? version.sessionId,
      summary: { transcript: version.id, version: version.number, bytes: version.size },
    },
    root,
    kind,
    operations: [
      {
        op: 'create',
        file,
        mode: version.mode,
        produce: () => readArchived(io, version),
        verify: async (read) =>
          (await hashBytes(writer.sha256(), read())) === trial.sha256
            ? null
            : 'what was unpacked is not what was copied',
      },
    ],
    wait,
  })
}
