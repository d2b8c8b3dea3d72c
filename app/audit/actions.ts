'use server'

import { z } from 'zod'
import { takeBack } from '@/lib/server/audit/audit'
import { action } from '@/lib/server/door/action'
import type { UndoAnswer } from '@/lib/view/audit/audit-answers'

const receipt = z.string().regex(/^[\w-]{1,100}$/)

/** Takes a write back; nothing is half done. */
export async function undoWriteAction(id: unknown): Promise<UndoAnswer> {
  return action(z.tuple([receipt]), [id], takeBack, { unreadable: 'This is no receipt.', revalidate: '/' })
}
