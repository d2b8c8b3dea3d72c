/** The heading of the work that is done in the summary at the head of a context. */
export const WORK_SUMMARY_HEADING = '## Completed Work Summary'

/** A summary, and what of it says what work is done; null where nothing does. */
export type SummaryParts = { readonly rest: string; readonly work: string | null }

/**
 * The work that is done always is last, so that it can be distinguished from the summary of a compaction before it.
 */
export function splitWorkSummary(summary: string): SummaryParts {
  const at = summary.indexOf(WORK_SUMMARY_HEADING)
  if (at < 0) return { rest: summary, work: null }
  return {
    rest: summary.slice(0, at).trimEnd(),
    work: summary.slice(at + WORK_SUMMARY_HEADING.length).trim(),
  }
}

/** The opposite: one summary of what came before and of the work that is done. */
export function joinWorkSummary({ rest, work }: SummaryParts): string {
  if (work === null) return rest
  // A heading of ours in what a model wrote would take the place of the real one.
  const text = `${WORK_SUMMARY_HEADING}\n\n${work.replaceAll(WORK_SUMMARY_HEADING, '').trim()}`
  return rest === '' ? text : `${rest}\n\n${text}`
}
