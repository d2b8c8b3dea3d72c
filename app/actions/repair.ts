'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { doctorSession, repairSession } from '@/lib/server/session-integrity'
import type { RepairAnswer } from '@/lib/view/integrity'

const session = z.string().regex(/^[\w-]{1,64}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** Repairs a session's transcript, as long as it is still the one that was looked at. */
export async function repairSessionAction(id: unknown, expected: unknown): Promise<RepairAnswer> {
  const name = session.safeParse(id)
  const seen = hash.safeParse(expected)
  if (!name.success || !seen.success) return { kind: 'refused', problem: 'This is no session.' }
  try {
    return await repairSession(name.data, seen.data)
  } catch (error) {
    return { kind: 'refused', problem: error instanceof Error ? error.message : String(error) }
  } finally {
    revalidatePath('/', 'layout')
  }
}

/** Has OpenClaw's own doctor write the header that a session in its database lacks. */
export async function doctorSessionAction(id: unknown): Promise<RepairAnswer> {
  const name = session.safeParse(id)
  if (!name.success) return { kind: 'refused', problem: 'This is no session.' }
  try {
    return await doctorSession(name.data)
  } catch (error) {
    return { kind: 'refused', problem: error instanceof Error ? error.message : String(error) }
  } finally {
    revalidatePath('/', 'layout')
  }
}
