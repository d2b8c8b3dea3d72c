import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CallerList } from './caller-list'

type Said = { readonly text: string; readonly made?: true }

const say = (...texts: string[]): Said[] => texts.map((text) => ({ text }))
const texts = (list: readonly Said[]) => list.map(({ text }) => text).join(' ')
const made = (text: string): Said => ({ text, made: true })

/** As the ladder does: the first so many messages become a summary. */
function summarise(talk: CallerList<Said>, count: number, text = 'S'): Said[] {
  talk.hold([made(text), ...talk.held.slice(count)])
  return talk.give(talk.held)
}

test('a caller who keeps everything that was said gets nothing back that has left', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b', 'c', 'd')
  talk.take(list)
  expect(texts(summarise(talk, 3))).toBe('S d')
  list.push(...say('e', 'f'))
  expect(talk.take(list)).toMatchObject({ kind: 'grown', added: say('e', 'f') })
  expect(texts(talk.held)).toBe('S d e f')
})

test('a caller who goes on from what he was given is understood as well, and may change his mind', () => {
  const talk = new CallerList<Said>()
  const all = say('a', 'b', 'c', 'd')
  talk.take(all)
  const given = summarise(talk, 3)
  const [e, f, g] = say('e', 'f', 'g') as [Said, Said, Said]
  expect(talk.take([...given, e]).kind).toBe('grown')
  expect(texts(talk.held)).toBe('S d e')
  // Another part of his program has the whole list.
  expect(talk.take([...all, e, f]).added).toEqual([f])
  talk.give(talk.held)
  expect(talk.take([...given, e, f, g]).added).toEqual([g])
  expect(texts(talk.held)).toBe('S d e f g')
})

test('messages that are made anew each time are known by what they say, and his own objects come back', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b', 'c')
  talk.take(list)
  talk.give(talk.held)
  const anew = structuredClone([...list, ...say('d')])
  expect(talk.take(anew)).toMatchObject({ kind: 'grown', added: say('d') })
  const back = talk.give(talk.held)
  expect(back.every((message, i) => message === anew[i])).toBe(true)
})

test('of a message that was made anew what it says by now counts, as long as it is held', () => {
  type Word = { text: string }
  const talk = new CallerList<Word>()
  talk.take(say('a', 'b', 'c'))
  const anew: [Word, Word, Word] = [{ text: 'a' }, { text: 'b' }, { text: 'c' }]
  talk.take(anew)
  anew[2].text = 'c, and more of it'
  expect(talk.take(anew)).toMatchObject({ kind: 'turned', added: [anew[2]], differsAt: 2 })
  talk.hold([{ text: 'S' }, ...talk.held.slice(1)])
  talk.give(talk.held)
  anew[0].text = 'another one'
  expect(talk.take(anew)).toMatchObject({ kind: 'grown', added: [] })
  const given = structuredClone(talk.give(talk.held))
  talk.take(given)
  for (const summary of given.slice(0, 1)) summary.text = 'S, which somebody changed'
  expect(talk.take(given)).toMatchObject({ kind: 'grown', added: [] })
  expect(texts(talk.held)).toBe('S b c, and more of it')
})

test('a request that failed may be made again, from the same list', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b', 'c')
  talk.take(list)
  summarise(talk, 2)
  expect(talk.take(list)).toMatchObject({ kind: 'grown', added: [] })
  const given = talk.give(talk.held)
  expect(talk.take(given)).toMatchObject({ kind: 'grown', added: [] })
  summarise(talk, 2, 'T')
  // What he holds is older than what was made since.
  expect(talk.take(given)).toMatchObject({ kind: 'grown', added: [] })
  expect(texts(talk.held)).toBe('T')
})

test('the newest part may be another one: an answer made again, a marker that moved', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b', 'c', 'd', 'e')
  talk.take(list)
  const given = summarise(talk, 2)
  expect(talk.take([...list.slice(0, 4), ...say('E', 'f')]).kind).toBe('turned')
  expect(texts(talk.held)).toBe('S c d E f')
  talk.take(list)
  expect(texts(talk.held)).toBe('S c d e')
  expect(talk.take([...given.slice(0, 3), ...say('x')]).kind).toBe('turned')
  expect(texts(talk.held)).toBe('S c d x')
  expect(talk.take(list.slice(0, 3)).kind).toBe('turned')
  expect(texts(talk.held)).toBe('S c')
})

