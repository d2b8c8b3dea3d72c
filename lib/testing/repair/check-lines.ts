import { TranscriptCheck } from '../../core/repair/check'
import type { RepairRules } from '../../core/repair/content-flaws'
import type { LineCheck, RepairCheck } from '../../core/repair/line-check'

/** Looks at a text as a repair does. @param cutAt longer lines are cut there, as too long ones are when they are read */
export function checkLines(text: string, rules: RepairRules, cutAt = Number.POSITIVE_INFINITY): RepairCheck {
  return checkedBy(new TranscriptCheck(rules), text, cutAt)
}

/** The same with any check that has seen nothing yet. */
export function checkedBy(check: LineCheck, text: string, cutAt = Number.POSITIVE_INFINITY): RepairCheck {
  const lines = text.split('\n')
  lines.forEach((line, i) => {
    if (line.trim() === '') return
    const cut = line.length > cutAt ? ({ cut: true } as const) : {}
    check.add({
      line: i + 1,
      text: line.slice(0, cutAt),
      bytes: line.length,
      ended: i < lines.length - 1,
      ...cut,
    })
  })
  return check.finish()
}
