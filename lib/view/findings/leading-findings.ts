import type { Severity } from '../../core/findings/finding'
import { formatCount } from '../text/format'
import { type CauseFacts, type CauseNotes, causeHref, causeItem, paidWords } from './cause-item'

/** A cause as the Overview leads with it. */
type LeadingCause = {
  readonly finding: string
  readonly kind: string
  readonly severity: Severity
  readonly title: string
  readonly sentence: string
  /** `≈ $0.59 · 220k tokens`, over all sessions that have it. */
  readonly cost: string
  /** `same cause in 26 sessions`; the session's name where it is of one. */
  readonly where: string
  /** To the sessions that have it; to the finding in its session, where it is of one. */
  readonly href: string
}

/** What is wrong, as far as the Overview says it. */
export type LeadingFindings = {
  /** Why it is not known; null: it is. */
  readonly problem: string | null
  /** The worst and dearest causes; none where all there is is only worth knowing. */
  readonly causes: readonly LeadingCause[]
  /** Causes that are there and not muted. */
  readonly counts: { readonly [S in Severity]: number }
  /** Causes that are muted. */
  readonly muted: number
  /** Sessions that were examined. */
  readonly sessions: number
}

/** Causes that the Overview leads with. */
export const LEADING_SHOWN = 5
/** What is only worth knowing leads where it is known to have cost so much. US dollars. */
const LEAST_LOW_USD = 0.01

export function leadingFindings(
  found: {
    readonly causes: readonly CauseFacts[]
    readonly counts: LeadingFindings['counts']
    readonly muted: number
    readonly sessions: number
  },
  notes: CauseNotes,
): LeadingFindings {
  const { high, medium } = found.counts
  const leading = high + medium === 0 ? [] : found.causes.filter(leads)
  const causes = leading.map((facts) => leadingCause(facts, notes))
  return { ...found, problem: null, causes }
}

function leads({ severity, usd }: CauseFacts): boolean {
  return severity !== 'low' || (usd ?? 0) >= LEAST_LOW_USD
}

function leadingCause(facts: CauseFacts, notes: CauseNotes): LeadingCause {
  const { finding, kind, severity, title, sentence, session, store, cost } = causeItem(facts, notes)
  const isOne = facts.sessions === 1
  const isOfSession = store === null && session !== null
  return {
    ...{ finding, kind, severity, title, sentence },
    cost: isOfSession ? paidWords(facts) : cost,
    where: isOfSession
      ? isOne
        ? session.title
        : `same cause in ${formatCount(facts.sessions)} sessions`
      : (store?.title ?? ''),
    href:
      isOfSession && isOne
        ? `/sessions/${facts.worst.session.id}/findings#${finding}`
        : causeHref(facts.worst),
  }
}
