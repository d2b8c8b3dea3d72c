import { coverFinding } from '../../core/findings/cover-finding'
import { DETECTORS } from '../../core/findings/detectors'
import { SEVERITIES, type Severity } from '../../core/findings/finding'
import { sessionPlace, sessionTitle } from '../session/session-title'
import { typedPage } from '../text/address-query'
import { APPLIED_SHOWN, type AppliedItem, appliedItem } from './applied-remedies'
import {
  type CauseFacts,
  type CauseItem,
  type CauseNotes,
  causeItem,
  costSums,
  type KeptFinding,
  paidWords,
  placesOf,
} from './cause-item'
import { FINDING_SHOWS, type FindingsPlace } from './findings-place'

/** A session with the cause that the page is about. */
type CauseMember = Pick<CauseItem, 'session' | 'cost' | 'lastSeen' | 'calls' | 'lines' | 'sentence'> & {
  readonly finding: string
}

export type FindingsView = {
  readonly place: FindingsPlace
  readonly causes: readonly CauseItem[]
  /** Causes by severity, whatever is chosen. */
  readonly counts: { readonly [S in Severity]: number }
  readonly pages: number
  /** No session has been read yet, so that nothing could be found. */
  readonly isUnread: boolean
  /** Where the page is about one cause: its sessions. */
  readonly members: { readonly total: number; readonly rows: readonly CauseMember[] } | null
  /** Settings that were applied for findings, the newest first. */
  readonly applied: readonly AppliedItem[]
}

/** Causes, or sessions of one, on a page. */
export const FINDINGS_SHOWN = 50

/** Reads the page's address; what cannot be there is as good as nothing. */
export function readFindingsPlace(values: {
  readonly [name: string]: string | readonly string[] | undefined
}): FindingsPlace {
  const text = (name: string, form: RegExp) => {
    const value = values[name]
    return typeof value === 'string' && form.test(value) ? value : null
  }
  const severity = SEVERITIES.find((known) => known === values.severity) ?? null
  const kind = DETECTORS.find((detector) => detector.kind === values.kind)?.kind ?? null
  const show = FINDING_SHOWS.find((known) => known === values.show) ?? 'open'
  const [session, finding] = [text('session', /^[\w-]{1,64}$/), text('finding', /^[\w.-]{1,200}$/)]
  const of = session === null || finding === null ? null : { session, finding }
  return { severity, kind, show, of, page: typedPage(text('page', /^\d{1,6}$/)) }
}

/** The page. @param causes those of the page, the worst first; `counts` of all that are shown so */
export function findingsView(
  place: FindingsPlace,
  found: {
    readonly causes: readonly CauseFacts[]
    readonly counts: FindingsView['counts']
    readonly members?: { readonly total: number; readonly rows: readonly KeptFinding[] }
    readonly isUnread?: boolean
  },
  notes: CauseNotes,
): FindingsView {
  const { counts, members } = found
  const total =
    members?.total ??
    (place.severity === null ? counts.high + counts.medium + counts.low : counts[place.severity])
  return {
    place,
    counts,
    causes: found.causes.map((facts) => {
      const item = causeItem(facts, notes)
      // Where they are listed anyway, no link leads to them.
      return members === undefined ? item : { ...item, allHref: null }
    }),
    isUnread: found.isUnread ?? false,
    pages: Math.max(1, Math.ceil(total / FINDINGS_SHOWN)),
    members: members === undefined ? null : { total: members.total, rows: members.rows.map(memberOf) },
    applied: notes.applied.slice(0, APPLIED_SHOWN).map(appliedItem),
  }
}

function memberOf({ finding: kept, session }: KeptFinding): CauseMember {
  const finding = coverFinding(kept)
  const href = `/sessions/${session.id}`
  return {
    finding: finding.id,
    session: { title: sessionTitle(session), place: sessionPlace(session), href: `${href}/findings` },
    sentence: finding.sentence,
    cost: paidWords(costSums(finding)),
    lastSeen: finding.lastSeen,
    ...placesOf(href, finding),
  }
}
