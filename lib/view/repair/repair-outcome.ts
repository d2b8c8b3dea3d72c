import { formatQuantity } from '../text/format'

/** Says that a transcript was repaired. */
export function repairedText(findings: number): string {
  return `Repaired and verified: ${formatQuantity(findings, 'finding')}.`
}

/** Says what OpenClaw's doctor did. @param others other transcripts of the database that got a header as well */
export function headerWrittenText(others: number): string {
  const also = others === 0 ? '' : ` ${formatQuantity(others, 'other transcript')} got theirs as well.`
  return `OpenClaw’s doctor wrote the header; every other row of the database is as it was.${also}`
}

export const NOTHING_TO_REPAIR = 'Nothing changed: there is nothing to repair.'
