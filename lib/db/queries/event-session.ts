import * as z from 'zod'

/** The session that something happened in, as a list names it. */
export type EventSession = {
  readonly id: string
  readonly sessionId: string
  readonly name: string | null
  readonly key: string | null
  readonly agent: string | null
  readonly channel: string | null
}

/** Its columns, from `"Session" s`. */
export const EVENT_COLUMNS = 's."id", s."sessionId", s."name", s."key", s."agent", s."channel"'

export const EVENT_SESSION = {
  id: z.string(),
  sessionId: z.string(),
  name: z.string().nullable(),
  key: z.string().nullable(),
  agent: z.string().nullable(),
  channel: z.string().nullable(),
} satisfies { readonly [K in keyof EventSession]: z.ZodType<EventSession[K]> }
