import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import type { Database } from '../db/client'
import { runCli } from './run-cli'
import { sharedFolder, writeFiles } from './store-folder'

/** Stores in a folder, read into a database, as the functions of `lib/server` see them. */
export type ServerWorld = {
  readonly folder: string
  /** Reads what is new in the stores, as the dashboard's reader does. */
  readonly ingest: () => Promise<void>
}

/** Where `oncePerProcess` keeps its things. */
const MEMORY = Symbol.for('plimsoll.process-memory')

/**
 * The world of the tests of one file: `files` below `folder`, of which `store` is the only store. What the process keeps of
 * another world is forgotten before and after, because sessions of two databases have the same row numbers.
 */
export function serverWorld(files: (folder: string) => Record<string, string>): ServerWorld {
  const folder = sharedFolder()
  const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state'), PLIMSOLL_STORES: join(folder, 'store') }
  const ingest = async () => {
    const { code, stderr } = await runCli(['ingest'], {
      env,
      cwd: folder,
      stop: new AbortController().signal,
    })
    if (code !== 0) throw new Error(stderr)
  }
  beforeAll(async () => {
    await forgetProcess()
    writeFiles(folder, files(folder))
    await ingest()
  })
  beforeEach(() => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  })
  afterAll(forgetProcess)
  return { folder, ingest }
}

async function forgetProcess(): Promise<void> {
  const memory = (globalThis as { [MEMORY]?: Map<string, unknown> })[MEMORY] ?? new Map<string, unknown>()
  const database = memory.get('database') as { opening: Promise<Database> | null } | undefined
  await (await database?.opening)?.close()
  for (const kept of memory.values()) {
    // What `remember` keeps has a stamp; other maps hold what is open.
    if (kept instanceof Map) {
      for (const [key, value] of kept) if ('stamp' in value) kept.delete(key)
    } else if (typeof kept === 'object' && kept !== null && 'opening' in kept) kept.opening = null
    // What `behind` measured.
    else if (typeof kept === 'object' && kept !== null && 'isMeasuring' in kept)
      Object.assign(kept, { value: null, isMeasuring: false })
  }
}
