import * as z from 'zod'
import { BLOCK_BYTES, readVersion, versionName } from '../../core/archive/archived-version'
import type { Bytes } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import { ArchiveDamage, type ArchiveFolder, type GoneMark } from '../../engine/archive/archive-ports'
import { unlinkIfThere } from '../../engine/write/file-state'
import type { Hasher, WriteFiles } from '../../engine/write/write-ports'
import { writeFlushed } from '../write/flushed-file'
import { packBlock, unpackBlock } from './block-packing'
import { removeUnpacked } from './unpacked-files'

export type ArchiveFolderIo = {
  readonly files: WriteFiles
  readonly sha256: () => Hasher
  /** Another text each time. */
  readonly unique: () => string
  readonly freeBytes: ArchiveFolder['freeBytes']
  readonly alone: ArchiveFolder['alone']
}

const BLOCK = /^([0-9a-f]{64})\.br$/
const VERSION = /^[0-9a-f]{16}(?:\.v\d{1,9})?\.json$/
const MARK = /^([0-9a-f]{16})\.json$/
/** What a crash leaves of one of the above. */
const UNFINISHED = /^(?:generation|[0-9a-f]{16,64}(?:\.v\d{1,9})?)\.(?:br|json)\.[0-9a-z]+\.tmp$/

/** Packing makes random bytes a little longer. Bytes. */
const MOST_PACKED = BLOCK_BYTES + 64 * 1024
/** A version of 100 GB has 7 MB. Bytes. */
const MOST_JSON = 16 * 1024 * 1024

const markShape: z.ZodType<GoneMark> = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  storeId: z.string(),
  at: z.number(),
  rule: z.string().nullable(),
})

/**
 * The archive in a folder of ours: `blocks/<two digits>/<hash>.br`, `transcripts/<id>.json` for the newest version of a
 * transcript and `<id>.v<number>.json` for older ones, `gone/<id>.json` for what is no longer in its store, and what is
 * being read in `reading` (unpacked-files.ts).
 */
