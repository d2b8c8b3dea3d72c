import 'server-only'
import { createHash } from 'node:crypto'
import { recoverableUntil } from '../core/cold/retention'
import type { ColdChunk } from '../engine/cold-store'
import { logRecovery, type RecoveryCause } from '../engine/log-recovery'
import { recoverChunk } from '../engine/recover-chunk'
import {
  type ColdAnswer,
  type ColdName,
  coldRow,
  type DownloadAnswer,
  type PurgePreview,
} from '../view/cold-storage'
import { formatQuantity } from '../view/format'
import { lookAgain } from '../wire'
import { coldPorts, recoverPorts } from '../wire/cold'
import { openLog } from '../wire/logs'
import { openWriter } from '../wire/writer'
import { findChunk, getColdFolders } from './cold-library'
import { placeOf } from './inspected-session'
import { getSession } from './session-record'
import { getSetup } from './setup'

/** How long the dashboard waits for somebody else's lock before it says who has it. Milliseconds. */
const WAIT_MS = 5_000
/** Chunks of a purge that are shown beforehand. */
const SHOWN_ROWS = 20

const GONE: ColdAnswer = {
  kind: 'refused',
  problem: 'The chunk is not in cold storage any more. It was purged, or its file was removed.',
}

/** What was looked for when the chunk was found; null when it was named. */
function causeOf(query: string): RecoveryCause {
  return { trigger: 'manual', query: query === '' ? null : query, score: null }
}

/** Brings a chunk back into a transcript, with a receipt, or says why not (X13). */
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
  const { store, transcript } = placeOf(session)
  const result = await recoverChunk(recoverPorts(setup, opened.writer, found.folder.policy), {
    ...{ chunk: found.chunk, store, transcript, wanted, cause: causeOf(query), actor: 'dashboard' },
    wait: { waitMs: WAIT_MS },
  })
  if (result.kind === 'refused') return { kind: 'refused', problem: result.refusal.message }
  if (result.kind === 'unchanged')
    return { kind: 'unchanged', message: 'Nothing changed: the chunk is back in the context already.' }
  const { place, receipt, entryId, notes } = result
  const where = place.kind === 'end' ? 'at the end of the context' : 'where it had stood'
  const message = [`The chunk is back ${where}, as entry ${entryId}.`, ...notes].join(' ')
  return { kind: 'done', message, receipt: receipt.id }
}

/** The whole text of a chunk, to be kept as a file; logged like every recovery (I7). */
export async function downloadChunk(name: ColdName, query: string): Promise<DownloadAnswer> {
  const found = await findChunk(name)
  if (found === null) return { kind: 'refused', problem: 'The chunk is not in cold storage any more.' }
  const { chunk, folder } = found
  const problem = await logRecovery(openLog(getSetup())(folder.policy.logs), chunk, causeOf(query), 'file')
  return {
    kind: 'text',
    name: `${chunk.chunkId.replace(/[^\w.-]/g, '_').slice(0, 100)}.txt`,
    text: chunk.content,
    notes: problem === null ? [] : [problem],
  }
}

/** Keeps a chunk for so many days from now on. */
export async function extendChunk(name: ColdName, days: number): Promise<ColdAnswer> {
  const found = await findChunk(name)
  if (found === null) return GONE
  const { chunk, folder } = found
  const until = recoverableUntil(Date.now(), days)
  if (chunk.until !== null && until <= chunk.until)
    return { kind: 'unchanged', message: 'Nothing changed: the chunk is kept at least as long already.' }
  const { store } = coldPorts(getSetup(), folder.policy.coldStorage)
  if ((await store.extend([chunk], until)) === 0) return GONE
  await folder.index?.cold.refresh()
  return { kind: 'done', message: `The chunk is kept until ${day(until)}.`, receipt: null }
}

/** What has expired, before anything of it is removed. */
export async function previewPurge(): Promise<PurgePreview> {
  const { expired, keep } = await expiredChunks()
  const now = Date.now()
  return {
    chunks: expired.length,
    tokens: expired.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
    unknownTokens: expired.filter(({ tokens }) => tokens === null).length,
    keep,
    rows: expired.slice(0, SHOWN_ROWS).map((chunk) => coldRow(chunk, '', now, null)),
    stamp: stampOf(expired),
  }
}

/** Removes what the preview has shown, for good; refused when something else has expired meanwhile. */
export async function purgeExpired(stamp: string): Promise<ColdAnswer> {
  const { expired, parts } = await expiredChunks()
  if (expired.length === 0) return { kind: 'unchanged', message: 'Nothing changed: nothing has expired.' }
  if (stampOf(expired) !== stamp)
    return { kind: 'refused', problem: 'Other chunks have expired since the preview. Look at it again.' }
  let removed = 0
  for (const { folder, chunks } of parts) {
    removed += await coldPorts(getSetup(), folder.policy.coldStorage).store.remove(chunks)
    await folder.index?.cold.refresh()
  }
  return {
    kind: 'done',
    message: `${formatQuantity(removed, 'expired chunk')} removed for good.`,
    receipt: null,
  }
}

/** Asks the reader of stores to look at once, so that pages show the write. */
export async function lookAgainSoon(): Promise<void> {
  await lookAgain(getSetup().environment)
}

async function expiredChunks() {
  const parts = []
  let keep = 0
  for (const folder of await getColdFolders()) {
    if (folder.index === null) continue
    const expired = await folder.index.cold.expired()
    keep += expired.keep
    parts.push({ folder, chunks: expired.chunks })
  }
  return { parts, expired: parts.flatMap(({ chunks }) => chunks), keep }
}

function stampOf(chunks: readonly ColdChunk[]): string {
  const names = chunks.map(({ file, chunkId, at }) => `${file} ${chunkId} ${at}`).sort()
  return createHash('sha256').update(names.join('\n')).digest('hex')
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
