import * as z from 'zod'
import { SEVERITIES } from '../../core/findings/finding'

const TEXT = z.string().min(1).max(400).optional()

/** What an address may ask for of findings; see `FindingsFilter`. `since` is a day or a time. */
const ASKED = z.object({
  severity: z.enum(SEVERITIES).optional(),
  kind: TEXT,
  cause: TEXT,
  store: TEXT,
  session: TEXT,
  which: z.enum(['open', 'gone', 'all']).optional(),
  since: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)))
    .transform((text) => Date.parse(text))
    .optional(),
  page: z.coerce.number().int().min(0).max(100_000).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

/** Reads the parameters of an address; null: one of them is none that can be. */
export function findingsAsked(url: string) {
  const asked = ASKED.safeParse(Object.fromEntries(new URL(url).searchParams))
  if (!asked.success) return null
  const { page, limit, since, ...filter } = asked.data
  return { filter: { ...filter, ...(since === undefined ? {} : { from: since }) }, page, limit }
}

/** What is wrong with an address that cannot be read. */
export const FINDINGS_ASKED =
  'severity: high, medium or low; which: open, gone or all; since: a day or a time; page from 0; limit from 1 to 200; kind, cause, store, session: names.'
