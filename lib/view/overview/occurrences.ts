import type { Tokens } from '../../core/units/units'
import { type SessionNames, sessionPlace, sessionTitle } from '../session/session-title'
import { formatQuantity, formatShort } from '../text/format'

/** Something worth knowing that happened in a session, as a line of a list. Times in milliseconds. */
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
  readonly compactions: readonly (OfSession & {
    readonly kind: string
    readonly afterCall: number
    readonly tokensBefore: number | null
    readonly tokensAfter: number | null
    readonly promptBefore: number | null
    readonly promptAfter: number | null
  })[]
  readonly drops: readonly (OfSession & { readonly chunks: number; readonly tokens: Tokens | null })[]
  readonly failedCalls: readonly (OfSession & { readonly call: number })[]
  readonly unreadable: readonly (OfSession & { readonly unreadable: number })[]
}

/** Everything in one list, newest first. What has no time cannot be placed and is left out. */
export function occurrences(facts: OccurrenceFacts, limit: number): readonly Occurrence[] {
  const all: Occurrence[] = []
  for (const event of facts.compactions) {
    const href = `/sessions/${event.id}?call=${Math.max(1, event.afterCall)}`
    if (event.kind === 'reset') push(all, event, 'reset', 'Reset: the context begins anew', href)
    else {
      const by = event.kind === 'provider' ? ' by the provider' : ''
      push(all, event, 'compaction', `Compaction${by} ${beforeAfter(event)}`, href)
    }
  }
  for (const event of facts.drops) {
    const size = event.tokens === null ? '' : `, ${formatShort(event.tokens)} tokens`
    const href = `/cold-storage?${new URLSearchParams({ session: event.sessionId })}`
    push(all, event, 'drops', `${formatQuantity(event.chunks, 'chunk')} dropped${size}`, href)
  }
  for (const event of facts.failedCalls) {
    push(all, event, 'failed-call', `Call ${event.call} failed`, `/sessions/${event.id}?call=${event.call}`)
  }
  for (const event of facts.unreadable) {
    const text = `${formatQuantity(event.unreadable, 'line')} could not be read`
    push(all, event, 'unreadable', text, `/stores#unreadable-${event.id}`)
  }
  return all.sort((a, b) => b.at - a.at).slice(0, limit)
}

function push(
  all: Occurrence[],
  event: OfSession,
  kind: Occurrence['kind'],
  text: string,
  href: string,
): void {
  if (event.at === null) return
  const session = { id: event.id, title: sessionTitle(event), place: sessionPlace(event) }
  all.push({ at: event.at, kind, text, session, href })
}

/**
 * `186k → 42k`: what the runtime recorded, else the prompts of the calls before and after; an unknown side is
 * `?`. A recorded 0 is no size: some releases write it for want of a figure.
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
