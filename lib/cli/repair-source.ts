import { lstatSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { repairTarget } from '../engine/repair-target'
import { transcriptLines } from '../engine/transcript-lines'
import type { WriteTarget } from '../engine/write-requests'
import { findStores } from '../wire'
import type { ListedTranscript } from './choose-session'
import { findSession } from './find-session'
import type { Io } from './io'
import { namesFile } from './names-file'
import type { ReadOptions } from './read-options'
import { setupOrFail } from './setup-or-fail'
import { openSources, type Sources } from './sources'

/** What a repair is about. */
export type RepairSource =
  | { readonly kind: 'file'; readonly target: WriteTarget; readonly session: string | null }
  /** Can be checked, but is not written by us; `why` says what to do instead. */
  | {
      readonly kind: 'read-only'
      readonly file: string
      readonly why: string
      readonly headless: string
      readonly lines: () => AsyncIterable<Uint8Array>
      readonly listed: ListedTranscript
    }

/** The file or session that was named. A path counts whatever stands there, so that a refusal can say what it is. */
export async function repairSource(io: Io, options: ReadOptions, wanted: string): Promise<RepairSource> {
  const path = resolve(io.cwd, wanted)
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there !== undefined && namesFile(wanted, there)) {
    const target = { file: path, root: dirname(path), kind: await kindOfFile(io, path, there.isFile()) }
    return { kind: 'file', target, session: null }
  }
  const sources = await openSources(io, options.store)
  return sourceOf(sources, await findSession(io, sources, wanted))
}

async function kindOfFile(io: Io, path: string, isRegular: boolean): Promise<WriteTarget['kind']> {
  if (!isRegular) return 'pi'
  const { stores } = await findStores(setupOrFail(io), io.env, [path])
  return stores[0]?.kind ?? 'pi'
}

function sourceOf({ reader }: Sources, { store, transcript }: ListedTranscript): RepairSource {
  const found = repairTarget(store, transcript)
  if (found.kind === 'file') return { ...found, session: transcript.key ?? transcript.sessionId }
  const lines = () => transcriptLines(reader, store, transcript)
  return { ...found, file: transcript.path, lines, listed: { store, transcript } }
}
