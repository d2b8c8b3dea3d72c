import { expect, it } from 'vitest'
import { MOST_CONFIG_BYTES, sizeProblem, textSizeProblem } from './size-limit'

it('a configuration has a mebibyte at most, counted in bytes of UTF-8', () => {
  expect(MOST_CONFIG_BYTES).toBe(1_048_576)
  expect(sizeProblem('/w/a.yaml', 1_048_576)).toBeNull()
  expect(sizeProblem('/w/a.yaml', 1_048_577)).toMatch(/^\/w\/a\.yaml has 1048577 bytes/)
  expect(textSizeProblem('/w/a.yaml', 'é'.repeat(524_288))).toBeNull()
  expect(textSizeProblem('/w/a.yaml', `${'é'.repeat(524_288)}e`)).toMatch(/^\/w\/a\.yaml has 1048577 bytes/)
})
