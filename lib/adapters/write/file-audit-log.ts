import { writeAll } from '../../engine/file-state'
import type { Receipt } from '../../engine/receipt'
import type { AuditLog, WriteFiles } from '../../engine/write-ports'

const NEWLINE = 10

/** A log that grows by one JSON line per write. A line that a crash cut short is ended before the next one begins. */
export function fileAuditLog(files: WriteFiles, path: string): AuditLog {
  return {
    add: async (receipt) => {
      const seen = await files.look(path)
      if (seen === null) await makeEmpty(files, path)
      const start = (await isTorn(files, path, seen?.size ?? 0)) ? '\n' : ''
      const line = new TextEncoder().encode(`${start}${JSON.stringify(toLine(receipt))}\n`)
      const file = await files.openEnd(path)
      try {
        await writeAll(file, line)
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

async function makeEmpty(files: WriteFiles, path: string): Promise<void> {
  await files.makeFolder(files.folderOf(path))
  const file = await files.create(path, 0o600).catch(async (error: unknown) => {
    // Another process made it at the same time.
    if ((await files.look(path)) === null) throw error
    return null
  })
  await file?.close()
  await files.syncFolder(files.folderOf(path))
}

async function isTorn(files: WriteFiles, path: string, size: number): Promise<boolean> {
  if (size === 0) return false
  for await (const piece of files.read(path, { start: size - 1, end: size })) return piece[0] !== NEWLINE
  return false
}

/** Who, what, why, and the hashes; the whole receipt stands in its own file. */
function toLine(receipt: Receipt) {
  const { id, kind, at, actor, reason, session, state, verified, undoes, problem, summary } = receipt
  const files = receipt.files.map(({ path, before, after, backup }) => ({
    path,
    before: before?.hash ?? null,
    after: after?.hash ?? null,
    backup,
  }))
  return { at, receipt: id, state, kind, actor, reason, session, files, verified, undoes, problem, summary }
}
