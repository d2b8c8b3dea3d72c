import type { CauseSums } from '../../core/findings/cause-sums'
import { coverFinding } from '../../core/findings/cover-finding'
import { DETECTORS } from '../../core/findings/detectors'
import type { Confidence, SessionFinding, Severity } from '../../core/findings/finding'
import type { FindingMute } from '../../core/findings/mutes'
import { isTunable } from '../../core/findings/remedies/tuned-kinds'
import { STORE_DETECTORS } from '../../core/findings/stores/store-findings'
import type { Milliseconds } from '../../core/units/units'
import { type SessionNames, sessionPlace, sessionTitle } from '../session/session-title'
import { storeTitle } from '../stores/store-title'
import { formatQuantity, formatShort, formatUsd } from '../text/format'
import type { AppliedRemedy } from './applied-remedies'
import { findingHistory, type HistoryStep } from './finding-history'
import { type FindingAddress, findingsQuery, OPEN_FINDINGS } from './findings-place'
import { type RemedyItem, remedyItem } from './remedy-item'

/** What is looked for, in sessions and in stores as wholes. */
export const FINDING_KINDS = [...DETECTORS, ...STORE_DETECTORS]

/** A finding as it is kept, with its session; of a store as a whole, with the session that speaks for it. */
export type KeptFinding = {
  readonly finding: SessionFinding
  readonly foundAt: Milliseconds
  readonly goneAt: Milliseconds | null
  readonly session: SessionNames & { readonly id: string }
  /** null: it is about the session. */
  readonly store: {
    readonly id: string
    readonly kind: string
    readonly root: string
    readonly label: string
  } | null
}

/** A cause, and the finding that speaks for it. */
export type CauseFacts = CauseSums & { readonly worst: KeptFinding }

/** What else is known of findings: what is or was muted, and which settings were applied for which cause. */
export type CauseNotes = {
  readonly mutes: readonly FindingMute[]
  readonly applied: readonly AppliedRemedy[]
  readonly now: Milliseconds
}

type Place = { readonly number: number; readonly href: string }

/** One cause, as lists show it: its dearest session speaks for the others. Credentials in its words are covered. */
export type CauseItem = {
  readonly cause: string
  /** Id of the finding that speaks for it, and of the session or store that it is about, as addresses carry it. */
  readonly finding: string
  readonly subjectId: string
  /** What can be previewed and applied: a setting or what a tuning found, a rule that can be pinned; null: neither. */
  readonly applies: 'setting' | 'pin' | null
  /** Why it is muted, and until when; null: it is not. */
  readonly mute: Pick<FindingMute, 'reason' | 'at' | 'until'> | null
  /** When an import did not find it any more. */
  readonly goneAt: Milliseconds | null
  readonly kind: string
  readonly title: string
  /** What this kind of finding is, and from when on it is found. */
  readonly about: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly sentence: string
  /** `≈ $0.59 · 220k tokens in 2 sessions`; what is unknown is said. */
  readonly cost: string
  readonly lastSeen: Milliseconds | null
  readonly remedies: readonly RemedyItem[]
  /** null: it is about a store, and about no session more than about others. */
  readonly session: { readonly title: string; readonly place: string; readonly href: string } | null
  /** The store, where it is about it as a whole. */
  readonly store: { readonly title: string; readonly href: string } | null
  /** Sessions that have it, and where they are listed; null: it is of this one alone. */
  readonly sessions: number
  readonly allHref: string | null
  /** Calls and lines at which it shows, the first ones, and how often in all. */
  readonly calls: readonly Place[]
  readonly lines: readonly Place[]
  readonly times: number
  /** Found, muted, applied, taken back, gone; the oldest first. */
  readonly history: readonly HistoryStep[]
}

/** Calls, and lines, that a row leads to. */
const PLACES_SHOWN = 4