test('where nothing has left, a list that begins otherwise takes the place of all that was said', () => {
  const talk = new CallerList<Said>()
  talk.take(say('a', 'b'))
  expect(talk.take(say('x', 'y'))).toMatchObject({ kind: 'turned', added: say('x', 'y') })
  expect(texts(talk.held)).toBe('x y')
  expect(texts(talk.said)).toBe('x y')
})

test('of what is known the list that goes furthest with the new one is gone on from', () => {
  const talk = new CallerList<Said>()
  const [a, b, c, d, x] = say('a', 'b', 'c', 'd', 'x') as [Said, Said, Said, Said, Said]
  talk.take([a, b, c, d])
  // A request that is limited, of which nothing has left.
  talk.give([a, c, d])
  expect(talk.take([a, b, x])).toEqual({ kind: 'turned', added: [x], differsAt: 2 })
  expect(texts(talk.held)).toBe('a b x')
})

test('what was made for what has left is no message that came before the ones that turned', () => {
  const talk = new CallerList<Said>()
  talk.take(say('a', 'b', 'c'))
  const given = summarise(talk, 1)
  expect(talk.take([...given.slice(0, 1), ...say('x')]).kind).toBe('turned')
  expect(texts(talk.held)).toBe('S x')
  expect(texts(talk.said)).toBe('a x')
})

test('what was brought back at the end stays in front of what turned behind it', () => {
  const talk = new CallerList<Said>()
  talk.take(say('a', 'b'))
  talk.hold([...talk.held, made('R')])
  const given = talk.give(talk.held)
  talk.take([...given, ...say('y')])
  talk.give(talk.held)
  expect(talk.take([...given, ...say('x')]).kind).toBe('turned')
  expect(texts(talk.held)).toBe('a b R x')
})

test('a message that another one was put in the place of is a change, as one that has left', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b')
  talk.take(list)
  expect(talk.isChanged).toBe(false)
  talk.hold([made('A'), ...list.slice(1)])
  expect(talk.isChanged).toBe(true)
  talk.hold([...list, made('R')])
  expect(talk.isChanged).toBe(true)
  expect(talk.differs(list)).toBe(false)
  expect(talk.differs(list.toReversed())).toBe(true)
})

test('what is changed among the messages that have left makes another conversation, and says where', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b', 'c', 'd')
  talk.take(list)
  summarise(talk, 3)
  const other = [...say('a', 'B'), ...list.slice(2)]
  expect(talk.take(other)).toMatchObject({ kind: 'new', differsAt: 1 })
  expect(texts(talk.held)).toBe('a B c d')
  summarise(talk, 3)
  expect(talk.take(other.slice(0, 2))).toMatchObject({ kind: 'new', differsAt: 2 })
})

test('a caller may take the oldest messages away himself', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b', 'c', 'd', 'e')
  talk.take(list)
  summarise(talk, 3)
  expect(talk.take([...list.slice(2), ...say('f')])).toMatchObject({ kind: 'turned', added: say('f') })
  expect(texts(talk.held)).toBe('S d e f')
  expect(talk.take(say('d', 'e', 'f', 'g'))).toMatchObject({ kind: 'turned', added: say('g') })
  expect(texts(talk.held)).toBe('S d e f g')
})

test('and what he takes away himself is held no longer, where nothing has left', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b', 'c', 'd')
  talk.take(list)
  summarise(talk, 1)
  expect(talk.take([...list.slice(2), ...say('e')])).toMatchObject({ kind: 'turned', added: say('e') })
  expect(texts(talk.held)).toBe('S c d e')
  expect(texts(talk.said)).toBe('c d e')
  expect(talk.said.every((message) => talk.isBrought(message))).toBe(true)
  const [b, c] = list.slice(1)
  expect([b, c].map((message) => message !== undefined && talk.isBrought(message))).toEqual([false, true])
})

