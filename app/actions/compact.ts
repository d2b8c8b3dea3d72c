'use server'

import { z } from 'zod'
import { startCompaction } from '@/lib/server/start-compaction'
import type { StartAnswer } from '@/lib/view/job-answers'

const request = z.object({
  session: z.string().regex(/^[\w-]{1,64}$/),
  name: z.string().min(1).max(200),
  knobs: z.string().max(2000),
  firstKept: z.string().max(200),
})

/** Begins to compact a session by the plan that was looked at. */
export async function startCompactionAction(wish: unknown): Promise<StartAnswer> {
  const parsed = request.safeParse(wish)
  if (!parsed.success) return { kind: 'refused', problem: 'This names no plan.' }
  try {
    return await startCompaction(parsed.data)
  } catch (error) {
    return { kind: 'refused', problem: error instanceof Error ? error.message : String(error) }
  }
}
