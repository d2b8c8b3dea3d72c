import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as Prices from '@pydantic/genai-prices'
import { expect, it } from 'vitest'
import { listAsText } from './price-data.mjs'

const code = readFileSync(fileURLToPath(import.meta.resolve('@pydantic/genai-prices')), 'utf8')

type Provider = { readonly id: string; readonly models: readonly { readonly id: string }[] }

const listOf = (module: string): readonly Provider[] => {
  const [, name] = /^const (\w+) = /.exec(module) ?? []
  const end = module.indexOf(', J = {') > 0 ? module.indexOf(', J = {') : module.indexOf(';\nconst ')
  return new Function(`${module.slice(0, end)}; return ${name}`)()
}

/** Every model of the list, as `calcPrice` finds it by its provider and its id at a time. */
function answersOf(calcPrice: typeof Prices.calcPrice, list: readonly Provider[]) {
  const timestamp = new Date('2026-06-01T12:00:00Z')
  const usage = { input_tokens: 300_000, output_tokens: 2_000, cache_read_tokens: 100_000 }
  return list.flatMap(({ id: providerId, models }) =>
    models.map(({ id }) => {
      const found = calcPrice(usage, id, { providerId, timestamp })
      if (found === null) return null
      const { model, provider, model_price, total_price } = found
      const { context_window, prices, match } = model
      return {
        model: model.id,
        provider: provider.id,
        context_window,
        prices,
        match,
        model_price,
        total_price,
      }
    }),
  )
}

it('the list of models, read as a text, answers for each model what it answered as a literal', async () => {
  const changed = listAsText(code)
  expect(changed).toMatch(/^const \w+ = JSON\.parse\("/)
  const list = listOf(code)
  expect(listOf(changed).map(({ id }) => id)).toEqual(list.map(({ id }) => id))
  expect(list.length).toBeGreaterThan(20)
  expect(changed.length).toBeLessThan(code.length * 0.6)
  const module = `data:text/javascript;base64,${Buffer.from(changed).toString('base64')}`
  const { calcPrice } = (await import(/* @vite-ignore */ module)) as typeof Prices
  expect(answersOf(calcPrice, list)).toEqual(answersOf(Prices.calcPrice, list))
  // What follows it is the same, to the character.
  const rest = (text: string) => text.slice(text.indexOf('J = {'))
  expect(rest(changed)).toBe(rest(code))
})

it('a list that JSON cannot say, and a module that is made otherwise, are left as they are', () => {
  for (const other of ['const E = [\n  { f: () => 1 }\n], J = {}', 'export default []', ''])
    expect(listAsText(other)).toBe(other)
})
