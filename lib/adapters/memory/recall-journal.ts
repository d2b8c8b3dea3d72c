import { appendFile, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { RECALL_VECTORS } from '../../core/memory/recall-index'
import { VECTOR_DIMENSIONS } from '../../core/relevance/hashed-vectors'
import { type IndexedSource, RECALL_ORIGINS, type RecallJournal } from '../../engine/knowledge/recall-ports'
import { errorCode } from '../files/regular-file'
import { writeFreshBeside } from '../write/fresh-file'
import { replaceByRename } from '../write/rename-with-retry'

/** Another number, or other vectors: the index is of another version, and is made anew. */
const VERSION = 2

/** How the first line of an index begins, in every version. */
const BEGINNING = '{"plimsollRecall":'

const headerSchema = z.object({ plimsollRecall: z.number(), vectors: z.string() })
const putSchema = z.object({
  id: z.string(),
  origin: z.enum(RECALL_ORIGINS),
  name: z.string(),
  stamp: z.string(),
  /** Line, text, vector in base64. */
  pieces: z.array(z.tuple([z.number().int(), z.string(), z.string()])),
})
const goneSchema = z.object({ gone: z.array(z.string()) })

/**
 * The index of memory in a file of JSON lines: each change is added at the end, the last line about a source counts,
 * and a torn one is passed over. Loading it writes it anew once most of it is outdated. Readable by its owner alone.
 *
 * @example
 * ```ts
 * import { memoryFiles, RecallLibrary, recallJournal } from 'plimsoll-agent'
 *
 * const journal = recallJournal('workspace/memory/context/recall.jsonl')
 * const library = new RecallLibrary({ places: [memoryFiles('workspace')], journal })
 * ```
 */
export function recallJournal(path: string): RecallJournal {
  const header = `${JSON.stringify({ plimsollRecall: VERSION, vectors: RECALL_VECTORS })}\n`
  let ready = false
  /** Something else lies there, and stays. */
  let foreign = false

  async function begin(): Promise<void> {
    if (ready) return
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      const file = await open(path, 'wx', 0o600)
      await file.writeFile(header)
      await file.close()
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      // What was torn stays a separate line.
      await appendFile(path, '\n')
    }
    ready = true
  }

  async function rewrite(sources: readonly IndexedSource[]): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const fresh = await writeFreshBeside(path, [header, ...sources.map(lineOf)])
    try {
      await replaceByRename(fresh, path)
      ready = true
    } catch (error) {
      await rm(fresh, { force: true })
      throw error
    }
  }

  return {
    load: async () => {
      const sources = new Map<string, IndexedSource>()
      let [lines, broken] = [0, 0]
      try {
        const file = await open(path)
        for await (const line of createInterface({ input: file.createReadStream({ encoding: 'utf8' }) })) {
          if (line === '') continue
          const value = parsed(line)
          if (lines++ === 0) {
            foreign = value === null && !header.startsWith(line) && !line.startsWith(BEGINNING)
            foreign ||= value !== null && !headerSchema.safeParse(value).success
            if (foreign)
              return {
                sources: [],
                problem: `${path} is no index of memory and is left as it is. Name another file for the index, or move that one away.`,
              }
            const other = otherVersion(value)
            if (other === null) continue
            await rewrite([])
            return { sources: [], problem: `${path} ${other}; the index is made anew.` }
          }
          if (!take(sources, value)) broken += 1
        }
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return { sources: [], problem: null }
        throw error
      }
      const kept = [...sources.values()]
      if (lines - 1 > 2 * kept.length + 100 || broken > 0) await rewrite(kept)
      const torn =
        broken === 0 ? null : `${path}: ${broken} lines could not be read; what they were of is read anew.`
      return { sources: kept, problem: torn }
    },
    append: async ({ put, gone }) => {
      // Reported when it was loaded.
      if (foreign) return
      await begin()
      const lines = [...put.map(lineOf), ...(gone.length > 0 ? [`${JSON.stringify({ gone })}\n`] : [])]
      if (lines.length > 0) await appendFile(path, lines.join(''))
    },
  }
}

function otherVersion(value: unknown): string | null {
  const header = headerSchema.safeParse(value)
  if (!header.success) return 'is torn'
  const { plimsollRecall: version, vectors } = header.data
  if (version === VERSION && vectors === RECALL_VECTORS) return null
  return `was written by another version (${version}, vectors ${vectors}; ours are ${VERSION}, ${RECALL_VECTORS})`
}

function take(sources: Map<string, IndexedSource>, value: unknown): boolean {
  const put = putSchema.safeParse(value)
  if (put.success) {
    const { pieces, ...source } = put.data
    if (pieces.some(([, , vector]) => Buffer.byteLength(vector, 'base64') !== VECTOR_DIMENSIONS)) return false
    const read = pieces.map(([line, text, vector]) => {
      const bytes = Buffer.from(vector, 'base64')
      return { line, text, vector: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) }
    })
    sources.set(source.id, { ...source, pieces: read })
    return true
  }
  const gone = goneSchema.safeParse(value)
  if (!gone.success) return false
  for (const id of gone.data.gone) sources.delete(id)
  return true
}

function lineOf({ id, origin, name, stamp, pieces }: IndexedSource): string {
  const kept = pieces.map(({ line, text, vector }) => [
    line,
    text,
    Buffer.from(vector.buffer, vector.byteOffset, vector.length).toString('base64'),
  ])
  return `${JSON.stringify({ id, origin, name, stamp, pieces: kept })}\n`
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
