import { InvalidArgumentError } from 'commander'
import type { Used } from '../../core/budget/regions'
import type { CallChoice } from '../../engine/read/inspect-session'

// What options of the command line take: each reads its text, or throws `InvalidArgumentError` with what it must be.

export function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  return port
}

/** The most rows of an answer; the figure keeps sums and sizes what they are. */
const MOST_ROWS = 1_000_000
/** As on the page. Ten years; a much later end has no date. */
const MOST_DAYS = 3650
/** A day; a timer of the system knows 24 days at most, and would then run at once. */
const MOST_SECONDS = 86_400
/** No window is larger. */
const MOST_TOKENS = 1_000_000_000

export function parseCount(text: string): number {
  return wholeNumber(text, MOST_ROWS, '')
}

export function parseDays(text: string): number {
  return wholeNumber(text, MOST_DAYS, ' of days')
}

export function parseSeconds(text: string): number {
  return wholeNumber(text, MOST_SECONDS, ' of seconds')
}

/** A whole number from 1; `of` says what of. */
function wholeNumber(text: string, most: number, of: string): number {
  const number = Number(text)
  if (!/^[1-9]\d*$/.test(text) || number > most)
    throw new InvalidArgumentError(`It must be a whole number${of} from 1 to ${most}.`)
  return number
}

export function parseNumber(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.')
  return number
}

export function parseTimeOption(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a time like 2026-11-02T08:00Z.')
  return at
}

/** A period that ends today: so many UTC days, from a day on (YYYY-MM-DD), or everything there is. */
export type Since = { readonly days: number } | { readonly day: string } | 'all'

/** `7d`, `2w`, `2026-11-02` or `all`. */
export function parseSince(text: string): Since {
  if (text === 'all') return 'all'
  const [, count = '', unit] = /^([1-9]\d{0,3})([dw])$/.exec(text) ?? []
  const days = Number(count) * (unit === 'w' ? 7 : 1)
  if (days >= 1 && days <= MOST_DAYS) return { days }
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
  if (isDay && new Date(text).toISOString().startsWith(text)) return { day: text }
  throw new InvalidArgumentError('It must be like 7d, 2w, 2026-11-02 or all.')
}

export function parseTokens(text: string): number {
  return wholeNumber(text, MOST_TOKENS, ' of tokens')
}

export function parseShare(text: string): number {
  const share = Number(text)
  if (!/^\d*\.?\d+$/.test(text) || share > 1)
    throw new InvalidArgumentError('It must be a share from 0 to 1, for example 0.50.')
  return share
}

/** `system=8500,bootstrap=3200[,response=…]`, in tokens. */
export function parseUsed(text: string): Used {
  const parts = new Map(text.split(',').map((part) => part.split('=', 2) as [string, string | undefined]))
  const amounts = Object.fromEntries([...parts].map(([name, tokens]) => [name, parseTokens(tokens ?? '')]))
  const { system, bootstrap, response, ...others } = amounts
  if (system === undefined || bootstrap === undefined || Object.keys(others).length > 0) {
    throw new InvalidArgumentError('It must be like system=8500,bootstrap=3200 (and response=…, if known).')
  }
  return { system, bootstrap, ...(response === undefined ? {} : { response }) }
}

export function parseCall(text: string): CallChoice {
  if (text === 'last' || text === 'next') return text
  const call = Number(text)
  if (!/^\d+$/.test(text) || call < 1)
    throw new InvalidArgumentError('It must be a number from 1, "last" or "next".')
  return call
}

/** Words to search for or to compare with; blank ones would ask nothing. */
export function parseWords(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must hold words; leave the option out instead.')
  return text
}

/** An option that may be given several times. */
export function parseEach(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}
