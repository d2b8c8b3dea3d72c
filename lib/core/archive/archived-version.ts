import * as z from 'zod'
import type { Bytes, Milliseconds } from '../units/units'

/** Content is cut into pieces of this size; only the last one of a transcript is shorter. Bytes. */
export const BLOCK_BYTES = 1024 * 1024

/** A copy of a transcript as it was at one moment. Its bytes are in blocks, which are named by their SHA-256. */
export type ArchivedVersion = {
  readonly format: 1
  /** Of the transcript; see `FoundTranscript.id`. */
  readonly id: string
  /** From 1 on. A transcript that only grew keeps its number; one that was written anew gets the next. */
  readonly number: number
  readonly store: {
    readonly id: string
    readonly kind: string
    readonly era: string
    readonly root: string
    readonly label: string
  }
  readonly sessionId: string
  readonly key: string | null
  readonly agent: string | null
  readonly path: string
  /** As the store listed it when it was copied. */
  readonly state: string
  /** What the runtime's index said of the session then. */
  readonly index: object | null
  /** `file`: the bytes of its file. `lines`: its lines, out of a database; there was no such file. */
  readonly form: 'file' | 'lines'
  /** The source as it was when the copy began. */
  readonly stamp: {
    readonly dev: number
    readonly ino: number
    readonly size: number
    readonly mtimeMs: Milliseconds
  }
  /** Permission bits of the file. */
  readonly mode: number
  /** All bytes of the copy. */
  readonly size: Bytes
  /** SHA-256 of each block, in order; hex. */
  readonly blocks: readonly string[]
  /** SHA-256 of all bytes, hex; null where only what was added was read. */
  readonly sha256: string | null
  readonly copiedAt: Milliseconds
  /** When the transcript was found to be written anew; null: this is the newest copy. */
  readonly replacedAt: Milliseconds | null
}

const HASH = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.number().int().nonnegative()

const shape: z.ZodType<ArchivedVersion> = z
  .object({
    format: z.literal(1),
    id: z.string().regex(/^[0-9a-f]{16}$/),
    number: count.min(1),
    store: z.object({
      id: z.string(),
      kind: z.string(),
      era: z.string(),
      root: z.string(),
      label: z.string(),
    }),
    sessionId: z.string(),
    key: z.string().nullable(),
    agent: z.string().nullable(),
    path: z.string(),
    state: z.string(),
    index: z.looseObject({}).nullable(),
    form: z.enum(['file', 'lines']),
    stamp: z.object({ dev: z.number(), ino: z.number(), size: z.number(), mtimeMs: z.number() }),
    mode: z.number().int().min(0).max(0o7777),
    size: count,
    blocks: z.array(HASH),
    sha256: HASH.nullable(),
    copiedAt: z.number(),
    replacedAt: z.number().nullable(),
  })
  .refine(({ size, blocks }) => blocks.length === blocksOf(size), {
    error: 'names another number of blocks than its size needs',
  })

/** Reads a version from JSON. @throws Error when it is of another form, or its sizes do not agree */
export function readVersion(text: string): ArchivedVersion {
  return shape.parse(JSON.parse(text))
}

/** How many blocks hold so many bytes. */
function blocksOf(size: Bytes): number {
  return Math.ceil(size / BLOCK_BYTES)
}

/** How many bytes a block of a version holds. @param at its number, from 0 */
export function blockSize({ size }: Pick<ArchivedVersion, 'size'>, at: number): Bytes {
  return Math.min(BLOCK_BYTES, size - at * BLOCK_BYTES)
}

/**
 * What the newest version of a transcript is called in the archive, and what an older one is. Made from our own id and
 * number, never from a name of a store.
 */
export function versionName({
  id,
  number,
  replacedAt,
}: Pick<ArchivedVersion, 'id' | 'number' | 'replacedAt'>): string {
  return replacedAt === null ? id : `${id}.v${number}`
}
