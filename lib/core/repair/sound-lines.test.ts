import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { checkLines } from '../../testing/repair/check-lines'
import type { RepairRules } from './content-flaws'
import { SoundCheck } from './sound-check'

/** What a quick look comes to: its answer, or null where it leaves the file to the whole check. */
function look(text: string, rules: RepairRules = 'late') {
  const check = new SoundCheck(rules)
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    if (line === '') continue
    if (!check.add({ line: i + 1, text: line, bytes: line.length, ended: i < lines.length - 1 })) return null
  }
  return check.finish()
}
function built(make: (t: TranscriptBuilder) => void, header: Record<string, unknown> = {}): string {
  const t = new TranscriptBuilder(header)
  make(t)
  return t.text()
}
const talk = (t: TranscriptBuilder) => {
  t.user('go')
  t.assistant('', { calls: ['a', 'b'] })
  t.result('b', '2')
  t.result('a', '1')
  t.assistant('done')
}

describe('M10 a quick look at a transcript is enough', () => {
  it.each<[string, string]>([
    ['a conversation', built(talk)],
    ['a header alone', built(() => undefined)],
    ['version 2', built(talk, { version: 2 })],
    [
      'a failed turn with some of its results, and what comes behind it',
      built((t) => {
        t.assistant('', { calls: ['a', 'b'], stop: 'aborted' })
        t.result('b', '2')
        t.user('again')
      }),
    ],
    [
      'a compaction that keeps an entry, and one that names none',
      built((t) => {
        t.user('go')
        t.compaction('s', t.user('kept'))
        t.user('on')
        t.entry('compaction', { summary: 's' })
        t.user('end')
      }),
    ],
    [
      'a compaction that keeps all that is before it',
      built((t) => {
        t.compaction('s', t.user('go'))
        t.user('on')
      }),
    ],
    [
      'a row for the reader that names calls',
      built((t) => {
        t.user('go')
        t.assistant('reported', { calls: ['x'], model: 'delivery-mirror', fields: { provider: 'openclaw' } })
        t.user('on')
      }),
    ],
  ])('for %s, and says the same as the whole check', (_what, text) => {
    const answer = look(text)
    expect(answer).not.toBeNull()
    expect(answer).toEqual(checkLines(text, 'late'))
  })

  it('and counts what it saw, with notes', () => {
    const answer = look(
      built((t) => {
        talk(t)
        t.entry('from-tomorrow')
      }).replaceAll('\n', '\r\n'),
    )
    expect(answer).toMatchObject({
      ...{ ok: true, kind: 'transcript', findings: [], importable: 7 },
      entries: { before: 7, dropped: 0, after: 7 },
      notes: [
        { class: 'carriage-returns', line: 1, count: 7 },
        { class: 'unknown-type', line: 7, count: 1 },
      ],
    })
  })
})

describe('M10 the whole check decides about', () => {
  it.each<[string, string]>([
    ['nothing at all', ''],
    ['a last line without its end', built(talk).trimEnd()],
    ['a line that is no object', `${built(talk)}[]\n`],
    ['a line that is no JSON', `${built(talk)}{\n`],
    ['version 1', built(talk, { version: 1 })],
    ['a header without a version', built(talk).replace('"version":3,', '')],
    ['a header without an id', built(talk, { id: '' })],
    ['a file without a header', built(talk).split('\n').slice(1).join('\n')],
    ['a second header', built((t) => t.entry('session', { version: 3 }))],
    ['a jump', built((t) => t.entry('leaf', { targetId: t.user('go') }))],
    ['a reset', built((t) => t.entry('reset', { reason: 'new' }))],
    ['an entry beside the conversation', built((t) => t.user('x', { appendMode: 'side' }))],
    ['an entry without a parent', built((t) => t.user('x', { parentId: undefined }))],
    ['an entry without an id', built((t) => t.user('x', { id: undefined }))],
    [
      'a branch',
      built((t) => {
        t.user('one')
        t.user('two')
        t.user('three', { parentId: 'e1' })
      }),
    ],
    [
      'an id used twice in one chain',
      built((t) => {
        t.user('one')
        t.user('two', { id: 'e1' })
        t.user('three')
      }),
    ],
    ['a flaw in the content', built((t) => t.user(' '))],
    ['a message that cannot stay', built((t) => t.message({ role: null }))],
    ['a call at the end that waits', built((t) => t.assistant('', { calls: ['a'] }))],
    [
      'a call that waits while something else comes',
      built((t) => {
        t.assistant('', { calls: ['a'] })
        t.user('hm')
        t.result('a', '1')
      }),
    ],
    ['a result that answers nothing', built((t) => t.result('a', '1'))],
    [
      'a result without an id',
      built((t) => {
        t.assistant('', { calls: ['a'] })
        t.message({ role: 'toolResult', content: [] })
      }),
    ],
    [
      'a result without an id where nothing waits',
      built((t) => {
        t.user('go')
        t.message({ role: 'toolResult', content: [] })
      }),
    ],
    [
      'a second result',
      built((t) => {
        t.assistant('', { calls: ['a'] })
        t.result('a', '1')
        t.result('a', '2')
      }),
    ],
    [
      'a result of a failed turn behind another message',
      built((t) => {
        t.assistant('', { calls: ['a'], stop: 'error' })
        t.user('again')
        t.result('a', '1')
      }),
    ],
    ['a compaction that keeps what is not there', built((t) => t.compaction('s', 'nowhere'))],
    [
      'a compaction that keeps what one before it left out',
      built((t) => {
        const gone = t.user('one')
        t.compaction('s', t.user('two'))
        t.compaction('s', gone)
      }),
    ],
    [
      'a compaction that keeps a result without its call',
      built((t) => {
        t.assistant('', { calls: ['a'] })
        t.compaction('s', t.result('a', '1'))
      }),
    ],
  ])('%s', (_what, text) => {
    expect(look(text)).toBeNull()
  })

  it('what early runtimes take otherwise', () => {
    const text = built((t) => {
      const content = [{ type: 'toolCall', id: 'a', name: 'fs.read', arguments: {} }]
      t.message({ role: 'assistant', content, stopReason: 'toolUse' })
      t.result('a', '1')
    })
    expect(look(text, 'late')).not.toBeNull()
    expect(look(text, 'early')).toBeNull()
  })
})
