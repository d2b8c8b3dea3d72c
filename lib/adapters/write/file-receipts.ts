import * as z from 'zod'
import { unlinkIfThere } from '../../engine/file-state'
import type { Receipt } from '../../engine/receipt'
import type { Receipts, WriteFiles } from '../../engine/write-ports'
import { writeFlushed } from './flushed-file'

const DONE = '.json'
/** Writes that have begun and not ended are told apart by their names, so that a start need not read them all. */
const OPEN = '.open.json'

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

const receiptShape: z.ZodType<Receipt> = z.object({
  id: z.string(),
  kind: z.enum(['repair', 'compact', 'recover', 'reset', 'create', 'record', 'close', 'maintain', 'undo']),
  at: z.number(),
  actor: z.string(),
  reason: z.string(),
  session: z.string().nullable(),
  root: z.string(),
  store: z.enum(['openclaw', 'pi']),
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

/** One JSON file per receipt in `folder`. */
export function fileReceipts(files: WriteFiles, folder: string): Receipts {
  const place = (id: string, ending: string) => files.join(folder, id + ending)
  const named = async (ending: (name: string) => string | null) =>
    (await files.list(folder)).flatMap((name) => ending(name) ?? [])
  return {
    put: async (receipt) => {
      await files.makeFolder(folder)
      const text = new TextEncoder().encode(`${JSON.stringify(receipt, null, 2)}\n`)
      const isOpen = receipt.state === 'preparing' || receipt.state === 'pending'
      await writeFlushed(files, place(receipt.id, isOpen ? OPEN : DONE), [text])
      if (!isOpen) await unlinkIfThere(files, place(receipt.id, OPEN))
    },
    get: async (id) => {
      // A name from outside must not lead anywhere else.
      if (!/^[\w-]+$/.test(id)) return null
      return (await readReceipt(files, place(id, DONE))) ?? (await readReceipt(files, place(id, OPEN)))
    },
    forget: async (id) => {
      await unlinkIfThere(files, place(id, OPEN))
    },
    ids: async () => [...new Set(await named(idOf))].sort().reverse(),
    open: async () => {
      const ended = new Set(await named(endedIdOf))
      const begun = (await named(openIdOf)).sort()
      // Its end was written and the beginning not yet taken away.
      for (const id of begun) if (ended.has(id)) await unlinkIfThere(files, place(id, OPEN))
      return begun.filter((id) => !ended.has(id))
    },
  }
}

function openIdOf(name: string): string | null {
  return name.endsWith(OPEN) ? name.slice(0, -OPEN.length) : null
}

function endedIdOf(name: string): string | null {
  return name.endsWith(DONE) && !name.endsWith(OPEN) ? name.slice(0, -DONE.length) : null
}

function idOf(name: string): string | null {
  return openIdOf(name) ?? endedIdOf(name)
}

async function readReceipt(files: WriteFiles, path: string): Promise<Receipt | null> {
  if ((await files.look(path)) === null) return null
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of files.read(path)) text += decoder.decode(piece, { stream: true })
  try {
    return receiptShape.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`${path} is no receipt that this version understands`, { cause: error })
  }
}
