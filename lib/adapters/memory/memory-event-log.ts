import { open } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { MemoryEvents } from '../../agent/memory-events'
import type { MemoryEvent } from '../../core/memory/memory-event'
import { errorCode } from '../files/regular-file'
import { appendLog } from '../logs/append-log'

const base = { at: z.number(), session: z.string() }
const count = z.number()

const eventSchema = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('recall'),
    prompt: z.string(),
    placed: z.array(z.object({ source: z.string(), score: z.number(), cut: z.boolean(), text: z.string() })),
    left: count,
    tokens: count,
    budget: count,
    problem: z.string().optional(),
  }),
  z.object({ ...base, kind: z.literal('flush'), line: z.number(), delivery: z.string() }),
  z.object({ ...base, kind: z.literal('saved') }),
  z.object({ ...base, kind: z.literal('checkpoint'), id: z.string(), covered: count, tokens: count }),
  z.object({ ...base, kind: z.literal('knowledge'), task: z.string(), facts: z.array(z.string()) }),
  z.object({
    ...base,
    kind: z.literal('completed'),
    task: z.string(),
    added: count,
    confirmed: count,
    contradicted: count,
    clearedResults: count,
    clearedTokens: count,
  }),
])

const NAME = 'events.jsonl'
/** A log beyond this is put aside; one older one is kept. Bytes. */
const MOST_BYTES = 8 * 1024 * 1024
/** Of the end of a log so much is read for display. Bytes. */
const READ_BYTES = 1024 * 1024

/**
 * What memories did, a JSON line for each, in a memory folder that only its owner can read.
 *
 * @example
 * ```ts
 * import { memoryEventLog } from 'plimsoll-agent'
 *
 * const events = memoryEventLog('workspace/memory/context')
 * ```
 */
export function memoryEventLog(memory: string): MemoryEvents {
  const path = join(memory, NAME)
  return {
    note: async (event) => {
      appendLog(path, [JSON.stringify(event)], { maxBytes: MOST_BYTES, keep: 1 })
    },
  }
}

/** The newest events, newest first, and how many lines could not be read. */
export async function readMemoryEvents(
  memory: string,
  limit: number,
): Promise<{ readonly events: readonly MemoryEvent[]; readonly broken: number }> {
  const path = join(memory, NAME)
  const newest = await readEnd(path)
  if (newest.events.length >= limit) return { ...newest, events: newest.events.slice(0, limit) }
  // A log that was just begun anew has not everything that is wanted.
  const before = await readEnd(`${path}.1`)
  return {
    events: [...newest.events, ...before.events].slice(0, limit),
    broken: newest.broken + before.broken,
  }
}

/** Newest first. */
async function readEnd(path: string): Promise<{ readonly events: MemoryEvent[]; readonly broken: number }> {
  let text: string
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const start = Math.max(0, size - READ_BYTES)
      const bytes = Buffer.alloc(size - start)
      await file.read(bytes, 0, bytes.length, start)
      text = bytes.toString('utf8')
      // The first line may be the end of one.
      if (start > 0) text = text.slice(text.indexOf('\n') + 1)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { events: [], broken: 0 }
    throw error
  }
  let broken = 0
  const events = text.split('\n').flatMap((line) => {
    if (line === '') return []
    const read = eventSchema.safeParse(parsed(line))
    if (!read.success) broken += 1
    return read.success ? [read.data] : []
  })
  return { events: events.toReversed(), broken }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
