import { join } from 'node:path'
import type { BenchContext } from './report'
import { type ProcessRun, runNode } from './run-process'

/** What `plimsoll ingest --json` says at its end; the parts that are measured. */
type IngestFigures = {
  readonly sessionsChanged: number
  readonly bytesRead: number
  readonly rowsWritten: number
  readonly ms: number
}

export type Import = ProcessRun & { readonly figures: IngestFigures }

/** Imports a store with the built command line. @param home names the state folder that it imports into */
export async function runIngest(
  { folder, root }: BenchContext,
  store: { readonly root: string },
  home: string,
  more: readonly string[] = [],
): Promise<Import> {
  const bin = join(root, 'lib', 'cli', 'bin.cjs')
  const run = await runNode([bin, 'ingest', '--json', '--store', store.root, ...more], {
    cwd: folder,
    // Not in the store itself, which would be another one after each import.
    env: { PLIMSOLL_HOME: join(folder, `${home}-state`) },
  })
  if (run.code !== 0) throw new Error(`ingest ended with ${run.code}: ${run.stdout}`)
  return { ...run, figures: JSON.parse(run.stdout) }
}
