import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { namesFile } from '../../choose/names-file'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { type RepairOptions, showCheck } from '../../print/repair-report'

/** Looks for damage in a transcript, or repairs it. A file that is only looked at needs none of the stores. */
export async function repair(io: Io, options: RepairOptions): Promise<ExitCode> {
  if (options.check && options.apply)
    throw new CliError(EXIT.usage, 'Give either --check or --apply, not both.')
  const path = resolve(io.cwd, options.session)
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there !== undefined && namesFile(options.session, there) && !options.apply)
    return showCheck(io, options, { kind: 'file', file: path })
  // A separate file in the bundle: finding and opening stores takes longer to load than a file takes to check.
  const { repairStores: repairSession } = await import('./repair-session')
  return repairSession(io, options)
}
