'use server'

import { z } from 'zod'
import { previewCleanup } from '@/lib/server/cleanup-job'
import { cancelJob, startJob } from '@/lib/server/jobs'
import type { CleanupAnswer } from '@/lib/view/cleanup'
import type { CancelAnswer, StartAnswer } from '@/lib/view/job-answers'
import { MAX_KEPT_KEY } from '@/lib/view/maintenance-trial'

const jobId = z.string().regex(/^[\w-]{1,100}$/)

/** Asks a job to stop. */
export async function cancelJobAction(id: unknown): Promise<CancelAnswer> {
  const parsed = jobId.safeParse(id)
  if (!parsed.success) return { ok: false, message: 'This is no job.' }
  try {
    return await cancelJob(parsed.data)
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

const sessionKey = z.string().min(1).max(MAX_KEPT_KEY)

const database = z.object({
  store: z.string().regex(/^[0-9a-f]{12}$/),
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
  const parsed = database.safeParse(request)
  if (!parsed.success) return { kind: 'refused', problem: 'This names no database.' }
  try {
    return await previewCleanup(parsed.data.store, parsed.data.database, parsed.data)
  } catch (error) {
    return { kind: 'refused', problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Begins to have OpenClaw carry out its dry run that was looked at. */
export async function startCleanupAction(request: unknown): Promise<StartAnswer> {
  const parsed = cleanup.safeParse(request)
  if (!parsed.success) return { kind: 'refused', problem: 'This names no dry run.' }
  try {
    return await startJob('cleanup', parsed.data)
  } catch (error) {
    return { kind: 'refused', problem: error instanceof Error ? error.message : String(error) }
  }
}

const limit = z.string().max(40).optional()
const maintenance = z.object({
  store: z.string().regex(/^[0-9a-f]{12}$/),
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

/** Begins to carry out a dry run that was looked at. */
export async function startMaintenanceAction(request: unknown): Promise<StartAnswer> {
  const parsed = maintenance.safeParse(request)
  if (!parsed.success) return { kind: 'refused', problem: 'This names no dry run.' }
  try {
    return await startJob('maintain', parsed.data)
  } catch (error) {
    return { kind: 'refused', problem: error instanceof Error ? error.message : String(error) }
  }
}
