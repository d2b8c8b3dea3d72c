import type { BoundaryEvent } from '../../core/transcript/boundary-event'
import { beforeAfter, type FailureFacts, failureText } from '../overview/occurrences'
import { type SessionNames, sessionPlace, sessionTitle } from '../session/session-title'
import { differingQuery, typedPage } from '../text/address-query'

/** Rows of one page. */
export const EVENT_PAGE_ROWS = 100

/** Kinds of events that transcripts record, and what each is called. */
export const EVENT_KINDS = { compaction: 'compactions', reset: 'resets', failure: 'failed calls' } as const

export type EventKind = keyof typeof EVENT_KINDS

/** What the list is asked for; all of it is in the address. */
export type EventParams = { readonly kind: '' | EventKind; readonly page: number }

/** Reads an address; what cannot be meant is left out. */
export function parseEventParams(get: (name: string) => string | null): EventParams {
  const kind = get('kind') ?? ''
  return { kind: isKind(kind) ? kind : '', page: typedPage(get('page')) }
}

function isKind(text: string): text is EventKind {
  return Object.hasOwn(EVENT_KINDS, text)
}

const NO_PARAMS: EventParams = { kind: '', page: 1 }

/** The query of an address, with its question mark; '' for what is shown at first. */
export function eventQueryText(params: EventParams): string {
  return differingQuery(params, NO_PARAMS)
}

/** One event of a transcript. Times in milliseconds. */
export type TranscriptEventRow = {
  readonly key: string
  readonly at: number
  readonly kind: EventKind
  readonly text: string
  readonly title: string
  readonly place: string
  /** The page that shows it. */
  readonly href: string
}

export type EventsView = { readonly rows: readonly TranscriptEventRow[]; readonly total: number }

/** A failure is one of them as well: `afterCall` is then the call that failed. */
type EventFact = SessionNames & BoundaryEvent & FailureFacts & { readonly id: string }

/** @param events those of one page, newest first @param total of all pages */
export function eventsView(events: readonly EventFact[], total: number): EventsView {
  return { rows: events.flatMap((event) => (event.at === null ? [] : [rowOf(event, event.at)])), total }
}

function rowOf(event: EventFact, at: number): TranscriptEventRow {
  const { id, kind, afterCall } = event
  return {
    key: `${id} ${kind} ${afterCall} ${at}`,
    at,
    kind: kind === 'failure' || kind === 'reset' ? kind : 'compaction',
    text: wordsOf(event),
    title: sessionTitle(event),
    place: sessionPlace(event),
    href: `/sessions/${id}?call=${Math.max(1, afterCall)}`,
  }
}

function wordsOf(event: EventFact): string {
  if (event.kind === 'failure') return failureText(`Call ${event.afterCall} failed`, event)
  if (event.kind === 'reset') return 'Reset: the context begins anew'
  return `Compaction${event.kind === 'provider' ? ' by the provider' : ''} ${beforeAfter(event)}`
}
