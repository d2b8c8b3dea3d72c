import * as z from 'zod'
import type { StoreState } from '../engine/read/ports'

/** The column `state` of `Store`. */
export const STORE_STATE: z.ZodType<StoreState> = z.enum([
  'ok',
  'empty',
  'missing',
  'unreadable',
  'locked',
  'newer',
])
