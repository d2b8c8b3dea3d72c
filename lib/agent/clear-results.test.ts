import { expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { sizeOf } from '../testing/live-conversation'
import { clearable } from './clear-results'
import { CONTENT_FORM } from './content-form'

it('E7 results can go that become smaller by it; not those whose form has no way to write a text', () => {
  const long = { role: 'toolResult', resultFor: 'a', content: 'berth '.repeat(400) }
  const short = { role: 'toolResult', resultFor: 'b', content: 'b' }
  /** Of another form, which says what it has in a separate field. */
  const own = { role: 'toolResult', resultFor: 'c', said: 'berth '.repeat(400) }
  const { withText: _withText, ...withoutText } = CONTENT_FORM
  const tokensOf = (message: object) => ('said' in message ? 400 : sizeOf(message as typeof long))
  const going = clearable(
    { form: { ...withoutText, tokensOf }, policy: DEFAULT_POLICY },
    [long, short, own],
    [0, 1, 2, 3],
  )
  expect(going.map(({ at }) => at)).toEqual([0])
  const [{ message, freed } = { message: short, freed: 0 }] = going
  expect(freed).toBe(sizeOf(long) - sizeOf(message as typeof long))
})
