import { inspectPorts } from '../../compose/transcript-check'
import { repairTranscript } from '../../engine/repair/repair-transcript'
import { readFileState } from '../../engine/write/file-state'
import type { Writer } from '../../engine/write/write-ports'
import type { WriteTarget } from '../../engine/write/write-requests'
import { appendLines } from '../append-lines'

/** Ids of the lines that are damaged on purpose begin so. */
export const HURT = 'hurt-'

/**
 * Adds the result of a call that no entry made, which a repair takes out again; answers how that ended, without waiting
 * for anybody.
 */
export async function hurtBeside(
  writer: Writer,
  target: WriteTarget,
  n: number,
  parentId: string | null,
): Promise<string> {
  const expected = await readFileState(writer, target.file)
  if (expected === null) throw new Error(`${target.file} is gone`)
  const message = {
    role: 'toolResult',
    toolCallId: `call-${n}`,
    toolName: 'read',
    content: [{ type: 'text', text: 'nobody asked' }],
    isError: false,
    timestamp: Date.now(),
  }
  const entry = { type: 'message', id: `${HURT}${n}`, parentId, timestamp: new Date().toISOString(), message }
  const result = await appendLines(writer, {
    intent: { kind: 'repair', actor: 'test', reason: 'damage', session: null, summary: {} },
    target,
    expected,
    lines: [JSON.stringify(entry)],
    wait: { waitMs: 0 },
  })
  return result.kind === 'refused' ? result.refusal.code : result.kind
}

/** Repairs the transcript, without waiting for anybody; answers how that ended. */
export async function repairBeside(writer: Writer, target: WriteTarget): Promise<string> {
  const { result } = await repairTranscript(writer, inspectPorts, {
    target,
    actor: 'test',
    session: null,
    rules: 'late',
    expectedHash: null,
    wait: { waitMs: 0 },
  })
  return result.kind === 'refused' ? result.refusal.code : result.kind
}
