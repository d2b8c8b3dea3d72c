import { type ListedRates, listedRates, type Rate } from '../../tokens/listed-models'
import { type OwnPrices, ownRates } from '../../tokens/own-prices'
import type { Milliseconds, Tokens } from '../../units/units'
import type { ReplaySession } from '../replay-session'

/** What the parts of a call cost, in units of one fresh input token of its model. */
export type CallRates = {
  readonly read: number
  readonly write: number
  readonly output: number
  /** US dollars of a unit; NaN: no price is known. */
  readonly usd: number
  /** Prompts above so many tokens cost so many times as much, fewest tokens first. */
  readonly tiers: readonly { readonly above: Tokens; readonly factor: number }[]
}

/** The prices of a session's calls. */
export type CallPrices = {
  readonly rates: readonly CallRates[]
  /** By call: number in `rates`. */
  readonly rateOf: Uint16Array
  /** By call: whether what the call before it sent may still be in the cache; not at a cold start. */
  readonly warm: Uint8Array
  /** A shorter beginning than this is not cached, and it is cached in steps of so many tokens. */
  readonly floor: Tokens
  readonly step: Tokens
}

/** Ratios where no list has the model: those most makers ask (lib/docs/replay-policies.md#cost). */
const COMMON_RATES: CallRates = { read: 0.1, write: 1.25, output: 5, usd: Number.NaN, tiers: [] }

/** What is written for longer than this costs what an hour costs. */
const HOUR_FROM: Milliseconds = 30 * 60_000

/** A beginning below this is cached by no maker whose rules are known. Tokens. */
const LEAST_CACHED: Tokens = 1024
/** OpenAI caches in steps of so many tokens. */
const OPENAI_STEP: Tokens = 128

const known = new WeakMap<ReplaySession, { readonly own: OwnPrices; readonly prices: CallPrices }>()

/** The prices of a session's calls, each at the time it was made. */
export function callPrices(session: ReplaySession, own: OwnPrices): CallPrices {
  const before = known.get(session)
  if (before?.own === own) return before.prices
  const prices = pricesOf(session, own)
  known.set(session, { own, prices })
  return prices
}

function pricesOf(session: ReplaySession, own: OwnPrices): CallPrices {
  const { calls, models, cacheLife } = session
  const rates: CallRates[] = []
  const rateOf = new Uint16Array(calls.count)
  const warm = new Uint8Array(calls.count)
  const numbers = new Map<unknown, number>()
  const caches = hasCache(session)
  for (let call = 0; call < calls.count; call++) {
    const { provider = null, model = null } = models[calls.model[call] as number] ?? {}
    const at = calls.at[call] as number
    const found = ownRates(own, provider, model) ?? listedRates(provider, model, Number.isNaN(at) ? null : at)
    let number = numbers.get(found)
    if (number === undefined) {
      number = rates.length
      numbers.set(found, number)
      rates.push(found === null ? COMMON_RATES : ratesOf(found, cacheLife))
    }
    rateOf[call] = number
    const gap = call === 0 ? Number.NaN : at - (calls.at[call - 1] as number)
    // Calls without a time follow each other at once, as far as anything says.
    const inTime = Number.isNaN(gap) || gap <= cacheLife
    if (call > 0 && caches && inTime && calls.model[call] === calls.model[call - 1]) warm[call] = 1
  }
  // What no policy changes: as it was recorded.
  for (const call of session.fit.coldStarts) warm[call] = 0
  const isOpenAi = models.some(({ provider }) => provider?.startsWith('openai') === true)
  return { rates, rateOf, warm, floor: LEAST_CACHED, step: isOpenAi ? OPENAI_STEP : 1 }
}

/** Whether there is a cache at all: calls that report none say nothing about it, those that report 0 do. */
function hasCache({ calls }: ReplaySession): boolean {
  let reported = 0
  for (let call = 0; call < calls.count; call++) {
    if ((calls.cacheRead[call] as number) > 0 || (calls.cacheWrite[call] as number) > 0) return true
    if ((calls.cacheRead[call] as number) === 0) reported += 1
  }
  return reported <= 1
}

function ratesOf(listed: ListedRates, cacheLife: Milliseconds): CallRates {
  const { input, output, cacheRead = input, cacheWrite = input, cacheWrite1h = cacheWrite } = listed
  const base = baseOf(input)
  if (base <= 0) return { ...COMMON_RATES, usd: 0 }
  return {
    read: baseOf(cacheRead) / base,
    write: baseOf(cacheLife >= HOUR_FROM ? cacheWrite1h : cacheWrite) / base,
    output: baseOf(output) / base,
    usd: base / 1e6,
    // What is read, written and said costs more by the same factor, or nearly so, in all lists that have tiers.
    tiers:
      typeof input === 'number'
        ? []
        : input.tiers.map(({ start, price }) => ({ above: start, factor: price / base })),
  }
}

function baseOf(rate: Rate): number {
  return typeof rate === 'number' ? rate : rate.base
}

/** How many times as much a prompt of this size costs. */
export function tierFactor({ tiers }: CallRates, prompt: Tokens): number {
  let factor = 1
  for (const tier of tiers) if (prompt > tier.above) factor = tier.factor
  return factor
}
