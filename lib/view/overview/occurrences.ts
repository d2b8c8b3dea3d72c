import type { BoundaryEvent } from '../../core/transcript/boundary-event'
import type { Tokens } from '../../core/units/units'
import { type SessionNames, sessionPlace, sessionTitle } from '../session/session-title'
import { formatQuantity, formatShort } from '../text/format'
import { shownText } from '../text/shown-text'

/** Something worth knowing that happened in a session, once or again and again, as a line of a list. Times in milliseconds. */
export type Occurrence = {
  readonly at: number
  readonly kind: 'compaction' | 'reset' | 'drops' | 'failed-call' | 'unreadable'
  readonly text: string
  readonly session: { readonly id: string; readonly title: string; readonly place: string }
  /** The page that shows it. */
  readonly href: string
}

type OfSession = SessionNames & { readonly id: string; readonly at: number | null }

export type OccurrenceFacts = {
  readonly compactions: readonly (OfSession & BoundaryEvent)[]
  readonly drops: readonly (OfSession & { readonly chunks: number; readonly tokens: Tokens | null })[]
  readonly failedCalls: readonly (OfSession & FailureFacts & { readonly call: number })[]
  readonly unreadable: readonly (OfSession & { readonly unreadable: number })[]
}

/** No kind takes more of the list than this share while others wait. */
const MOST_OF_A_KIND = 1 / 2

/**
 * Everything in one list, newest first; what happened to one session again and again is one line with its number. What
 * has no time cannot be placed and is left out.
 */
export function occurrences(facts: OccurrenceFacts, limit: number): readonly Occurrence[] {
  const all = [...boundaries(facts.compactions), ...others(facts)].sort((a, b) => b.at - a.at)
  const shown = new Set<Occurrence>()
  const taken = new Map<Occurrence['kind'], number>()
  for (const one of all) {
    const before = taken.get(one.kind) ?? 0
    if (shown.size >= limit || before >= limit * MOST_OF_A_KIND) continue
    taken.set(one.kind, before + 1)
    shown.add(one)
  }
  for (const one of all) if (shown.size < limit) shown.add(one)
  return all.filter((one) => shown.has(one))
}

function boundaries(compactions: OccurrenceFacts['compactions']): Occurrence[] {
  return bySession(compactions, ({ kind }) => kind).flatMap(([last, count]) => {
    const href =
      count > 1
        ? `/sessions/${last.id}/compactions`
        : `/sessions/${last.id}?call=${Math.max(1, last.afterCall)}`
    if (last.kind === 'reset') {
      const text = count > 1 ? `${count} resets: the context began anew` : 'Reset: the context begins anew'
      return [occurrence(last, 'reset', text, href)]
    }
    const by = last.kind === 'provider' ? ' by the provider' : ''
    const sizes = beforeAfter(last)
    const text =
      count > 1
        ? `${formatQuantity(count, 'compaction')}${by}, the last ${sizes}`
        : `Compaction${by} ${sizes}`
    return [occurrence(last, 'compaction', text, href)]
  })
}

function others({ drops, failedCalls, unreadable }: OccurrenceFacts): Occurrence[] {
  return [
    ...bySession(drops, ({ at }) => String(at)).map(([last]) => {
      const size = last.tokens === null ? '' : `, ${formatShort(last.tokens)} tokens`
      const href = `/cold-storage?${new URLSearchParams({ session: last.sessionId })}`
      return occurrence(last, 'drops', `${formatQuantity(last.chunks, 'chunk')} dropped${size}`, href)
    }),
    ...bySession(failedCalls).map(([last, count]) => {
      const what =
        count > 1
          ? `${formatQuantity(count, 'call')} failed, the last call ${last.call}`
          : `Call ${last.call} failed`
      const text = failureText(what, last)
      return occurrence(last, 'failed-call', text, `/sessions/${last.id}?call=${last.call}`)
    }),
    ...bySession(unreadable).map(([last]) => {
      const text = `${formatQuantity(last.unreadable, 'line')} could not be read`
      return occurrence(last, 'unreadable', text, `/stores#unreadable-${last.id}`)
    }),
  ]
}

/** Longer reasons are cut here: the call itself has all of it. */
const MAX_REASON = 120

/** What a transcript says of a call that failed. */
export type FailureFacts = {
  /** In the words of the provider or the runtime. */
  readonly reason?: string | null
  readonly stopReason?: string | null
}

/** What failed, and why as far as the transcript says: a text of others, on one line. */
export function failureText(what: string, { reason, stopReason }: FailureFacts): string {
  const text = reason == null ? '' : shownText(reason).replace(/\s+/g, ' ').trim()
  if (text === '') return `${what}: ${stopReason === 'aborted' ? 'it was stopped' : 'no reason recorded'}`
  return `${what}: ${text.length > MAX_REASON ? `${text.slice(0, MAX_REASON - 1)}…` : text}`
}

/** The last event of each session, and how many there are; `apart` keeps some of a session apart. */
function bySession<T extends OfSession>(
  events: readonly T[],
  apart: (event: T) => string = () => '',
): [last: T & { readonly at: number }, count: number][] {
  const groups = new Map<string, [T & { readonly at: number }, number]>()
  for (const event of events) {
    const { at } = event
    if (at === null) continue
    const key = `${event.id} ${apart(event)}`
    const [known, count] = groups.get(key) ?? [null, 0]
    groups.set(key, [known !== null && known.at >= at ? known : { ...event, at }, count + 1])
  }
  return [...groups.values()]
}

function occurrence(
  event: OfSession & { readonly at: number },
  kind: Occurrence['kind'],
  text: string,
  href: string,
): Occurrence {
  const session = { id: event.id, title: sessionTitle(event), place: sessionPlace(event) }
  return { at: event.at, kind, text, session, href }
}

/**
 * `186k → 42k`: what the runtime recorded, else the prompts of the calls before and after; an unknown side is
 * `?`. A recorded 0 is no size: some releases write it where it has no figure.
 */
export function beforeAfter(event: {
  readonly tokensBefore: number | null
  readonly tokensAfter: number | null
  readonly promptBefore: number | null
  readonly promptAfter: number | null
}): string {
  const side = (recorded: number | null, prompt: number | null) => {
    const tokens = recorded || prompt
    return tokens ? formatShort(tokens) : '?'
  }
  return `${side(event.tokensBefore, event.promptBefore)} → ${side(event.tokensAfter, event.promptAfter)}`
}
