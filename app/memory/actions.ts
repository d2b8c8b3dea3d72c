'use server'

import { z } from 'zod'
import { action } from '@/lib/server/door/action'
import { addFact, editFact, forgetFact } from '@/lib/server/memory/memory'
import type { DoneAnswer } from '@/lib/view/actions/action-answer'

const id = z.string().min(1).max(100)
const content = z.string().max(2_000)
const edit = z.object({
  content: content.optional(),
  confidence: z.number().optional(),
  state: z.enum(['active', 'archived']).optional(),
})

const CHANGING = { unreadable: 'This names no fact.', revalidate: '/memory' } as const

/** Remembers a fact of the operator. */
export async function addFactAction(text: unknown): Promise<DoneAnswer> {
  return action(z.tuple([content]), [text], addFact, CHANGING)
}

/** Changes a fact; an edited one counts as confirmed. */
export async function editFactAction(fact: unknown, change: unknown): Promise<DoneAnswer> {
  return action(z.tuple([id, edit]), [fact, change], editFact, CHANGING)
}

/** Forgets a fact for good. */
export async function forgetFactAction(fact: unknown): Promise<DoneAnswer> {
  return action(z.tuple([id]), [fact], forgetFact, CHANGING)
}
