import { formatBytes, formatQuantity } from '../text/format'

export const NOTHING_TO_MAINTAIN = 'Nothing changed: everything is within its limits.'

/** Says what maintenance did to a sessions folder, by the summary of its receipt. */
export function maintainedText(summary: { readonly [name: string]: unknown }, files: number): string {
  const { entriesBefore, entriesAfter, bytesBefore, bytesAfter } = summary
  const sessions = Number(entriesBefore) - Number(entriesAfter)
  const bytes = Number(bytesBefore) - Number(bytesAfter)
  return `${formatQuantity(sessions, 'session')} left the index; ${formatQuantity(files, 'file')} touched, ${formatBytes(bytes)} less in the folder. Every file was backed up and verified.`
}

/** Says that OpenClaw's own maintenance of a database was done. @param effect what the database showed, in words */
export function cleanedText(effect: string): string {
  return `Done by OpenClaw, and verified in the database: ${effect}`
}
