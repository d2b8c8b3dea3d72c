import * as z from 'zod'
import { readTextFile } from '../../engine/write/read-text'
import type { WriteFiles } from '../../engine/write/write-ports'
import { HEAD_PURPOSE } from './audit-files'
import { writeFlushed } from './flushed-file'
import type { Prover } from './proof-key'

/** Number and hash of the last line, 0 before the first: lines that are cut off at the end leave no trace in the log itself. */
export type AuditHead = { readonly seq: number; readonly hash: string }

const shape = z.object({ seq: z.number().int().min(0), hash: z.string(), mac: z.string() })

export async function writeHead(
  files: WriteFiles,
  path: string,
  prover: Prover,
  head: AuditHead,
): Promise<void> {
  const { seq, hash } = head
  const mac = prover.sign(HEAD_PURPOSE, textOf(head))
  const text = `${JSON.stringify({ seq, hash, mac })}\n`
  await writeFlushed(files, path, [new TextEncoder().encode(text)])
}

/** null when there is none; `changed` when another hand was at it. */
export async function readAuditHead(
  files: WriteFiles,
  path: string,
  prover: Prover,
): Promise<AuditHead | 'changed' | null> {
  if ((await files.stat(path)) === null) return null
  try {
    const text = await readTextFile(files, path, { start: 0, end: 4096 })
    const { mac, ...head } = shape.parse(JSON.parse(text))
    return prover.verify(HEAD_PURPOSE, textOf(head), mac) ? head : 'changed'
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return 'changed'
    throw error
  }
}

function textOf({ seq, hash }: AuditHead): string {
  return `${seq} ${hash}`
}
