import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCli } from '../run-cli'
import { normalise, realNow } from './normalise'
import { printDocument } from './print-document'

/** When documents are made; stores of tests end shortly before. */
export const DOCUMENT_NOW = Date.parse('2026-11-21T12:00:00Z')

/** Stores in a folder, and the environment in which verbs read them. */
export type DocumentWorld = {
  /** Folder of its golden documents. */
  readonly name: string
  readonly folder: string
  readonly env: Record<string, string>
  /** By the machine's clock. */
  readonly began: number
  readonly chance?: boolean
}

export function documentWorld(
  name: string,
  folder: string,
  more: { env?: Record<string, string>; chance?: boolean } = {},
): DocumentWorld {
  const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state'), ...more.env }
  return { name, folder, env, began: realNow(), ...(more.chance && { chance: true }) }
}

/** Gives all files below a folder one time, which documents may show. */
export function setTimes(folder: string, ms = DOCUMENT_NOW - 3_600_000): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    utimesSync(join(entry.parentPath, entry.name), ms / 1000, ms / 1000)
  }
}

/** Runs a verb with `--json`, compares exit code and document with the golden one, and answers the document as it is. */
// biome-ignore lint/suspicious/noExplicitAny: documents are read by tests as they please
export async function checkVerb(world: DocumentWorld, name: string, argv: readonly string[]): Promise<any> {
  const run = await runCli([...argv, '--json'], { env: world.env, cwd: world.folder, stop: RUNNING })
  const document = run.stdout === '' ? null : JSON.parse(run.stdout)
  await checkDocument(world, name, { exit: run.code, document })
  return document
}

/** Compares a document with the golden one of this name. */
export async function checkDocument(world: DocumentWorld, name: string, document: unknown): Promise<void> {
  const { folder, began, chance } = world
  const shown = normalise(document, { folders: { '<home>': folder }, began, chance })
  const file = join(GOLDEN, world.name, `${name}.json`)
  await expect(`${printDocument(shown)}\n`).toMatchFileSnapshot(file)
}

/** Where golden documents lie, as a path from the tests. */
const GOLDEN = '../fixtures/documents'

/** Never aborted: verbs that wait or write go on to their end. */
export const RUNNING = new AbortController().signal
