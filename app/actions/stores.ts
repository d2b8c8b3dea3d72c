'use server'

import { revalidatePath } from 'next/cache'
import { startJob } from '@/lib/server/jobs'
import { makeDemo, type ReadingResult } from '@/lib/server/read-stores'

/** Reads what is new in every store, as a job; the message is for the reader. */
export async function rescanStores(): Promise<ReadingResult> {
  return settle(async () => {
    await startJob('rescan', null)
    return { ok: true, message: 'Looking at every store now; what is new shows here by itself.' }
  })
}

/** Makes and reads the demo store. */
export async function createDemoStore(): Promise<ReadingResult> {
  return settle(makeDemo)
}

async function settle(work: () => Promise<ReadingResult>): Promise<ReadingResult> {
  try {
    return await work()
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  } finally {
    revalidatePath('/', 'layout')
  }
}
