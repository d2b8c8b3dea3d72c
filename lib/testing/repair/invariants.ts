import { lineSkeleton } from '../../adapters/jsonl/line-skeleton'
import type { RepairCheck } from '../../core/repair/line-check'
import { checkTranscript } from '../../engine/write/check-transcript'
import { rewriteLines } from '../../engine/write/rewrite-lines'

/** What a repair made of some bytes. */
export type Repaired = { readonly check: RepairCheck; readonly bytes: Buffer; readonly again: RepairCheck }

const decode = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')

/** Bytes in pieces of an odd size, so that lines are cut anywhere. */
export async function* pieces(bytes: Uint8Array, size = 4099): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export function checkBytes(bytes: Uint8Array): Promise<RepairCheck> {
  return checkTranscript(pieces(bytes), { decode, skeleton: lineSkeleton })
}

/** Repairs bytes in memory, and looks at the result. */
export async function repairBytes(bytes: Uint8Array): Promise<Repaired> {
  const check = await checkBytes(bytes)
  const parts: Uint8Array[] = []
  for await (const part of rewriteLines(() => pieces(bytes), check.plan, decode))
    parts.push(Buffer.from(part))
  const after = Buffer.concat(parts)
  return { check, bytes: after, again: await checkBytes(after) }
}

/** What is wrong with a repair, in words; null when it keeps its promises. */
export function brokenPromise(before: Buffer, { check, bytes, again }: Repaired): string | null {
  if (check.kind === 'headless' || check.kind === 'foreign')
    return bytes.equals(before) ? null : 'a file that cannot be repaired was changed'
  if (!again.ok) return `a second check finds ${again.findings.map((f) => `${f.class}@${f.line}`).join(', ')}`
  if (check.ok !== before.equals(bytes)) return check.ok ? 'a sound file was changed' : 'nothing was changed'
  if (check.ok !== (check.plan.steps.length === 0) && !onlyNewline(check))
    return 'steps and findings disagree'
  const unhealed = again.refusals.before.find(({ healed }) => !healed)
  if (unhealed !== undefined) return `${unhealed.family} would refuse the result: ${unhealed.because}`
  return lostLine(before, bytes, check)
}

function onlyNewline(check: RepairCheck): boolean {
  return check.findings.every((finding) => finding.class === 'no-final-newline')
}

/** Every line that parses and that the plan does not name is in the result, byte for byte. */
function lostLine(before: Buffer, after: Buffer, check: RepairCheck): string | null {
  const named = new Set(check.plan.steps.filter(({ kind }) => kind !== 'insert').map(({ line }) => line))
  const there = new Map<string, number>()
  for (const line of after.toString('latin1').split('\n')) there.set(line, (there.get(line) ?? 0) + 1)
  const lines = before.toString('latin1').split('\n')
  for (const [i, line] of lines.entries()) {
    const count = there.get(line) ?? 0
    if (named.has(i + 1) || line === '') continue
    if (count === 0) return `line ${i + 1} is neither kept nor named`
    there.set(line, count - 1)
  }
  return null
}
