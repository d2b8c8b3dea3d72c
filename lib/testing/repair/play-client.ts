import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import type { LineCheck, RepairCheck } from '../../core/repair/line-check'
import { rewriteLines } from '../../engine/write/rewrite-lines'
import { checkedBy } from './check-lines'
import { pieces } from './invariants'

/** Looks at a damaged text of another client and repairs it: what is found, what is done, what is there then. */
export async function playClient(fresh: () => LineCheck, text: string, cutAt?: number) {
  const check = checkedBy(fresh(), text, cutAt)
  const after = await repairedText(text, check)
  return {
    // Of the words of a fix only the lines that it names.
    found: check.findings.map(({ class: what, line, fix }) => {
      const names = [...(fix ?? '').matchAll(/\bline (\d+)/g)].map(([, at]) => at)
      return `${line} ${what}${names.length > 0 ? ` → ${names.join(' ')}` : ''}`
    }),
    steps: check.plan.steps.map(({ kind, line }) => `${kind} ${line}`).join(' · '),
    text: after,
    check,
    again: checkedBy(fresh(), after, cutAt).findings.map(({ class: what, line }) => `${line} ${what}`),
  }
}

async function repairedText(text: string, { plan }: RepairCheck): Promise<string> {
  const bytes = Buffer.from(text)
  const parts: Uint8Array[] = []
  for await (const part of rewriteLines(() => pieces(bytes), plan, decodeUtf8)) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}
