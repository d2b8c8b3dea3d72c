'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { undoReceipt } from '@/lib/server/audit'
import type { UndoAnswer } from '@/lib/view/audit-answers'

const receipt = z.string().regex(/^[\w-]{1,100}$/)

/** Takes a write back; nothing is half done. */
export async function undoWriteAction(id: unknown): Promise<UndoAnswer> {
  const parsed = receipt.safeParse(id)
  if (!parsed.success) return { kind: 'refused', problem: 'This is no receipt.' }
  try {
    return await undoReceipt(parsed.data)
  } catch (error) {
    return { kind: 'refused', problem: error instanceof Error ? error.message : String(error) }
  } finally {
    revalidatePath('/', 'layout')
  }
}
