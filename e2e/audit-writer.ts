import { openWriter } from '../lib/compose/writer'
import { readFileState } from '../lib/engine/write/file-state'
import type { Receipt } from '../lib/engine/write/receipt'
import { replaceFile } from '../lib/engine/write/replace-file'
import type { Writer } from '../lib/engine/write/write-ports'
import { readSetup } from '../lib/testing/read-setup'

/** Replaces a transcript the way every write does. */
export async function writeTranscript(
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
