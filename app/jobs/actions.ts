'use server'

import { z } from 'zod'
import { action } from '@/lib/server/door/action'
import { cancelJob, startJob } from '@/lib/server/jobs/jobs'
import { previewCleanup } from '@/lib/server/maintenance/cleanup-job'
import type { DoneAnswer } from '@/lib/view/actions/action-answer'
import type { StartAnswer } from '@/lib/view/jobs/job-answers'
import type { CleanupAnswer } from '@/lib/view/maintenance/cleanup'
import { MAX_KEPT_KEY } from '@/lib/view/maintenance/maintenance-trial'

const jobId = z.string().regex(/^[\w-]{1,100}$/)

/** Asks a job to stop. */
export async function cancelJobAction(id: unknown): Promise<DoneAnswer> {
  return action(z.tuple([jobId]), [id], cancelJob, { unreadable: 'This is no job.' })
}

const sessionKey = z.string().min(1).max(MAX_KEPT_KEY)
const storeId = z.string().regex(/^[0-9a-f]{12}$/)

const database = z.object({
  store: storeId,
  database: z.string().min(1).max(4096),
  active: sessionKey.nullable(),
  fixMissing: z.boolean(),
})
const cleanup = database.extend({
  name: z.string().min(1).max(200),
  fingerprint: z.string().min(1).max(8192),
})

/** Asks OpenClaw what its own maintenance would do to a database; changes nothing. */
export async function previewCleanupAction(request: unknown): Promise<CleanupAnswer> {
  return action(z.tuple([database]), [request], previewCleanup, { unreadable: 'This names no database.' })
}

const DRY_RUN = { unreadable: 'This names no dry run.' } as const

/** Begins to have OpenClaw apply its dry run that was shown. */
export async function startCleanupAction(request: unknown): Promise<StartAnswer> {
  return action(z.tuple([cleanup]), [request], (read) => startJob('cleanup', read), DRY_RUN)
}

const limit = z.string().max(40).optional()
const maintenance = z.object({
  store: storeId,
  folder: z.string().min(1).max(4096),
  name: z.string().min(1).max(200),
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  trial: z.object({
    mode: limit,
    pruneAfter: limit,
    maxEntries: limit,
    rotateBytes: limit,
    resetArchiveRetention: limit,
    maxDiskBytes: limit,
    highWaterBytes: limit,
    keep: sessionKey.optional(),
  }),
})

/** Begins to apply a dry run that was shown. */
export async function startMaintenanceAction(request: unknown): Promise<StartAnswer> {
  return action(z.tuple([maintenance]), [request], (read) => startJob('maintain', read), DRY_RUN)
}
