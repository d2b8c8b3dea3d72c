import type { CauseSums } from '../../core/findings/cause-sums'
import { DETECTORS } from '../../core/findings/detectors'
import {
  type Confidence,
  type FindingRemedy,
  SEVERITIES,
  type SessionFinding,
  type Severity,
} from '../../core/findings/finding'
import type { FindingMute } from '../../core/findings/mutes'
import type { Milliseconds } from '../../core/units/units'
import { type SessionNames, sessionPlace, sessionTitle } from '../session/session-title'
import { formatQuantity, formatShort, formatUsd } from '../text/format'
import { FINDING_SHOWS, type FindingsPlace } from './findings-place'

type CauseFacts = CauseSums & {
  readonly worst: {
    readonly finding: SessionFinding
    readonly goneAt: Milliseconds | null
    readonly session: SessionNames & { readonly id: string }
  }
}

/** One cause, as the list shows it: its dearest session speaks for the others. */
export type CauseItem = {
  readonly cause: string
  /** Id of the finding that speaks for it, and of its session as addresses carry it. */
  readonly finding: string
  readonly sessionId: string
  /** A setting of the runtime may be behind it. */
  readonly hasSetting: boolean
  /** Why it was muted, and until when; null: it is not. */
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
  readonly remedies: readonly { readonly words: string; readonly code: string | null }[]
  readonly session: { readonly title: string; readonly place: string; readonly href: string }
  /** Calls at which it shows, the first ones. */
  readonly calls: readonly { readonly number: number; readonly href: string }[]
}

export type FindingsView = {
  readonly place: FindingsPlace
  readonly causes: readonly CauseItem[]
  /** Causes by severity, whatever is chosen. */
  readonly counts: { readonly [S in Severity]: number }
}

/** Calls that a row leads to. */
const CALLS_SHOWN = 4

/** Reads the page's address; what cannot be there is as good as nothing. */
export function readFindingsPlace(values: {
  readonly [name: string]: string | readonly string[] | undefined
}): FindingsPlace {
  const severity = SEVERITIES.find((known) => known === values.severity) ?? null
  const kind = DETECTORS.find((detector) => detector.kind === values.kind)?.kind ?? null
  const show = FINDING_SHOWS.find((known) => known === values.show) ?? 'open'
  return { severity, kind, show }
}

/** The page. @param causes of all severities, the worst first */
export function findingsView(
  causes: readonly CauseFacts[],
  place: FindingsPlace,
  mutes: readonly FindingMute[] = [],
): FindingsView {
  const ofKind = causes.filter(({ kind }) => place.kind === null || kind === place.kind)
  const counts = { high: 0, medium: 0, low: 0 }
  for (const { severity } of ofKind) counts[severity] += 1
  const shown = ofKind.filter(({ severity }) => place.severity === null || severity === place.severity)
  return { place, counts, causes: shown.map((facts) => causeItem(facts, mutes)) }
}

function causeItem(facts: CauseFacts, mutes: readonly FindingMute[]): CauseItem {
  const { finding, session, goneAt } = facts.worst
  const mute = mutes.find(
    (one) => one.finding === finding.id || (one.cause !== null && one.cause === facts.cause),
  )
  const detector = DETECTORS.find(({ kind }) => kind === facts.kind)
  const href = `/sessions/${session.id}`
  return {
    cause: facts.cause,
    finding: finding.id,
    sessionId: session.id,
    hasSetting: finding.remedies.some(({ by }) => by === 'setting'),
    mute: mute === undefined ? null : { reason: mute.reason, at: mute.at, until: mute.until },
    goneAt,
    kind: facts.kind,
    title: detector?.title ?? facts.kind,
    about: detector === undefined ? '' : `${detector.about} ${detector.signs}`,
    severity: facts.severity,
    confidence: finding.confidence,
    sentence: finding.sentence,
    cost: costWords(facts),
    lastSeen: facts.lastSeen,
    remedies: finding.remedies.map(remedyItem),
    session: { title: sessionTitle(session), place: sessionPlace(session), href },
    calls: finding.evidence.calls
      .slice(0, CALLS_SHOWN)
      .map((number) => ({ number, href: `${href}?call=${number}` })),
  }
}

function costWords({ usd, tokens, withoutUsd, withoutTokens, sessions }: CauseFacts): string {
  const money =
    usd === null ? 'price unknown' : `≈ ${formatUsd(usd)}${withoutUsd > 0 ? ' and what has no price' : ''}`
  const size =
    tokens === null ? null : `${formatShort(tokens)} tokens${withoutTokens > 0 ? ' and what is unknown' : ''}`
  const paid = [money, ...(size === null ? [] : [size])].join(' · ')
  return `${paid} in ${formatQuantity(sessions, 'session')}`
}

/** What to do, in words, with the setting or the command where there is one. */
export function remedyItem(remedy: FindingRemedy): CauseItem['remedies'][number] {
  const { words } = remedy
  if (remedy.by === 'setting') {
    const { key, value } = remedy
    return { words, code: value === null ? key : `${key}: ${JSON.stringify(value)}` }
  }
  return { words, code: remedy.by === 'command' ? remedy.argv.join(' ') : null }
}
