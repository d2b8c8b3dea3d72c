import { describe, expect, it } from 'vitest'
import { COVER } from '../../core/redaction/credential-range'
import { maskedSlice, maskSecrets } from '../../core/redaction/secrets'
import { readableStretch, SECRET_FORMS } from '../../testing/hostile/secret-forms'
import { entryBlocks, entryBlockText } from './entry-blocks'
import { maskBlocks } from './masked-blocks'

type Place = readonly [name: string, show: (text: string) => string]

/** What a page shows of an entry with this message. */
function shown(message: object): string {
  const line = JSON.stringify({ type: 'message', id: 'a1', message })
  const { blocks } = maskBlocks(entryBlocks(line), 20_000, false)
  return blocks.map(entryBlockText).join('\n')
}

function rawLine(message: object): string {
  const line = JSON.stringify({ type: 'message', id: 'a1', message })
  return maskedSlice(line, 0, line.length)
}

const PLACES: readonly Place[] = [
  ['user text', (text) => shown({ role: 'user', content: `Here it is:\n${text}\nThanks.` })],
  ['thinking', (text) => shown({ role: 'assistant', content: [{ type: 'thinking', thinking: text }] })],
  ['answer', (text) => shown({ role: 'assistant', content: [{ type: 'text', text }] })],
  [
    'argument of a tool',
    (text) =>
      shown({
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c', name: 'x', arguments: { a: { text } } }],
      }),
  ],
  [
    'result of a tool',
    (text) => shown({ role: 'toolResult', toolCallId: 'c', content: [{ type: 'text', text }] }),
  ],
  ['raw line', (text) => rawLine({ role: 'user', content: `Here it is:\n${text}` })],
  [
    'raw line, JSON in JSON',
    (text) => rawLine({ role: 'toolResult', content: JSON.stringify({ body: JSON.stringify({ text }) }) }),
  ],
  ['preview', (text) => maskSecrets(text.replace(/\s+/g, ' ').slice(0, 400))],
]

/** Of a preview that ends within the credential; what is left of one without a name before it may look like any word. */
const CUT_AFTER = [10, 16, 24]
const MOST_READ_CUT = 30

/** How many of the forms may be read. */
const MOST_READ = 4

describe('X20 credentials in every form are covered', () => {
  it('knows 152 forms', () => {
    expect(new Set(SECRET_FORMS.map(({ name }) => name)).size).toBe(152)
  })

  it.each(PLACES)('in a %s', (_place, show) => {
    const read = SECRET_FORMS.flatMap(({ name, draw }) => {
      const { text, secret } = draw()
      const whole = show(text)
      // What is merely absent is not covered.
      const stretch = whole.includes(COVER) ? readableStretch(whole, secret) : secret
      return stretch === null ? [] : [`${name}: ${stretch} of ${text}`]
    })
    expect(read.slice(MOST_READ)).toEqual([])
  })

  it.each(CUT_AFTER)('in a preview that ends %d characters into them', (length) => {
    const read = SECRET_FORMS.flatMap(({ name, draw }) => {
      const { text, secret } = draw()
      const line = text.replace(/\s+/g, ' ')
      const start = line.indexOf(secret.slice(0, 8))
      const shown = maskSecrets(`${line.slice(0, start + length)}...`)
      const stretch = readableStretch(shown, secret)
      return stretch === null ? [] : [`${name}: ${stretch} of ${shown}`]
    })
    expect(read.slice(MOST_READ_CUT)).toEqual([])
  })
})
