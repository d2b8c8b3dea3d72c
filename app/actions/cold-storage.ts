'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import {
  downloadChunk,
  extendChunk,
  previewPurge,
  purgeExpired,
  recoverIntoSession,
} from '@/lib/server/cold-changes'
import type { ColdAnswer, DownloadAnswer, PurgePreview } from '@/lib/view/cold-storage'

const name = z.object({ chunkId: z.string().min(1), sessionId: z.string().min(1), at: z.number().nullable() })
const query = z.string().max(1000)
const where = z.object({
  session: z.string().regex(/^[\w-]{1,64}$/),
  wanted: z.enum(['neighbourhood', 'end']),
  query,
})

const UNREADABLE = { kind: 'refused', problem: 'This names no chunk.' } as const

/** Brings a chunk back into a transcript. */
export async function recoverChunkAction(chunk: unknown, place: unknown): Promise<ColdAnswer> {
  const parsed = z.tuple([name, where]).safeParse([chunk, place])
  return parsed.success ? settle(() => recoverIntoSession(...parsed.data)) : UNREADABLE
}

/** The text of a chunk, to be saved. */
export async function downloadChunkAction(chunk: unknown, words: unknown): Promise<DownloadAnswer> {
  const parsed = z.tuple([name, query]).safeParse([chunk, words])
  return parsed.success ? attempted(() => downloadChunk(...parsed.data)) : UNREADABLE
}

/** Keeps a chunk longer. */
export async function extendChunkAction(chunk: unknown, days: unknown): Promise<ColdAnswer> {
  const parsed = z.tuple([name, z.number().int().min(1).max(3650)]).safeParse([chunk, days])
  return parsed.success ? settle(() => extendChunk(...parsed.data)) : UNREADABLE
}

/** What a purge would remove; a text says why nobody knows. */
export async function previewPurgeAction(): Promise<PurgePreview | string> {
  try {
    return await previewPurge()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Removes what the preview has shown. */
export async function purgeAction(stamp: unknown): Promise<ColdAnswer> {
  const parsed = z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .safeParse(stamp)
  return parsed.success ? settle(() => purgeExpired(parsed.data)) : UNREADABLE
}

async function settle(work: () => Promise<ColdAnswer>): Promise<ColdAnswer> {
  try {
    return await attempted(work)
  } finally {
    revalidatePath('/', 'layout')
  }
}

async function attempted<A>(work: () => Promise<A>): Promise<A | { kind: 'refused'; problem: string }> {
  try {
    return await work()
  } catch (error) {
    return { kind: 'refused', problem: error instanceof Error ? error.message : String(error) }
  }
}
