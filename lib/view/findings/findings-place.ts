import type { Severity } from '../../core/findings/finding'
import { addressQuery } from '../text/address-query'

/** What there is now, what was muted, and what an import did not find any more. */
export const FINDING_SHOWS = ['open', 'muted', 'gone'] as const

/** A finding, by the session that it is about, or the store as a whole; `id` as addresses carry it. */
export type FindingAddress = {
  readonly about: 'session' | 'store'
  readonly id: string
  readonly finding: string
}

/** What the page of findings is asked for. `kind`: one kind alone. */
export type FindingsPlace = {
  readonly severity: Severity | null
  readonly kind: string | null
  readonly show: (typeof FINDING_SHOWS)[number]
  /** The cause of this finding alone, with all sessions that have it; or of one of a store. */
  readonly of: FindingAddress | null
  /** From 1. */
  readonly page: number
}

/** The page as it is shown at first. */
export const OPEN_FINDINGS: FindingsPlace = { severity: null, kind: null, show: 'open', of: null, page: 1 }

export const SHOW_WORDS: { readonly [S in FindingsPlace['show']]: string } = {
  open: 'Open',
  muted: 'Muted',
  gone: 'Gone',
}

/** What each severity means, for the reader. */
export const SEVERITY_WORDS: {
  readonly [S in Severity]: { readonly label: string; readonly about: string }
} = {
  high: { label: 'High', about: 'the agent forgets, fails, or pays much for nothing' },
  medium: { label: 'Medium', about: 'it costs again and again' },
  low: { label: 'Low', about: 'worth knowing' },
}

/** The address of the page: '' or `?…`. */
export function findingsQuery({ severity, kind, show, of, page }: FindingsPlace): string {
  const search = new URLSearchParams()
  if (of !== null) {
    search.set(of.about, of.id)
    search.set('finding', of.finding)
  }
  if (severity !== null) search.set('severity', severity)
  if (kind !== null) search.set('kind', kind)
  if (show !== 'open') search.set('show', show)
  if (page > 1) search.set('page', String(page))
  return addressQuery(search)
}
