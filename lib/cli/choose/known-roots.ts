import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { coldFolder } from '../../compose/cold/cold-folder'
import { logFolder } from '../../compose/logs'
import type { Io } from '../io'
import { policiesOf } from './chosen-policy'
import { setupOrFail } from './setup-or-fail'
import { openSources } from './sources'

/** Real paths of the folders that Plimsoll writes in here: stores, and the cold storage and logs of the policies in force. */
export async function knownRoots(io: Io): Promise<readonly string[]> {
  const setup = setupOrFail(io)
  const { stores } = await openSources(io, undefined)
  const policies = await policiesOf(io, stores, undefined)
  const folders = [
    // A store that is one file is written in its folder.
    ...stores.flatMap(({ root }) => (/\.jsonl$/.test(root) ? [dirname(root)] : [root])),
    ...policies.map(({ coldStorage }) => coldFolder(setup, coldStorage)),
    ...policies.map(({ logs }) => logFolder(setup, logs)),
  ]
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)))
  return [...new Set(real.filter((folder) => folder !== null))]
}