test('one object at two places is two messages', () => {
  const talk = new CallerList<Said>()
  const again = { text: 'go on' }
  const list = [again, { text: 'a' }, again, { text: 'b' }]
  talk.take(list)
  expect(texts(summarise(talk, 1))).toBe('S a go on b')
  list.push(again)
  expect(talk.take(list).added).toHaveLength(1)
  expect(texts(talk.held)).toBe('S a go on b go on')
  // The first of them has left, though the same object is still there.
  expect(talk.take([{ text: 'stop' }, ...list.slice(1)]).kind).toBe('new')
})

test('a summary of everything stays when only what came after it is another one', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b')
  talk.take(list)
  summarise(talk, 2)
  talk.take([...list, ...say('c')])
  expect(talk.take([...list, ...say('C')]).kind).toBe('turned')
  expect(texts(talk.held)).toBe('S C')
})

test('one object at two places is two messages, and comes back as what it is', () => {
  const talk = new CallerList<Said>()
  const [twice] = say('a') as [Said]
  expect(talk.take([twice, twice]).added).toHaveLength(2)
  expect(talk.held[0]).not.toBe(talk.held[1])
  const back = talk.give(talk.held)
  expect(back.every((message) => message === twice)).toBe(true)
  expect(talk.take(back)).toMatchObject({ kind: 'grown', added: [] })
})

test('a list that was taken in and never answered is not taken in twice', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b')
  talk.take(list)
  summarise(talk, 1)
  const longer = [made('S'), ...list.slice(1), ...say('c')]
  talk.take(longer)
  expect(talk.take(longer).added).toEqual([])
  expect(texts(talk.held)).toBe('S b c')
})

test('a list that only begins like a later part of the conversation is another one', () => {
  const talk = new CallerList<Said>()
  talk.take(say('a', 'b', 'c', 'd'))
  summarise(talk, 2)
  expect(talk.take(say('c', 'x')).kind).toBe('new')
  expect(texts(talk.held)).toBe('c x')
})

test('a list whose beginning was taken away is known, whatever is said by now in what has left', () => {
  const talk = new CallerList<Said>()
  const list = say('a', 'b', 'c', 'd')
  talk.take(say('a', 'b', 'c', 'd'))
  talk.take(list)
  summarise(talk, 2)
  Object.assign(list[1] as Said, { text: 'B' })
  expect(talk.take(list.slice(1)).kind).toBe('turned')
  expect(texts(talk.held)).toBe('S c d')
  expect(talk.take([]).kind).toBe('new')
})

test('a new conversation is all that was said, and nothing of it has left', () => {
  const talk = new CallerList<Said>()
  talk.take(say('a', 'b', 'c', 'd'))
  summarise(talk, 2)
  expect(talk.isChanged).toBe(true)
  expect(talk.take(say('x', 'y')).kind).toBe('new')
  expect(texts(talk.said)).toBe('x y')
  expect(talk.isChanged).toBe(false)
})

/** What a caller does next. */
const steps = fc.array(
  fc.record({
    adds: fc.integer({ min: 1, max: 3 }),
    style: fc.constantFrom<'all' | 'given' | 'anew'>('all', 'given', 'anew'),
    leaves: fc.integer({ min: 0, max: 4 }),
  }),
  { maxLength: 12 },
)

test('property: whichever list he goes on from, all that was said is held once, in its order, or has left', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const talk = new CallerList<Said>()
      const all: Said[] = []
      let given: Said[] = []
      let gone = 0
      for (const { adds, style, leaves } of script) {
        const fresh = Array.from({ length: adds }, (_, i) => ({ text: `m${all.length + i}` }))
        all.push(...fresh)
        const list =
          style === 'given' ? [...given, ...fresh] : style === 'all' ? [...all] : structuredClone(all)
        expect(talk.take(list).kind).toBe('grown')
        const originals = talk.held.filter((one) => one.made !== true)
        expect(texts(originals)).toBe(texts(all.slice(gone)))
        const leaving = Math.min(leaves, originals.length)
        if (leaving > 0) {
          gone += leaving
          talk.hold([made(`S${gone}`), ...originals.slice(leaving)])
        }
        given = talk.give(talk.held)
      }
    }),
  )
})
