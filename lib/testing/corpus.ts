import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The shared corpus of real session files beside a checkout; null where it is not present. */
export const CORPUS: string | null = (() => {
  const folder =
    process.env.PLIMSOLL_CORPUS ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url))
  return existsSync(folder) ? folder : null
})()

/** Transcript files below a folder: `.jsonl`, but no traces, recorded requests or checkpoints. */
export function transcriptFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .filter((entry) => !/trajectory|requests|checkpoint/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
