'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { addFact, editFact, forgetFact } from '@/lib/server/memory'
import type { FactAnswer } from '@/lib/view/memory'

const id = z.string().min(1).max(100)
const content = z.string().max(2_000)
const edit = z.object({
  content: content.optional(),
  confidence: z.number().optional(),
  state: z.enum(['active', 'archived']).optional(),
})

const UNREADABLE: FactAnswer = { ok: false, message: 'This names no fact.' }

/** Remembers a fact of the operator. */
export async function addFactAction(text: unknown): Promise<FactAnswer> {
  const parsed = content.safeParse(text)
  return parsed.success ? settle(() => addFact(parsed.data)) : UNREADABLE
}

/** Changes a fact; an edited one counts as confirmed. */
export async function editFactAction(fact: unknown, change: unknown): Promise<FactAnswer> {
  const parsed = z.tuple([id, edit]).safeParse([fact, change])
  return parsed.success ? settle(() => editFact(...parsed.data)) : UNREADABLE
}

/** Forgets a fact for good. */
export async function forgetFactAction(fact: unknown): Promise<FactAnswer> {
  const parsed = id.safeParse(fact)
  return parsed.success ? settle(() => forgetFact(parsed.data)) : UNREADABLE
}

async function settle(work: () => Promise<FactAnswer>): Promise<FactAnswer> {
  try {
    return await work()
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  } finally {
    revalidatePath('/memory')
  }
}
