import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { histories } from '../../testing/forms/steps'
import { writtenIn } from '../../testing/forms/write-form'
import { FORM_NAMES } from '../forms/form-name'
import { estimateUnits } from '../tokens/estimate'
import { contentUnits, readContent } from '../transcript/reading/read-content'
import { countMessage } from './count-message'
import { splitMessages } from './message-parts'

describe.each(FORM_NAMES)('B2 messages of the form %s', (form) => {
  it('are counted as they are, and come to the same as their parts', () => {
    fc.assert(
      fc.property(histories({ words: 9, turns: 5 }), (steps) => {
        for (const message of writtenIn(form, steps)) {
          const parts = splitMessages([message])
          const ofParts = parts.reduce((sum, part) => sum + countMessage(part), 0)
          expect(countMessage(message)).toBe(ofParts)
        }
      }),
    )
  })

  it('hold in their blocks what all categories of these come to', () => {
    fc.assert(
      fc.property(histories({ words: 9, turns: 3 }), (steps) => {
        for (const { content } of writtenIn(form, steps)) {
          const { units } = readContent(content, 'other', { estimate: estimateUnits, longTexts: null }, 0)
          const all = Object.values(units).reduce((sum, some) => sum + some, 0)
          expect(contentUnits(content, estimateUnits)).toBe(all)
        }
      }),
    )
  })
})
