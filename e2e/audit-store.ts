import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadBundled } from './load-bundled'
import { dashboard } from './world'

type AuditWriter = typeof import('./audit-writer')

let loading: Promise<AuditWriter> | undefined
const writer = () => (loading ??= loadBundled<AuditWriter>('e2e/audit-writer.ts'))

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
      write: async (text, reason) => {
        const { writeTranscript } = await writer()
        return (await writeTranscript(env, { root, file }, text, reason)).receipt.id
      },
      fill: async (text, count) => {
        const { writeTranscript } = await writer()
        const first = await writeTranscript(env, { root, file }, text, 'Write number 0.')
        const { receipt } = first
        const copies = Array.from({ length: count - 1 }, (_, i) => ({
          ...receipt,
          id: `${receipt.id}-${String(i + 1).padStart(3, '0')}`,
          reason: `Write number ${i + 1}.`,
        }))
        for (const copy of copies) await first.writer.receipts.put(copy)
        await first.writer.rows.put(copies)
      },
    }
  },
})
