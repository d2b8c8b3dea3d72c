import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWriter } from '../lib/compose/writer'
import { readFileState } from '../lib/engine/write/file-state'
import type { Receipt } from '../lib/engine/write/receipt'
import { replaceFile } from '../lib/engine/write/replace-file'
import type { Writer } from '../lib/engine/write/write-ports'
import { readSetup } from '../lib/testing/read-setup'
import { dashboard } from './world'

/** A dashboard over a store with a transcript that can be written to. */
export type AuditStore = {
  readonly url: string
  readonly file: string
  /** The state folder. */
  readonly state: string
  text(): string
  /** Replaces the transcript the way every write does; answers the receipt. */
  write(text: string, reason: string): Promise<string>
  /** Makes one write and puts it into the list as many times. */
  fill(text: string, count: number): Promise<void>
}

export const FIRST_TEXT =
  '{"type":"session","version":3,"id":"a","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}\n'

let transcripts = 0

/** Each test has a transcript for itself; what was ever written stays on the list of the shared world. */
export const test = dashboard({
  name: 'audit',
  write: (folder) => {
    mkdirSync(join(folder, 'sessions'))
    return { PLIMSOLL_STORES: join(folder, 'sessions') }
  },
  view: ({ url, folder }): AuditStore => {
    const root = join(folder, 'sessions')
    const state = join(folder, 'state')
    const file = join(root, `a${++transcripts}.jsonl`)
    writeFileSync(file, FIRST_TEXT)
    const env = { HOME: folder, PLIMSOLL_HOME: state, PLIMSOLL_STORES: root }
    return {
      url,
      file,
      state,
      text: () => readFileSync(file, 'utf8'),
      write: async (text, reason) => (await write(env, { root, file }, text, reason)).receipt.id,
      fill: async (text, count) => {
        const { writer, receipt } = await write(env, { root, file }, text, 'Write number 0.')
        const copies = Array.from({ length: count - 1 }, (_, i) => ({
          ...receipt,
          id: `${receipt.id}-${String(i + 1).padStart(3, '0')}`,
          reason: `Write number ${i + 1}.`,
        }))
        for (const copy of copies) await writer.receipts.put(copy)
        await writer.rows.put(copies)
      },
    }
  },
})

async function write(
  env: Record<string, string>,
  { root, file }: { root: string; file: string },
  text: string,
  reason: string,
): Promise<{ readonly writer: Writer; readonly receipt: Receipt }> {
  const setup = readSetup(env, root)
  if (!setup.ok) throw new Error(setup.problems.join('\n'))
  const opened = await openWriter(setup.setup)
  if (!opened.ok) throw new Error(opened.message)
  const expected = await readFileState(opened.writer, file)
  if (expected === null) throw new Error(`${file} is not there`)
  const result = await replaceFile(opened.writer, {
    intent: { kind: 'repair', actor: 'e2e', reason, session: 'a', summary: { dropped: 2 } },
    target: { file, root, kind: 'pi' },
    expected,
    produce: async function* () {
      yield new TextEncoder().encode(text)
    },
    wait: { waitMs: 5_000 },
  })
  if (result.kind !== 'done') throw new Error(JSON.stringify(result))
  return { writer: opened.writer, receipt: result.receipt }
}
