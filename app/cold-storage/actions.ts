'use server'

import { z } from 'zod'
import {
  downloadChunk,
  extendChunkOf,
  previewPurge,
  purgeExpired,
  recoverIntoSession,
} from '@/lib/server/cold/cold-changes'
import { action } from '@/lib/server/door/action'
import type { ColdAnswer, DownloadAnswer, PurgePreviewAnswer } from '@/lib/view/cold/cold-storage'

const name = z.object({ chunkId: z.string().min(1), sessionId: z.string().min(1), at: z.number().nullable() })
const query = z.string().max(1000)
const days = z.number().int().min(1).max(3650)
const stamp = z.string().regex(/^[0-9a-f]{64}$/)
const where = z.object({
  session: z.string().regex(/^[\w-]{1,64}$/),
  wanted: z.enum(['neighbourhood', 'end']),
  query,
})

const READING = { unreadable: 'This names no chunk.' } as const
const CHANGING = { ...READING, revalidate: '/' } as const

/** Brings a chunk back into a transcript. */
export async function recoverChunkAction(chunk: unknown, place: unknown): Promise<ColdAnswer> {
  return action(z.tuple([name, where]), [chunk, place], recoverIntoSession, CHANGING)
}

/** The text of a chunk, to be saved. */
export async function downloadChunkAction(chunk: unknown, words: unknown): Promise<DownloadAnswer> {
  return action(z.tuple([name, query]), [chunk, words], downloadChunk, READING)
}

/** Keeps a chunk longer. */
export async function extendChunkAction(chunk: unknown, longer: unknown): Promise<ColdAnswer> {
  return action(z.tuple([name, days]), [chunk, longer], extendChunkOf, CHANGING)
}

/** What a purge would remove. */
export async function previewPurgeAction(): Promise<PurgePreviewAnswer> {
  const preview = async () => ({ kind: 'planned', preview: await previewPurge() }) as const
  return action(z.tuple([]), [], preview, READING)
}

/** Removes what the preview has shown. */
export async function purgeAction(shown: unknown): Promise<ColdAnswer> {
  return action(z.tuple([stamp]), [shown], purgeExpired, CHANGING)
}
