import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { listAsText } from './price-data.mjs'

const code = readFileSync(fileURLToPath(import.meta.resolve('@pydantic/genai-prices')), 'utf8')

const listOf = (module: string) => {
  const [, name] = /^const (\w+) = /.exec(module) ?? []
  const end = module.indexOf(', J = {') > 0 ? module.indexOf(', J = {') : module.indexOf(';\nconst ')
  return new Function(`${module.slice(0, end)}; return ${name}`)()
}

it('the list of models, read as a text, says what it said as a literal', () => {
  const changed = listAsText(code)
  expect(changed).toMatch(/^const \w+ = JSON\.parse\("/)
  expect(listOf(changed)).toEqual(listOf(code))
  expect(listOf(changed).length).toBeGreaterThan(20)
  // What follows it is the same, to the character.
  const rest = (module: string) => module.slice(module.indexOf('J = {'))
  expect(rest(changed)).toBe(rest(code))
})

it('a list that JSON cannot say, and a module that is made otherwise, are left as they are', () => {
  for (const other of ['const E = [\n  { f: () => 1 }\n], J = {}', 'export default []', ''])
    expect(listAsText(other)).toBe(other)
})
