import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Meter } from './meter'

const drawn = (share: number | null) => renderToStaticMarkup(createElement(Meter, { share, label: 'full' }))

it('a bar of more than the whole is full and marked as such; one that is just full is not', () => {
  expect(drawn(2.59)).toContain('data-over')
  expect(drawn(2.59)).toContain('width="100.00%"')
  for (const share of [null, 0, 0.5, 1, 1.004]) expect(drawn(share)).not.toContain('data-over')
})
