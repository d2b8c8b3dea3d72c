import * as z from 'zod'
import type { LoadSubject } from '../../core/budget/session-loads'

/** Columns of `Session` that say which model it has, and which window. Tokens. */
export const MODEL_COLUMNS = {
  provider: z.string().nullable(),
  model: z.string().nullable(),
  window: z.number().nullable(),
  windowSource: z.string().nullable(),
  believedWindow: z.number().nullable(),
  believedSource: z.string().nullable(),
}

/** Columns that decide about a session's policy: of `Session`, and the store's root. Tokens, milliseconds. */
export const SUBJECT = {
  storeId: z.string(),
  storeRoot: z.string(),
  sessionId: z.string(),
  key: z.string().nullable(),
  agent: z.string().nullable(),
  channel: z.string().nullable(),
  ...MODEL_COLUMNS,
  updatedAt: z.number().nullable(),
} satisfies { readonly [K in keyof LoadSubject]: z.ZodType<LoadSubject[K]> }
