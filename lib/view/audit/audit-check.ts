import type { AuditCheck } from '../../core/audit/audit-check'
import { formatQuantity } from '../text/format'

/** What the log of writes was found to prove. */
export type AuditCheckFacts = Omit<AuditCheck, 'receipts'>

/** The same in sentences, the outcome first. */
export function auditCheckText(check: AuditCheckFacts): string[] {
  const { ok, chained, torn, older, broken, problems } = check
  const log = check.files.at(-1) ?? 'the log'
  const said: string[] = []
  if (ok && chained === 0) said.push(`No line of ${log} is chained yet; the next write begins the chain.`)
  else if (ok)
    said.push(
      `${formatQuantity(chained, 'line')} of ${log}: each follows the one before it, and none is missing.`,
    )
  if (broken !== null) said.push(`The chain breaks at line ${broken.line} of ${broken.file}. ${broken.why}`)
  said.push(...problems)
  if (older > 0 && chained > 0 && broken === null)
    said.push(`${formatQuantity(older, 'line')} from before the log was chained: unchanged since it is.`)
  if (older > 0 && chained === 0)
    said.push(`${formatQuantity(older, 'line')} from before the log was chained, which nothing proves.`)
  if (torn > 0) said.push(`${formatQuantity(torn, 'line')} cut short by a crash.`)
  return said
}
