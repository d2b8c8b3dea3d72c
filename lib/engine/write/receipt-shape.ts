import * as z from 'zod'
import { SENDERS } from '../../core/transcript/send-rules'
import type { Receipt } from './receipt'

const stateShape = z.object({
  dev: z.string(),
  ino: z.string(),
  size: z.number(),
  mtimeNs: z.string(),
  mode: z.number(),
  uid: z.number(),
  gid: z.number(),
  hash: z.string(),
})

/** A receipt as it is read back, from its file or its row. */
export const receiptShape: z.ZodType<Receipt> = z.object({
  id: z.string(),
  kind: z.enum(['repair', 'compact', 'recover', 'reset', 'maintain', 'restore', 'setting', 'undo']),
  at: z.number(),
  actor: z.string(),
  reason: z.string(),
  session: z.string().nullable(),
  root: z.string(),
  store: z.enum(SENDERS),
  files: z.array(
    z.object({
      path: z.string(),
      before: stateShape.nullable(),
      after: stateShape.nullable(),
      backup: z.string().nullable(),
    }),
  ),
  summary: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  by: z.literal('openclaw').optional(),
  state: z.enum(['preparing', 'pending', 'done', 'failed', 'undone']),
  undoneBy: z.string().nullable(),
  undoes: z.string().nullable(),
  problem: z.string().nullable(),
  verified: z.boolean(),
})
