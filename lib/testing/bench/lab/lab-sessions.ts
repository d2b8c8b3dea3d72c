import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { discoverStores } from '../../../adapters/discovery/discover'
import { foundStore } from '../../../adapters/discovery/found-store'
import { createStoreReader } from '../../../adapters/stores/store-reader'
import type { FoundStore, FoundTranscript, StoreKind, StoreReader } from '../../../engine/read/ports'
import { transcriptFiles } from '../../corpus'

/** A session of the corpus where it can be read. */
export type LabSession = {
  readonly reader: StoreReader
  readonly store: FoundStore
  readonly transcript: FoundTranscript
  /** Whose work it is; the sessions that a scripted model answered are of their runtime. */
  readonly owner: string
  /** A model answered, not a script. */
  readonly isReal: boolean
}

type FileFolder = readonly [folder: string, kind: StoreKind, isReal: boolean]
type StateFolder = readonly [folder: string, isReal: boolean]

/** Folders of the corpus whose files are transcripts by themselves, whose they are, and whether a model answered. */
const FILES: readonly FileFolder[] = [
  ['pi', 'pi', true],
  ['claude-code/d-kimuson+claude-code-viewer', 'claude-code', true],
  ['claude-code/chiphuyen+sniffly', 'claude-code', true],
  ['codex/Prometheus-AGS+prometheus-parking-lot-rs', 'codex', true],
  ['claude-code-2.1.197', 'claude-code', false],
  ['claude-code-2.1.330', 'claude-code', false],
  ['codex-0.169.0-local', 'codex', false],
  ['codex-0.169.0-remote', 'codex', false],
]
const STATE_FOLDERS: readonly StateFolder[] = [
  ['openclaw-public/JulesTraderX+binance-ai-assistant', true],
  ['openclaw-2026.7.1', false],
]

/** Every session of the corpus in this folder, in a fixed order. */
export function labSessions(corpus: string): AsyncGenerator<LabSession> {
  return sessionsIn(corpus, FILES, STATE_FOLDERS)
}

/**
 * The sessions below a folder of transcripts of any client, or of state folders. Each folder in it is one owner's; with
 * none in it all are of one owner. In a fixed order.
 */
export async function* sessionsOfOwners(folder: string): AsyncGenerator<LabSession> {
  const reader = createStoreReader({ lastLine: 'take-whole' })
  const owners = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
  for (const owner of owners.length === 0 ? [''] : owners) {
    const path = resolve(folder, owner)
    const { stores } = await discoverStores({ env: {}, home: path, only: [path] })
    for (const store of stores)
      for await (const transcript of reader.list(store))
        yield { reader, store, transcript, owner, isReal: true }
  }
}

/** The sessions in these folders of the corpus; what is not there is left out. */
export async function* sessionsIn(
  corpus: string,
  files: readonly FileFolder[],
  stateFolders: readonly StateFolder[],
): AsyncGenerator<LabSession> {
  const reader = createStoreReader({ lastLine: 'take-whole' })
  for (const [folder, kind, isReal] of files) {
    const path = join(corpus, folder)
    if (!existsSync(path)) continue
    for (const file of transcriptFiles(path)) {
      const store = foundStore(kind, 'jsonl', file, folder, 'ok')
      for await (const transcript of reader.list(store))
        yield { reader, store, transcript, owner: folder, isReal }
    }
  }
  for (const [folder, isReal] of stateFolders) {
    const path = join(corpus, folder)
    if (!existsSync(path)) continue
    const { stores } = await discoverStores({ env: {}, home: path, only: [path] })
    for (const store of stores)
      for await (const transcript of reader.list(store))
        yield { reader, store, transcript, owner: folder, isReal }
  }
}
