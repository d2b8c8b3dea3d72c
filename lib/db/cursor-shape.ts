import * as z from 'zod'
import type { Cursor } from '../engine/read/ports'

/** Columns `cursorJson`: how far a source was read. */
export const CURSOR: z.ZodType<Cursor> = z.object({
  dev: z.number(),
  ino: z.number(),
  size: z.number(),
  mtimeMs: z.number(),
  offset: z.number(),
  line: z.number(),
  seq: z.number(),
  tailHash: z.string(),
})
