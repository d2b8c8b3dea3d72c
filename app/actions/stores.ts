'use server'

import { revalidatePath } from 'next/cache'
import { makeDemo, type ReadingResult, readStoresNow } from '@/lib/server/read-stores'

/** Reads what is new in every store. */
export async function rescanStores(): Promise<ReadingResult> {
  return settle(readStoresNow)
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
