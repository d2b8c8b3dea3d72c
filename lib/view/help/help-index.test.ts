import { expect, it } from 'vitest'
import { findHelp } from './find-help'
import { HELP_TERMS } from './help'
import { HELP_INDEX } from './help-index'
import { SHORT_MEANINGS } from './short-meanings'

const found = (typed: string) => findHelp(HELP_INDEX, typed, 5).map(({ id }) => id)

it('a term is found by its name first, then by what its meaning says', () => {
  expect(found('residual')[0]).toBe('residual')
  expect(found('EFFECTIVE budget')[0]).toBe('budget')
  expect(found('subscription')).toContain('cost')
  expect(found('  ')).toEqual([])
  expect(found('no such word here')).toEqual([])
})

it('each place is named once, and a term says in one sentence what it is', () => {
  const terms = HELP_INDEX.filter(({ about }) => about !== '')
  for (const { about } of terms) expect(about).toMatch(/^[^\n]{10,400}\.$/)
  expect(new Set(HELP_INDEX.map(({ id }) => id)).size).toBe(HELP_INDEX.length)
})

it('what a word says on hover is what its entry begins with', () => {
  for (const [id, meaning] of Object.entries(SHORT_MEANINGS)) {
    expect(meaning).toMatch(/^[A-Z][^\n]{5,160}\.$/)
    expect(HELP_TERMS.find((term) => term.id === id)?.meaning.startsWith(meaning), id).toBe(true)
  }
})
