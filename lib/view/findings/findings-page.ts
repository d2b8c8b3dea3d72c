import { coverFinding } from '../../core/findings/cover-finding'
import { SEVERITIES, type Severity } from '../../core/findings/finding'
import type { Milliseconds } from '../../core/units/units'
import { type SessionNames, sessionPlace, sessionTitle } from '../session/session-title'
import { type StoreFault, storeFaults } from '../stores/store-faults'
import { typedPage } from '../text/address-query'
import { APPLIED_SHOWN, type AppliedItem, appliedItem } from './applied-remedies'
import {
  type CauseFacts,
  type CauseItem,
  type CauseNotes,
  causeItem,
  costSums,
  FINDING_KINDS,
  type KeptFinding,
  paidWords,
  placesOf,
  storeCostWords,
} from './cause-item'
import { FINDING_SHOWS, type FindingsPlace } from './findings-place'

/** A session with the cause that the page is about. */
type CauseMember = Pick<CauseItem, 'cost' | 'lastSeen' | 'calls' | 'lines' | 'sentence'> & {
  readonly finding: string
  readonly session: NonNullable<CauseItem['session']>
}

/** A transcript that a finding of a store shows in, and the moment that it is about. */
type CauseTranscript = NonNullable<CauseItem['session']> & { readonly at: Milliseconds | null }

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
  /** Where that cause is in several transcripts of a store: the first ones of `total`. */
  readonly transcripts: { readonly total: number; readonly rows: readonly CauseTranscript[] } | null
  /** Settings that were applied for findings, the newest first. */
  readonly applied: readonly AppliedItem[]
  /** Stores that cannot be read or judged, so that findings of them may be missing. */
  readonly faults: readonly StoreFault[]
}

/** Causes, or sessions of one, on a page. */
export const FINDINGS_SHOWN = 25

/** Reads the page's address; what cannot be there is as good as nothing. */
export function readFindingsPlace(values: {
  readonly [name: string]: string | readonly string[] | undefined
}): FindingsPlace {
  const text = (name: string, form: RegExp) => {
    const value = values[name]
    return typeof value === 'string' && form.test(value) ? value : null
  }
  const severity = SEVERITIES.find((known) => known === values.severity) ?? null
  const kind = FINDING_KINDS.find((detector) => detector.kind === values.kind)?.kind ?? null
  const show = FINDING_SHOWS.find((known) => known === values.show) ?? 'open'
  const finding = text('finding', /^[\w.-]{1,200}$/)
  const ids = (['session', 'store'] as const).flatMap((about) => {
    const id = text(about, /^[\w-]{1,64}$/)
    return id === null ? [] : [{ about, id }]
  })
  const [subject] = ids
  const of = subject === undefined || finding === null ? null : { ...subject, finding }
  return { severity, kind, show, of, page: typedPage(text('page', /^\d{1,6}$/)) }
}

/** The page. @param causes those of the page, the worst first; `counts` of all that are shown so */
export function findingsView(
  place: FindingsPlace,
  found: {
    readonly causes: readonly CauseFacts[]
    readonly counts: FindingsView['counts']
    readonly members?: { readonly total: number; readonly rows: readonly KeptFinding[] }
    /** Transcripts by their ids, where a finding of a store names them. */
    readonly names?: ReadonlyMap<string, SessionNames>
    readonly isUnread?: boolean
    /** All that there are. */
    readonly stores?: Parameters<typeof storeFaults>[0]
  },
  notes: CauseNotes,
): FindingsView {
  const { counts, members } = found
  const transcripts = transcriptsOf(found.causes[0], found.names)
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
    faults: storeFaults(found.stores ?? []),
    pages: Math.max(1, Math.ceil(total / FINDINGS_SHOWN)),
    members: members === undefined ? null : { total: members.total, rows: members.rows.map(memberOf) },
    transcripts,
    applied: notes.applied.slice(0, APPLIED_SHOWN).map(appliedItem),
  }
}

/** @param names undefined: the page is not about one cause of a store */
function transcriptsOf(
  cause: CauseFacts | undefined,
  names: ReadonlyMap<string, SessionNames> | undefined,
): FindingsView['transcripts'] {
  const { times, transcripts = [] } = cause?.worst.finding.evidence ?? { times: 0 }
  if (names === undefined || transcripts.length < 2) return null
  const rows = transcripts.map(({ id, at }) => {
    const session = names.get(id) ?? { name: null, key: null, sessionId: id }
    return { title: sessionTitle(session), place: sessionPlace(session), href: `/sessions/${id}`, at }
  })
  return { total: times, rows }
}

function memberOf({ finding: kept, session, store }: KeptFinding): CauseMember {
  const finding = coverFinding(kept)
  const href = `/sessions/${session.id}`
  return {
    finding: finding.id,
    session: { title: sessionTitle(session), place: sessionPlace(session), href: `${href}/findings` },
    sentence: finding.sentence,
    cost: store === null ? paidWords(costSums(finding)) : storeCostWords(costSums(finding)),
    lastSeen: finding.lastSeen,
    ...placesOf(href, finding),
  }
}
