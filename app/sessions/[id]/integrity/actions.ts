'use server'

import { z } from 'zod'
import { action } from '@/lib/server/door/action'
import { doctorSession, repairSession } from '@/lib/server/repair/session-integrity'
import type { RepairAnswer } from '@/lib/view/repair/integrity'

const session = z.string().regex(/^[\w-]{1,64}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)

const CHANGING = { unreadable: 'This is no session.', revalidate: '/' } as const

/** Repairs a session's transcript, as long as it is still the one that was examined. */
export async function repairSessionAction(id: unknown, expected: unknown): Promise<RepairAnswer> {
  return action(z.tuple([session, hash]), [id, expected], repairSession, CHANGING)
}

/** Has OpenClaw's own doctor write the header that a session in its database lacks. */
export async function doctorSessionAction(id: unknown): Promise<RepairAnswer> {
  return action(z.tuple([session]), [id], doctorSession, CHANGING)
}
