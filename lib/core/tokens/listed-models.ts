import { calcPrice, type ModelPrice, type PriceCalculation } from '@pydantic/genai-prices'
import type { Tokens } from '../units/units'
import { LIST_EDITION } from './list-edition'

/** US dollars per million tokens; where it depends on the size of the prompt, above how many tokens which one holds. */
export type Rate = number | NonNullable<Exclude<ModelPrice[string], number>>

/** List prices of one model at one provider. What the list does not name is absent. */
export type ListedRates = {
  readonly input: Rate
  readonly output: Rate
  readonly cacheRead?: Rate
  /** Of what stays in the cache for five minutes, and for an hour. */
  readonly cacheWrite?: Rate
  readonly cacheWrite1h?: Rate
}

type Found = {
  readonly window: Tokens | null
  /** Id of the provider that the list has it from. */
  readonly maker: string
  /** Whether the list is of the provider that was named, or of the maker whose name the model bears. */
  readonly ofProvider: boolean
  readonly pricesAt: (at: number | null) => ListedRates | null
}

/** Names of models come from transcripts: a store may hold any number of them. */
const MOST_KNOWN = 1_000
const known = new Map<string, Found | null>()

/** `name:tag` is a user's build or a free one; only version numbers after a colon say nothing of that kind. */
const OTHER_BUILD = /:(?!\d+$)/

/** How runtimes write that a request asks for the window of a million tokens. */
const MILLION = /\[1m\]$/i

/** The day the list was made: prices that change with time are those of that day for calls without a time. */
const LIST_TIME = Date.parse(LIST_EDITION.date)

/**
 * The context window that the list names for a model, in tokens: the one at its provider, else the one at the maker
 * whose model it is. null where the list does not say.
 */
export function listedWindow(provider: string | null, model: string | null): number | null {
  if (model === null) return null
  if (MILLION.test(model)) return 1_000_000
  return find(provider, model)?.window ?? null
}

/** Who serves a model as the list has it: the maker whose model it is. null where the list does not know the model. */
export function listedMaker(model: string): string | null {
  return find(null, model)?.maker ?? null
}

/**
 * List prices of a model at a time (milliseconds since the epoch). null where the list does not have the provider, or
 * not this model of it: what another host asks is not known.
 */
export function listedRates(
  provider: string | null,
  model: string | null,
  at: number | null,
): ListedRates | null {
  if (model === null) return null
  const found = find(provider, model.endsWith(']') ? model.replace(MILLION, '') : model)
  return found?.ofProvider ? found.pricesAt(at) : null
}

/** The model that was asked for last: nearly always the next one too. */
let latest: {
  readonly provider: string | null
  readonly model: string
  readonly found: Found | null
} | null = null

function find(provider: string | null, model: string): Found | null {
  if (latest?.model === model && latest.provider === provider) return latest.found
  const found = findKnown(provider, model)
  latest = { provider, model, found }
  return found
}

function findKnown(provider: string | null, model: string): Found | null {
  const key = `${provider ?? ''}\n${model}`
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size >= MOST_KNOWN) known.clear()
  const found = lookUp(provider, model)
  known.set(key, found)
  return found
}

/** Searching the list takes about 20 µs; what is found is kept. */
function lookUp(provider: string | null, model: string): Found | null {
  const atProvider = provider === null ? null : ask(model, LIST_TIME, { providerId: provider })
  if (atProvider !== null) return foundFrom(atProvider, model, true)
  if (OTHER_BUILD.test(model)) return null
  const name = model.slice(model.lastIndexOf('/') + 1)
  const atMaker = ask(model, LIST_TIME, {}) ?? ask(name, LIST_TIME, {})
  return atMaker === null ? null : foundFrom(atMaker, atMaker.model.id, provider === null)
}

function foundFrom(found: PriceCalculation, model: string, ofProvider: boolean): Found {
  const window = found.model.context_window
  const { prices } = found.model
  const always = Array.isArray(prices) ? null : { rates: ratesOf(found.model_price) }
  return {
    window: window !== undefined && window > 0 ? window : null,
    maker: found.provider.id,
    ofProvider,
    pricesAt: always === null ? pricesByTime(found, model) : () => always.rates,
  }
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Prices of a model that change from a day on, or with the hour. Calls of the same time share their answer. */
function pricesByTime({ provider, model: info }: PriceCalculation, model: string): Found['pricesAt'] {
  // One model of one provider is enough to ask.
  const where = { provider: { ...provider, models: [info] } }
  const byHour =
    Array.isArray(info.prices) && info.prices.some((price) => price.constraint?.type === 'time_of_date')
  const step = byHour ? MINUTE_MS : DAY_MS
  const answers = new Map<number, ListedRates | null>()
  return (at) => {
    const time = Math.floor((at ?? LIST_TIME) / step)
    const before = answers.get(time)
    if (before !== undefined) return before
    if (answers.size >= MOST_KNOWN) answers.clear()
    const then = ask(model, time * step, where)
    const rates = then === null ? null : ratesOf(then.model_price)
    answers.set(time, rates)
    return rates
  }
}

type Where = Pick<NonNullable<Parameters<typeof calcPrice>[2]>, 'provider' | 'providerId'>

/** The clock is never asked: a time is always given. The list refuses models whose prices it cannot make out. */
function ask(model: string, at: number, where: Where): PriceCalculation | null {
  try {
    return calcPrice({}, model, { ...where, timestamp: new Date(at) })
  } catch {
    return null
  }
}

/** null for models that are not sold by tokens of text. */
function ratesOf(price: ModelPrice): ListedRates | null {
  const { input_mtok: input, output_mtok: output } = price
  if (input === undefined || output === undefined) return null
  const {
    cache_read_mtok: cacheRead,
    cache_write_mtok: cacheWrite,
    cache_write_1h_mtok: cacheWrite1h,
  } = price
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(cacheWrite1h === undefined ? {} : { cacheWrite1h }),
  }
}
