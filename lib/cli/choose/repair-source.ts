import { lstatSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { findStores } from '../../compose/open'
import type { StoreKind } from '../../engine/read/ports'
import { type RepairSubject, repairSubject } from '../../engine/repair/repair-subject'
import { uncheckedReason } from '../../engine/write/writable'
import { CliError, EXIT, type Io } from '../io'
import { findSession } from './find-session'
import { namesFile } from './names-file'
import type { ReadVerbOptions } from './read-options'
import { setupOrFail } from './setup-or-fail'
import { openSources } from './sources'

/** The file or session that was named. A path counts whatever is there, so that a refusal can say what it is. */
export async function repairSource(io: Io, options: ReadVerbOptions, wanted: string): Promise<RepairSubject> {
  const path = resolve(io.cwd, wanted)
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there !== undefined && namesFile(wanted, there)) {
    const kind = await kindOfFile(io, path, there.isFile())
    const target = { file: path, root: dirname(path), kind }
    return { kind: 'file', file: path, target, session: null }
  }
  const sources = await openSources(io, options.store)
  const { store, transcript } = await findSession(io, sources, wanted)
  const unchecked = uncheckedReason(store)
  if (unchecked !== null) throw new CliError(EXIT.refused, unchecked)
  return repairSubject(sources.reader, store, transcript)
}

async function kindOfFile(io: Io, path: string, isRegular: boolean): Promise<StoreKind> {
  if (!isRegular) return 'pi'
  const { stores } = await findStores(setupOrFail(io), io.env, [path])
  return stores[0]?.kind ?? 'pi'
}
