'use server'

import { z } from 'zod'
import { action } from '@/lib/server/door/action'
import { startJob } from '@/lib/server/jobs/jobs'
import { makeDemo } from '@/lib/server/stores/read-stores'
import type { DoneAnswer } from '@/lib/view/actions/action-answer'

const CHANGING = { unreadable: 'This takes nothing.', revalidate: '/' } as const

/** Reads what is new in every store, as a job; the message is for the reader. */
export async function rescanStores(): Promise<DoneAnswer> {
  return action(z.tuple([]), [], rescan, CHANGING)
}

async function rescan(): Promise<DoneAnswer> {
  await startJob('rescan', null)
  return { kind: 'done', message: 'Looking at every store now; what is new shows here by itself.' }
}

/** Makes and reads the demo store. */
export async function createDemoStore(): Promise<DoneAnswer> {
  return action(z.tuple([]), [], makeDemo, CHANGING)
}
