import type { Severity } from '../../core/findings/finding'
import { addressQuery } from '../text/address-query'

/** What the page of findings is asked for. `kind`: one kind alone. */
export type FindingsPlace = { readonly severity: Severity | null; readonly kind: string | null }

/** What each severity means, for the reader. */
export const SEVERITY_WORDS: {
  readonly [S in Severity]: { readonly label: string; readonly about: string }
} = {
  high: { label: 'High', about: 'the agent forgets, fails, or pays much for nothing' },
  medium: { label: 'Medium', about: 'it costs again and again' },
  low: { label: 'Low', about: 'worth knowing' },
}

/** The address of the page: '' or `?…`. */
export function findingsQuery({ severity, kind }: FindingsPlace): string {
  const search = new URLSearchParams()
  if (severity !== null) search.set('severity', severity)
  if (kind !== null) search.set('kind', kind)
  return addressQuery(search)
}
