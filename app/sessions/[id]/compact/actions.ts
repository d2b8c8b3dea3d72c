'use server'

import { z } from 'zod'
import { action } from '@/lib/server/door/action'
import { startJob } from '@/lib/server/jobs/jobs'
import type { StartAnswer } from '@/lib/view/jobs/job-answers'

const request = z.object({
  session: z.string().regex(/^[\w-]{1,64}$/),
  name: z.string().min(1).max(200),
  knobs: z.string().max(2000),
  firstKept: z.string().max(200),
})

/** Begins to compact a session by the plan that was shown. */
export async function startCompactionAction(wish: unknown): Promise<StartAnswer> {
  return action(z.tuple([request]), [wish], (read) => startJob('compact', read), {
    unreadable: 'This names no plan.',
  })
}
