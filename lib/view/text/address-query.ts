/** Characters of one value of an address that are read; no person types more. */
const MAX_TEXT = 200

/** The part of an address behind its path: `?…`, or '' when nothing is asked. */
export function addressQuery(search: URLSearchParams): string {
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** The part of an address that says what differs from the page as it is shown at first; '' when nothing does. */
export function differingQuery<P extends object>(params: P, initial: P): string {
  const first: ReadonlyMap<string, unknown> = new Map(Object.entries(initial))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    if (value !== '' && value !== first.get(name)) search.set(name, String(value))
  return addressQuery(search)
}

/** A value of an address as text; '' where it has none. */
export function typedText(value: string | null): string {
  return (value ?? '').slice(0, MAX_TEXT)
}

/** A day of an address as YYYY-MM-DD; '' where there is none. */
export function typedDay(value: string | null): string {
  const text = typedText(value)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}

/** The page that an address names, from 1; the first where it names none. */
export function typedPage(value: string | null): number {
  return Math.max(1, Math.floor(Number(typedText(value))) || 1)
}
