import { lstat, rm } from 'node:fs/promises'
import * as z from 'zod'
import type { KeptSummaries, KeptSummary } from '../../engine/compaction/kept-summary'
import { readJsonFile, replaceJson, sessionFile, sessionFiles } from '../memory/session-file'

/** A kept summary is of a conversation that has gone on; after a month it is taken away. Milliseconds. */
const KEPT_MS = 30 * 86_400_000

/** What must be right for a file to be used; the plan in it is ours, as it was made. */
const shape = z.looseObject({
  version: z.literal(1),
  file: z.string(),
  at: z.number(),
  policy: z.string(),
  entries: z.string(),
  count: z.number().int(),
  focus: z.string().nullable(),
  leaf: z.number().int(),
  plan: z.looseObject({
    kind: z.literal('plan'),
    firstKeptEntryId: z.string(),
    chunks: z.array(z.unknown()),
  }),
  summary: z.looseObject({ text: z.string(), source: z.literal('model'), notes: z.array(z.string()) }),
})

/** Summaries that wait to be written, one file each in a folder that only its owner can read. */
export function keptSummaryFiles(folder: string, now: () => number): KeptSummaries {
  const pathOf = (file: string) => sessionFile(folder, file)
  return {
    get: async (file) => {
      const value = await readJsonFile(pathOf(file)).catch(() => null)
      return isKept(value) && value.file === file ? value : null
    },
    put: async (kept) => {
      await removeOld(folder, now() - KEPT_MS)
      await replaceJson(folder, pathOf(kept.file), kept)
    },
    forget: (file) => removeOwn(pathOf(file)),
  }
}

function isKept(value: unknown): value is KeptSummary {
  return shape.safeParse(value).success
}

async function removeOld(folder: string, before: number): Promise<void> {
  for (const path of await sessionFiles(folder).catch(() => [])) {
    const stats = await lstat(path).catch(() => null)
    if (stats !== null && stats.mtimeMs < before) await removeOwn(path)
  }
}

/** Of any version; a plan that we cannot use any more is ours nevertheless. */
const anyVersion = z.looseObject({ version: z.number(), file: z.string(), summary: z.looseObject({}) })

/** Takes a file away that holds a kept summary. Whatever else lies there under such a name is left alone. */
async function removeOwn(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null)
  if (!stats?.isFile() || stats.nlink > 1) return
  if (anyVersion.safeParse(await readJsonFile(path).catch(() => null)).success)
    await rm(path, { force: true })
}