export function causeItem(facts: CauseFacts, { mutes, applied, now }: CauseNotes): CauseItem {
  const { session, store, goneAt, foundAt } = facts.worst
  const finding = coverFinding(facts.worst.finding)
  const own = mutes.filter(
    (one) => one.finding === finding.id || (one.cause !== null && one.cause === facts.cause),
  )
  const mute = own.find(({ until }) => until === null || now < until)
  const detector = FINDING_KINDS.find(({ kind }) => kind === facts.kind)
  const href = `/sessions/${session.id}`
  return {
    cause: finding.cause,
    finding: finding.id,
    subjectId: store?.id ?? session.id,
    applies: appliesOf(finding),
    mute: mute === undefined ? null : { reason: mute.reason, at: mute.at, until: mute.until },
    goneAt,
    kind: facts.kind,
    title: detector?.title ?? facts.kind,
    about: detector === undefined ? '' : `${detector.about} ${detector.signs}`,
    severity: facts.severity,
    confidence: finding.confidence,
    sentence: finding.sentence,
    cost: store === null ? costWords(facts) : storeCostWords(facts, facts.sessions),
    lastSeen: facts.lastSeen,
    remedies: finding.remedies.map((remedy) => remedyItem(remedy, href, store?.id ?? null)),
    session:
      store === null || isOfOne(finding)
        ? { title: sessionTitle(session), place: sessionPlace(session), href }
        : null,
    store: store === null ? null : { title: storeTitle(store), href: `/stores#${store.id}` },
    sessions: facts.sessions,
    allHref: allHref(facts, finding),
    ...placesOf(href, finding),
    history: findingHistory({
      foundAt,
      goneAt,
      mutes: own,
      applied: applied.filter(({ cause, finding: id }) => cause === facts.cause || id === finding.id),
    }),
  }
}

/** Where all sessions with the cause are listed; null: there is nothing more to be listed. */
function allHref({ sessions, worst }: CauseFacts, { evidence }: SessionFinding): string | null {
  return sessions > 1 || (evidence.transcripts?.length ?? 0) > 1 ? causeHref(worst) : null
}

/** Where the cause of a finding has its page. */
export function causeHref({ finding, session, store }: KeptFinding): string {
  const of: FindingAddress = {
    about: store === null ? 'session' : 'store',
    id: store?.id ?? session.id,
    finding: finding.id,
  }
  return `/findings${findingsQuery({ ...OPEN_FINDINGS, of })}`
}

function appliesOf(finding: SessionFinding): CauseItem['applies'] {
  const { remedies } = finding
  const has = (what: 'setting' | 'pin') => remedies.some(({ by }) => by === what)
  return has('setting') || isTunable(finding) ? 'setting' : has('pin') ? 'pin' : null
}

/** Whether what is found in a store is found in one transcript alone. */
function isOfOne({ evidence: { times, transcripts = [] } }: SessionFinding): boolean {
  return times === 1 && transcripts.length === 1
}

/** Where a finding shows, each a link: a call on the session's chart, a line in its transcript. */
export function placesOf(
  href: string,
  { evidence: { calls, lines, times } }: Pick<SessionFinding, 'evidence'>,
): Pick<CauseItem, 'calls' | 'lines' | 'times'> {
  const places = (numbers: readonly number[], address: (number: number) => string) =>
    numbers
      .filter((number) => number > 0)
      .slice(0, PLACES_SHOWN)
      .map((number) => ({ number, href: `${href}${address(number)}` }))
  return {
    calls: places(calls, (number) => `?call=${number}`),
    lines: places(lines, (number) => `/transcript?line=${number}`),
    times,
  }
}

function costWords(facts: CauseSums): string {
  return `${paidWords(facts)} in ${formatQuantity(facts.sessions, 'session')}`
}

/** What is found in a store is paid for by no call, as far as is known. */
export function storeCostWords(facts: Parameters<typeof paidWords>[0], transcripts = 1): string {
  const isPaid = facts.usd !== null || facts.tokens !== null
  return [
    isPaid ? paidWords(facts) : 'no price is known',
    ...(transcripts > 1 ? [formatQuantity(transcripts, 'transcript')] : []),
  ].join(' · ')
}

/** `≈ $0.59 · 220k tokens`. */
export function paidWords({
  usd,
  tokens,
  withoutUsd,
  withoutTokens,
}: Pick<CauseSums, 'usd' | 'tokens' | 'withoutUsd' | 'withoutTokens'>): string {
  const money =
    usd === null ? 'price unknown' : `≈ ${formatUsd(usd)}${withoutUsd > 0 ? ' and what has no price' : ''}`
  const size =
    tokens === null ? null : `${formatShort(tokens)} tokens${withoutTokens > 0 ? ' and what is unknown' : ''}`
  return [money, ...(size === null ? [] : [size])].join(' · ')
}

/** What one finding cost, as sums of causes have it. */
export function costSums({ cost: { usd, tokens, unpriced } }: SessionFinding) {
  const isPriced = usd.value !== null
  return { usd: usd.value, tokens: tokens.value, withoutUsd: isPriced ? unpriced : 0, withoutTokens: 0 }
}
