import * as z from 'zod'
import type { OwnPrices, OwnRates } from '../core/tokens/own-prices'

const rate = z
  .number({ error: 'must be a number of US dollars per million tokens' })
  .min(0, { error: 'must not be below 0' })

const ratesShape = z.strictObject(
  {
    input: rate,
    output: rate,
    cacheRead: rate.optional(),
    cacheWrite: rate.optional(),
    cacheWrite1h: rate.optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no ${issue.keys?.join(', ')}; known are: input, output, cacheRead, cacheWrite, cacheWrite1h`
        : 'must be a map with input and output and, if wanted, cacheRead, cacheWrite and cacheWrite1h',
  },
)

/** `prices` in the settings file: what the operator pays, by `provider/model` or by the model alone. */
export const pricesShape = z
  .record(z.string().min(1), ratesShape, { error: 'must be a map from models to their prices' })
  .nullish()
  .transform((value): OwnPrices => {
    const prices: Record<string, OwnRates> = {}
    for (const [name, { input, output, cacheRead, cacheWrite, cacheWrite1h }] of Object.entries(value ?? {}))
      prices[name] = {
        input,
        output,
        ...(cacheRead === undefined ? {} : { cacheRead }),
        ...(cacheWrite === undefined ? {} : { cacheWrite }),
        ...(cacheWrite1h === undefined ? {} : { cacheWrite1h }),
      }
    return prices
  })
