import { z } from 'zod'
import { PICK_NAMES } from '@/lib/core/findings/remedies/tuned-kinds'
import { answerJson } from '@/lib/server/door/answer'
import { badRequest } from '@/lib/server/door/answer-found'
import { getForeseen } from '@/lib/server/findings/remedies'

const ASKED = z.object({
  session: z.string().regex(/^[\w-]{1,64}$/),
  finding: z.string().min(1).max(200),
  pick: z.enum(PICK_NAMES).nullable().default(null),
})

/** What the setting behind a finding would have meant for recorded sessions, by replay. */
export async function GET(request: Request) {
  const asked = ASKED.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (!asked.success) return badRequest('session and finding: their ids; pick: safe, balanced or cheap.')
  const { session, finding, pick } = asked.data
  return answerJson(() => getForeseen(session, finding, pick))
}
