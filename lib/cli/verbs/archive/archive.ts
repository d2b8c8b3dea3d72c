import { archiveOf } from '../../../compose/archive'
import type { ArchiveOptions, ArchiveWork } from '../../choose/choose-archived'
import { setupOrFail } from '../../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'

/** The archive of transcripts: what is in it, whether it is whole, back into a store, and out of it. */
export async function archive(io: Io, options: ArchiveOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  if (options.apply && options.dryRun)
    throw new CliError(EXIT.usage, '--apply and --dry-run exclude each other.')
  const work: ArchiveWork = { io, setup, options, folder: archiveOf(setup.environment) }
  switch (options.action) {
    case undefined:
    case 'list':
      return (await import('./archive-list')).listArchive(work)
    case 'verify':
      return (await import('./archive-verify')).verify(work)
    case 'restore':
      return (await import('./archive-restore')).restore(work)
    case 'prune':
      return (await import('./archive-prune')).pruneCopies(work)
    default:
      throw new CliError(
        EXIT.usage,
        `"${options.action}" is nothing that the archive does: list, restore ID, verify, prune [ID...].`,
      )
  }
}
