import { TranscriptCheck } from '../../core/repair/check'
import { ClaudeCodeCheck } from '../../core/repair/clients/claude-code-check'
import type { ClientForm } from '../../core/repair/clients/client-findings'
import { CodexCheck } from '../../core/repair/clients/codex-check'
import type { RepairRules } from '../../core/repair/content-flaws'
import type { LineCheck, RepairCheck } from '../../core/repair/line-check'
import { SoundCheck } from '../../core/repair/sound-check'
import type { StoreKind } from '../read/ports'
import { isBlankLine, splitLines } from '../read/split-lines'

/** Bytes as text, UTF-8; what is not becomes U+FFFD, and a byte order mark stays. */
export type Decode = (bytes: Uint8Array) => string

/** How the bytes of a line are read. */
export type LinePorts = {
  readonly decode: Decode
  /**
   * The text of a line with something short and not blank in place of long texts that a check does not look into, and
   * without counts of what was used: JSON exactly when the line is. Null when the whole line must be read.
   */
  readonly skeleton: (line: Uint8Array) => string | null
}

/** By which rules a transcript is checked: those of a generation of OpenClaw, or those of another client. */
export type CheckRules = RepairRules | ClientForm

/** The rules for a transcript of a store. @param rules for one of pi or OpenClaw */
export function checkRules(kind: StoreKind, rules: CheckRules): CheckRules {
  return kind === 'claude-code' || kind === 'codex' ? kind : rules
}

/** Longer lines are not parsed: that would cost several times their size in memory. Bytes. */
const MAX_LINE = 32 * 1024 * 1024

/**
 * Looks for damage in a transcript and plans its repair, reading it once from front to back. What is held in memory
 * grows with the number of entries, not with their size.
 */
export async function checkTranscript(
  chunks: AsyncIterable<Uint8Array>,
  { decode, skeleton }: LinePorts,
  rules: CheckRules = 'late',
): Promise<RepairCheck> {
  const check = lineCheckFor(rules)
  const isOwn = check instanceof TranscriptCheck
  for await (const lines of splitLines(chunks, MAX_LINE)) {
    for (const { line, bytes, length, ended } of lines) {
      if (isBlankLine(bytes)) continue
      const short = isOwn ? skeleton(bytes) : null
      if (short !== null && check.addSkeleton({ line, text: short, bytes: length, ended })) continue
      const cut = length > MAX_LINE ? ({ cut: true } as const) : {}
      check.add({ line, text: decode(bytes), bytes: length, ended, ...cut })
    }
  }
  return check.finish()
}

/**
 * The same for what can be read twice: a sound transcript, as nearly all are, takes less time and memory, and any
 * other is read again from the front.
 */
export async function checkTwice(
  chunks: () => AsyncIterable<Uint8Array>,
  ports: LinePorts,
  rules: CheckRules = 'late',
): Promise<RepairCheck> {
  if (rules === 'claude-code' || rules === 'codex') return checkTranscript(chunks(), ports, rules)
  const sound = await checkSound(chunks(), ports, rules)
  return sound ?? checkTranscript(chunks(), ports, rules)
}

function lineCheckFor(rules: CheckRules): LineCheck {
  if (rules === 'claude-code') return new ClaudeCodeCheck()
  return rules === 'codex' ? new CodexCheck() : new TranscriptCheck(rules)
}

/** Null as soon as a transcript is not plainly sound. */
async function checkSound(
  chunks: AsyncIterable<Uint8Array>,
  { decode, skeleton }: LinePorts,
  rules: RepairRules,
): Promise<RepairCheck | null> {
  const check = new SoundCheck(rules)
  for await (const lines of splitLines(chunks, MAX_LINE)) {
    for (const { line, bytes, length, ended } of lines) {
      if (isBlankLine(bytes)) continue
      if (length > MAX_LINE) return null
      const text = skeleton(bytes) ?? decode(bytes)
      if (!check.add({ line, text, bytes: length, ended })) return null
    }
  }
  return check.finish()
}
