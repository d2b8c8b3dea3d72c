import { resolve } from 'node:path'
import { findStores, outlineReader } from '../../compose/open'
import { reasonOf } from '../../core/words/reason-of'
import type { FoundStore, Probe, StoreReader } from '../../engine/read/ports'
import { CliError, EXIT, type Io } from '../io'
import { note } from '../print/output'
import type { ListedTranscript } from './choose-session'
import { setupOrFail } from './setup-or-fail'

/** The stores that a reading verb works on, straight from disk. */
export type Sources = {
  readonly probes: readonly Probe[]
  readonly stores: readonly FoundStore[]
  readonly reader: StoreReader
  /** Reads entries without their content. */
  readonly outline: StoreReader
  /** All transcripts of all stores that can be listed; what cannot is said on standard error. */
  listAll(): Promise<readonly ListedTranscript[]>
  /** A transcript file anywhere. */
  transcriptFile(path: string): Promise<ListedTranscript>
}

/** A verb reads once: a last line whose newline is still to come counts when it is whole. */
const READING = { lastLine: 'take-whole' } as const

/**
 * Finds the stores: those that `--store` names, else the configured and known ones.
 * @throws CliError when a store that was named cannot be read, or when no store is found at all and none was named
 */
export async function openSources(io: Io, named: readonly string[] | undefined): Promise<Sources> {
  const setup = setupOrFail(io)
  for (const warning of setup.warnings) await note(io, warning)
  const paths = named?.map((path) => resolve(io.cwd, path)) ?? null
  const found = await findStores(setup, io.env, paths, READING)
  if (named !== undefined) refuseUnreadable(found.probes, found.stores)
  return {
    ...found,
    outline: outlineReader(setup, READING),
    listAll: () => listAll(io, found.stores, found.reader),
    transcriptFile: async (path) => {
      const { probes, stores, reader } = await findStores(setup, io.env, [path], READING)
      refuseUnreadable(probes, stores)
      for (const listed of await listAll(io, stores, reader)) return listed
      throw new CliError(EXIT.unreadable, `${path} is not a transcript.`)
    },
  }
}

/** A store that was named must be there and readable; an empty one is no failure. */
function refuseUnreadable(probes: readonly Probe[], stores: readonly FoundStore[]): void {
  const usable = stores.some((store) => store.state === 'ok' || store.state === 'empty')
  if (usable) return
  const bad = [...stores, ...probes].find((place) => place.problem !== undefined)
  throw new CliError(EXIT.unreadable, bad?.problem ?? 'Nothing is there that could be read.', { probes })
}

async function listAll(
  io: Io,
  stores: readonly FoundStore[],
  reader: StoreReader,
): Promise<readonly ListedTranscript[]> {
  const all: ListedTranscript[] = []
  for (const store of stores) {
    if (store.state !== 'ok' && store.state !== 'empty') {
      await note(io, store.problem ?? `${store.root}: ${store.state}`)
      continue
    }
    try {
      for await (const transcript of reader.list(store)) all.push({ store, transcript })
    } catch (error) {
      // What could be listed has been; the rest of the stores go on.
      await note(io, reasonOf(error))
    }
  }
  return all
}