export function archiveFolder(io: ArchiveFolderIo, root: string): ArchiveFolder {
  const { files } = io
  const blocks = files.join(root, 'blocks')
  const transcripts = files.join(root, 'transcripts')
  const gone = files.join(root, 'gone')
  const generation = files.join(root, 'generation.json')
  const placeOf = (hash: string) => files.join(blocks, hash.slice(0, 2), `${hash}.br`)
  const put = async (path: string, content: Uint8Array) => {
    await makeFolder(files, files.folderOf(path))
    await writeFlushed(files, path, [content], `${path}.${io.unique()}.tmp`)
  }
  const remove = async (paths: readonly string[]) => {
    const folders = new Set<string>()
    for (const path of paths) if (await unlinkIfThere(files, path)) folders.add(files.folderOf(path))
    for (const folder of folders) await files.syncFolder(folder)
  }
  const readText = async (path: string) => new TextDecoder().decode(await readBounded(files, path, MOST_JSON))
  const readMark = async (id: string): Promise<GoneMark | null> => {
    try {
      const mark = markShape.parse(JSON.parse(await readText(files.join(gone, `${id}.json`))))
      return mark.id === id ? mark : null
    } catch {
      // Not there; or damaged, and made again at the next look at its store.
      return null
    }
  }
  const text = (value: object) => new TextEncoder().encode(`${JSON.stringify(value)}\n`)

  return {
    hasBlock: async (hash) => (await files.stat(placeOf(hash)))?.kind === 'file',
    putBlock: async (hash, content) => {
      const packed = await packBlock(content)
      await put(placeOf(hash), packed)
      return packed.length
    },
    block: async (hash, size) => {
      const path = placeOf(hash)
      const packed = await readBounded(files, path, MOST_PACKED)
      const content = await unpackBlock(packed, size).catch((error: unknown) => {
        throw new ArchiveDamage(`${path} cannot be unpacked: ${reasonOf(error)}`)
      })
      const hasher = io.sha256()
      hasher.update(content)
      if (content.length !== size || hasher.digest() !== hash) {
        throw new ArchiveDamage(`${path} holds something else than its name says.`)
      }
      return content
    },
    blocks: async () => {
      const found = new Map<string, Bytes>()
      for (const folder of await files.list(blocks)) {
        for (const name of await files.list(files.join(blocks, folder))) {
          const hash = BLOCK.exec(name)?.[1]
          if (hash === undefined || !hash.startsWith(folder)) continue
          const stats = await files.stat(files.join(blocks, folder, name))
          if (stats?.kind === 'file') found.set(hash, stats.size)
        }
      }
      return found
    },
    removeBlocks: (hashes) => remove(hashes.map(placeOf)),
    async *versions() {
      for (const name of await files.list(transcripts)) {
        if (!VERSION.test(name)) continue
        const path = files.join(transcripts, name)
        try {
          const read = await readText(path)
          const version = readVersion(read)
          if (`${versionName(version)}.json` !== name) throw new Error('it is called otherwise')
          yield { version, bytes: read.length }
        } catch (error) {
          yield {
            name: name.slice(0, -'.json'.length),
            problem: `${path} cannot be used: ${reasonOf(error)}`,
          }
        }
      }
    },
    newest: async (id) => {
      try {
        const version = readVersion(await readText(files.join(transcripts, `${id}.json`)))
        return version.id === id && version.replacedAt === null ? version : null
      } catch {
        // Missing, or damaged: `verify` says which.
        return null
      }
    },
    putVersion: (version) => put(files.join(transcripts, `${versionName(version)}.json`), text(version)),
    removeVersions: async (names) => {
      await remove(names.map((name) => files.join(transcripts, `${name}.json`)))
      if (names.length === 0) return
      // What goes is nowhere then.
      await removeUnpacked(files, root, () => true)
      await put(generation, text({ generation: io.unique() }))
    },
    generation: async () => ((await files.stat(generation)) === null ? '' : readText(generation)),
    marks: async () => {
      const ids = (await files.list(gone)).flatMap((name) => MARK.exec(name)?.[1] ?? [])
      return (await Promise.all(ids.map(readMark))).filter((mark) => mark !== null)
    },
    mark: readMark,
    putMark: (mark) => put(files.join(gone, `${mark.id}.json`), text(mark)),
    removeMarks: (ids) => remove(ids.map((id) => files.join(gone, `${id}.json`))),
    tidy: async () => {
      const shards = (await files.list(blocks)).map((name) => files.join(blocks, name))
      for (const folder of [root, transcripts, gone, ...shards]) {
        const left = (await files.list(folder)).filter((name) => UNFINISHED.test(name))
        await remove(left.map((name) => files.join(folder, name)))
      }
    },
    freeBytes: io.freeBytes,
    alone: io.alone,
  }
}

/** Its name is flushed, too: a block is worth nothing when its folder is lost. */
async function makeFolder(files: WriteFiles, folder: string): Promise<void> {
  if ((await files.stat(folder)) !== null) return
  const above = files.folderOf(folder)
  await makeFolder(files, above)
  await files.makeFolder(folder)
  await files.syncFolder(above)
}

/** @throws ArchiveDamage when nothing is there, or more than it may be */
async function readBounded(files: WriteFiles, path: string, most: Bytes): Promise<Uint8Array> {
  const stats = await files.stat(path)
  if (stats?.kind !== 'file') throw new ArchiveDamage(`${path} is missing.`)
  if (stats.size > most)
    throw new ArchiveDamage(`${path} has ${stats.size} bytes; more than ${most} are not read.`)
  const all = new Uint8Array(stats.size)
  let at = 0
  for await (const piece of files.read(path, { start: 0, end: stats.size })) {
    all.set(piece, at)
    at += piece.length
  }
  return all.subarray(0, at)
}
