import { expect, it } from 'vitest'
import { oncePerRender } from './once-per-render'

it('outside of a render every call reads anew, so that what was just written is seen', () => {
  let text = 'before'
  const read = oncePerRender((name: string) => `${name}: ${text}`)
  expect(read('settings')).toBe('settings: before')
  text = 'after'
  expect(read('settings')).toBe('settings: after')
})
