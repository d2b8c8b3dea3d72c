import { expect, test } from 'vitest'
import { alignEnd, alignMessages, type Seen, type SessionBefore } from './align-messages'

type Message = { readonly text: string }
const json = (text: string) => JSON.stringify({ text })
const say = (text: string): Message => ({ text })
/** A message that has its entry. */
const seen = (message: Message, id: string | null): Seen<Message> => ({
  message,
  json: json(message.text),
  id,
})
/** One of which only the text is known. */
const told = (text: string, id: string): Seen<Message> => ({ message: null, json: json(text), id })
const NONE = { seen: [], asked: [], earlier: [] }
const idsOf = ({ aligned }: ReturnType<typeof alignMessages<Message>>) => aligned.map(({ id }) => id)

const [a, b, c, go] = ['a', 'b', 'c', 'go on'].map(say) as [Message, Message, Message, Message]
const GOING = { ...NONE, seen: [seen(a, 'e1'), seen(go, 'e2'), seen(b, 'e3'), seen(go, 'e4'), seen(c, 'e5')] }

type Case = [what: string, align: typeof alignMessages<Message>, messages: Message[], ids: (string | null)[]]
test.each<Case>([
  ['the same', alignMessages, [a, go, b, go, c], ['e1', 'e2', 'e3', 'e4', 'e5']],
  ['more', alignMessages, [a, go, b, go, c, go, go], ['e1', 'e2', 'e3', 'e4', 'e5', null, null]],
  ['what is new behind what is known', alignMessages, [go, b, c, go, go], ['e2', 'e3', 'e5', 'e4', null]],
  ['a compaction', alignEnd, [say('s'), b, go, c], [null, 'e3', 'e4', 'e5']],
  ['one from what had been said before on', alignEnd, [say('s'), go, c], [null, 'e4', 'e5']],
  ['one that keeps both', alignEnd, [say('s'), go, b, go, c], [null, 'e2', 'e3', 'e4', 'e5']],
  ['nothing', alignEnd, [], []],
])('M18 M20 each known message is taken for one message only: %s', (_what, align, messages, ids) => {
  const ofObjects = align(GOING, messages)
  expect(idsOf(ofObjects)).toEqual(ids)
  expect(ofObjects.aligned.map(({ message }) => message)).toEqual(messages)
  expect(ofObjects.aligned.map((one) => one.json)).toEqual(messages.map(({ text }) => json(text)))
  // The same where an agent makes its messages anew each time.
  const anew = messages.map(({ text }) => say(text))
  const ofTexts = align(GOING, anew)
  expect(ofTexts).toEqual(ofObjects)
  expect(ofTexts.aligned.every(({ message }, at) => message === anew[at])).toBe(true)
})

test('M18 a message that grew in place is the same one, wherever it is', () => {
  const grown = { text: 'Ber' }
  const before = { ...NONE, seen: [seen(a, 'e1'), seen(grown, 'e2')] }
  grown.text = 'Berth 4.'
  expect(idsOf(alignMessages(before, [a, grown, b]))).toEqual(['e1', 'e2', null])
  expect(idsOf(alignMessages(before, [grown, b]))).toEqual(['e2', null])
  expect(idsOf(alignMessages(before, [b, grown]))).toEqual([null, 'e2'])
})

test('M18 in a conversation that has only grown each message is known by its place, whichever object is there', () => {
  const [grown, same] = [say('Ber'), say('go on')]
  const before = { ...NONE, seen: [seen(go, 'e1'), seen(grown, 'e2')] }
  Object.assign(grown, { text: 'Berth 4.' })
  expect(idsOf(alignMessages(before, [same, grown, go]))).toEqual(['e1', 'e2', null])
  const alike = { ...NONE, seen: [seen(go, 'e1'), seen(same, 'e2')] }
  expect(idsOf(alignMessages(alike, [same, go]))).toEqual(['e1', 'e2'])
})

test('M18 an object goes before what says the same', () => {
  const before = { ...NONE, seen: [seen(go, 'e1'), seen(b, 'e2')] }
  const same = say('go on')
  expect(idsOf(alignMessages(before, [a, go, same]))).toEqual([null, 'e1', null])
  expect(idsOf(alignMessages(before, [a, same, go]))).toEqual([null, null, 'e1'])
})

test('M18 M21 what was asked, and what a process before this one wrote, are known by their texts', () => {
  const asked = [told('b', 'e3'), told('x', 'e4'), told('y', 'e5')]
  const known: SessionBefore<Message> = {
    ...{ seen: [seen(a, 'e2')], asked, earlier: [told('c', 'e0'), told('c', 'e1'), told('b', 'e6')] },
  }
  const done = alignMessages(known, [a, b, c, say('z')])
  expect(idsOf(done)).toEqual(['e2', 'e3', 'e0', null])
  expect(done.asked).toEqual([asked[1], asked[2]])
  // What was seen is no other message besides.
  expect(idsOf(alignMessages(known, [a, say('a')]))).toEqual(['e2', null])
  const end = alignEnd(known, [c, b])
  expect(idsOf(end)).toEqual(['e1', 'e3'])
  expect(end.asked).toEqual([asked[1], asked[2]])
})
