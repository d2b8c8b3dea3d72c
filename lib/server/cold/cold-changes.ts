import 'server-only'
import { recoverPorts, stampOfChunks } from '../../compose/cold/cold'
import { openLog } from '../../compose/logs'
import { openWriter } from '../../compose/writer'
import { joinFinders, removerOf } from '../../engine/cold/cold-places'
import { copyChunk } from '../../engine/cold/copy-chunk'
import { extendChunk } from '../../engine/cold/extend-chunk'
import type { RecoveryCause } from '../../engine/cold/log-recovery'
import { purgeCold } from '../../engine/cold/purge-cold'
import { recoverChunk } from '../../engine/cold/recover-chunk'
import { backWords, extensionWords, leftAloneWords, purgeWords } from '../../view/cold/cold-outcomes'
import {
  type ColdAnswer,
  type ColdName,
  coldRow,
  type DownloadAnswer,
  type PurgePreview,
} from '../../view/cold/cold-storage'
import { getSetup } from '../process/setup'
import { transcriptPlace } from '../session/inspected-session'
import { getSession } from '../session/session-record'
import { findChunk, getColdFolders } from './cold-library'

/** How long the dashboard waits for another owner's lock before it says who has it. Milliseconds. */
const WAIT_MS = 5_000
/** Chunks of a purge that are shown beforehand. */
const SHOWN_ROWS = 20

const GONE = {
  kind: 'refused',
  problem: extensionWords('The chunk', { kind: 'gone', until: null }),
} as const

/** What was searched for when the chunk was found; null when it was named. */
function causeOf(query: string): RecoveryCause {
  return { trigger: 'manual', query: query === '' ? null : query, score: null }
}

/** Brings a chunk back into a transcript, with a receipt, or says why not. */
export async function recoverIntoSession(
  name: ColdName,
  { session: id, wanted, query }: { session: string; wanted: 'neighbourhood' | 'end'; query: string },
): Promise<ColdAnswer> {
  const found = await findChunk(name)
  if (found === null) return GONE
  const session = await getSession(id)
  if (session === null) return { kind: 'refused', problem: 'There is no such session any more.' }
  const setup = getSetup()
  const opened = await openWriter(setup)
  if (!opened.ok) return { kind: 'refused', problem: opened.message }
  const { store, transcript } = transcriptPlace(session)
  const result = await recoverChunk(recoverPorts(setup, opened.writer, found.folder.policy), {
    ...{ chunk: found.chunk, store, transcript, wanted, cause: causeOf(query), actor: 'dashboard' },
    wait: { waitMs: WAIT_MS },
  })
  if (result.kind === 'refused') return { kind: 'refused', problem: result.refusal.message }
  if (result.kind === 'unchanged')
    return { kind: 'unchanged', message: 'Nothing changed: the chunk is back in the context already.' }
  const { place, receipt, entryId, notes } = result
  const message = [`The chunk is back ${backWords(place)}, as entry ${entryId}.`, ...notes].join(' ')
  return { kind: 'done', message, receipt: receipt.id }
}

/** The whole text of a chunk, to be kept as a file; logged like every recovery. */
export async function downloadChunk(name: ColdName, query: string): Promise<DownloadAnswer> {
  const found = await findChunk(name)
  if (found === null) return GONE
  const { chunk, folder } = found
  const log = openLog(getSetup())(folder.policy.logs)
  const ports = { now: folder.now, log, deliver: async () => null }
  const result = await copyChunk(ports, chunk, { destination: 'file', cause: causeOf(query) })
  if (result.kind === 'refused') return { kind: 'refused', problem: result.refusal.message }
  return {
    kind: 'text',
    name: `${chunk.chunkId.replace(/[^\w.-]/g, '_').slice(0, 100)}.txt`,
    text: chunk.content,
    notes: result.notes,
  }
}

/** Keeps a chunk for so many days from now on. */
export async function extendChunkOf(name: ColdName, days: number): Promise<ColdAnswer> {
  const found = await findChunk(name)
  if (found === null) return GONE
  const { chunk, folder } = found
  const extension = await extendChunk(folder, chunk, days)
  if (extension.kind === 'gone') return GONE
  const message = extensionWords('The chunk', extension)
  if (extension.kind === 'unchanged') return { kind: 'unchanged', message }
  await folder.index?.cold.refresh()
  return { kind: 'done', message, receipt: null }
}

/** What has expired, before anything of it is removed. */
export async function previewPurge(): Promise<PurgePreview> {
  const { remove, tokens, keep } = await purge({ apply: false })
  const now = Date.now()
  return {
    ...{ chunks: remove.length, tokens, keep },
    unknownTokens: remove.filter((chunk) => chunk.tokens === null).length,
    rows: remove.slice(0, SHOWN_ROWS).map((chunk) => coldRow(chunk, '', now, null)),
    stamp: stampOfChunks(remove),
  }
}

/** Removes what the preview has shown, for good; refused when something else has expired meanwhile. */
export async function purgeExpired(stamp: string): Promise<ColdAnswer> {
  const purged = await purge({ apply: true, agreed: (chunks) => stampOfChunks(chunks) === stamp })
  if (purged.remove.length === 0)
    return { kind: 'unchanged', message: 'Nothing changed: nothing has expired.' }
  if (purged.removed === null)
    return { kind: 'refused', problem: 'Other chunks have expired since the preview. Look at it again.' }
  const leftAlone = leftAloneWords(purged)
  const message = [purgeWords(purged), ...(leftAlone === null ? [] : [leftAlone])].join(' ')
  return { kind: 'done', message, receipt: null }
}

async function purge(wish: Parameters<typeof purgeCold>[2]) {
  const folders = await getColdFolders()
  const indexes = folders.flatMap(({ index }) => index?.cold ?? [])
  const purged = await purgeCold(removerOf(folders), joinFinders(indexes), wish)
  if (purged.removed !== null) await Promise.all(indexes.map((cold) => cold.refresh()))
  return purged
}
