import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { readFileState } from '../lib/engine/file-state'
import type { Receipt } from '../lib/engine/receipt'
import { replaceFile } from '../lib/engine/replace-file'
import type { Writer } from '../lib/engine/write-ports'
import { readSetup } from '../lib/wire'
import { openWriter } from '../lib/wire/writer'
import { startPlimsoll } from './start-plimsoll'

/** A dashboard over a store with one transcript that can be written to. */
export type AuditStore = {
  readonly url: string
  readonly file: string
  text(): string
  /** Replaces the transcript the way every write does; answers the receipt. */
  write(text: string, reason: string): Promise<string>
  /** Makes one write and puts it into the list as many times. */
  fill(text: string, count: number): Promise<void>
}

export const FIRST_TEXT =
  '{"type":"session","version":3,"id":"a","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}\n'

export const test = base.extend<{ store: AuditStore }>({
  store: async ({ browserName: _browser }, use) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-audit-')))
    const root = join(folder, 'sessions')
    mkdirSync(root)
    const file = join(root, 'a.jsonl')
    writeFileSync(file, FIRST_TEXT)
    const port = await freePort()
    const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state'), PLIMSOLL_STORES: root }
    const running = startPlimsoll(['serve', '--port', String(port)], folder, env)
    await running.printed('Plimsoll is at')
    await use({
      url: `http://127.0.0.1:${port}`,
      file,
      text: () => readFileSync(file, 'utf8'),
      write: async (text, reason) => (await write(env, { root, file }, text, reason)).receipt.id,
      fill: async (text, count) => {
        const { writer, receipt } = await write(env, { root, file }, text, 'Write number 0.')
        const copies = Array.from({ length: count - 1 }, (_, i) => ({
          ...receipt,
          id: `${receipt.id}-${String(i + 1).padStart(3, '0')}`,
          reason: `Write number ${i + 1}.`,
        }))
        await writer.rows.put(copies)
      },
    })
    running.kill('SIGTERM')
    await running.ended
    rmSync(folder, { recursive: true, force: true })
  },
})

export { expect }

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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
