import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The shared corpus of real session files beside a checkout; null where it is not present. Tools that are bundled run
 * in the root of the checkout, which is where it is looked for then.
 */
export const CORPUS: string | null = (() => {
  const beside = '../shared/corpus'
  const folders = [
    process.env.PLIMSOLL_CORPUS ?? fileURLToPath(new URL(`../../${beside}`, import.meta.url)),
    resolve(beside),
  ]
  return folders.find((folder) => existsSync(folder)) ?? null
})()

/** Transcript files below a folder: `.jsonl`, but no traces, recorded requests or checkpoints. */
export function transcriptFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .filter((entry) => !/trajectory|requests|checkpoint/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
