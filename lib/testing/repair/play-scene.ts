import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import type { RepairRules } from '../../core/repair/content-flaws'
import { rewriteLines } from '../../engine/write/rewrite-lines'
import { checkLines } from './check-lines'
import { pieces } from './invariants'

/** An entry in short: `id<parent role`, with what it answers, keeps or leads to. */
function shape(line: string): string {
  const { type, id, parentId, message, firstKeptEntryId, firstKeptEntryIndex, targetId } = JSON.parse(line)
  if (type === 'session') return 'session'
  const calls = Array.isArray(message?.content)
    ? message.content.flatMap((block: { type?: string; id?: string }) =>
        block?.type === 'toolCall' ? [block.id] : [],
      )
    : []
  const about = [message?.toolCallId, firstKeptEntryId, firstKeptEntryIndex, targetId, ...calls].filter(
    (one) => one !== undefined,
  )
  return `${id ?? '-'}<${parentId ?? '-'} ${message?.role ?? type}${about.length > 0 ? ` ${about.join(',')}` : ''}`
}

/** Looks at a damaged text and repairs it: what is found, what is done, what is there then, and whether that is sound. */
export async function playScene(text: string, rules: RepairRules = 'late') {
  const check = checkLines(text, rules)
  const parts: Uint8Array[] = []
  const bytes = Buffer.from(text)
  for await (const part of rewriteLines(() => pieces(bytes), check.plan, decodeUtf8))
    parts.push(Buffer.from(part))
  const after = Buffer.concat(parts).toString('utf8')
  return {
    // Of the words of a fix only the lines and ids that it names.
    found: check.findings.map(({ class: what, line, fix }) => {
      const names = [...(fix ?? '').matchAll(/\bline (\d+)|\bid ([0-9a-f]{8})\b/g)].map(
        ([, at, id]) => at ?? id,
      )
      return `${line} ${what}${names.length > 0 ? ` → ${names.join(' ')}` : ''}`
    }),
    steps: check.plan.steps.map(({ kind, line }) => `${kind} ${line}`).join(' · '),
    after: after
      .trimEnd()
      .split('\n')
      .map(shape)
      .filter((one) => one !== 'session'),
    text: after,
    check,
    again: checkLines(after, rules).findings.map(({ class: what, line }) => `${line} ${what}`),
  }
}
