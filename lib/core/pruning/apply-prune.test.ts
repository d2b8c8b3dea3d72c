import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { prunedMessage } from './apply-prune'

const { cacheTtl } = DEFAULT_POLICY.pruning
const knobs = {
  placeholder: '[gone]',
  cacheTtl: { ...cacheTtl, softTrimMaxChars: 6, softTrimHeadChars: 2, softTrimTailChars: 1 },
}
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
const text = (value: string) => ({ type: 'text', text: value })
const result = (content: unknown) => ({ role: 'toolResult', toolCallId: 'c1', isError: true, content })
const clear = { call: null, action: 'clear' } as const
const trim = { call: null, action: 'trim' } as const

describe('J7: a message as it is sent once it is pruned', () => {
  it('is the same where nothing was decided about it', () => {
    const message = result('text')
    expect(prunedMessage(message, [], knobs)).toBe(message)
  })

  it('a cleared result holds the placeholder in the shape that it had, all else as it was', () => {
    expect(prunedMessage(result([text('one'), image]), [clear], knobs)).toEqual(result([text('[gone]')]))
    expect(prunedMessage(result('one'), [clear], knobs)).toEqual(result('[gone]'))
    expect(prunedMessage({ role: 'toolResult' }, [clear], knobs)).toEqual({
      ...{ role: 'toolResult', content: [text('[gone]')] },
    })
  })

  it('a trimmed result holds both ends of it, a short one with images their markers', () => {
    const note = '\n\n[Tool result trimmed: kept first 2 chars and last 1 chars of 7 chars.]'
    expect(prunedMessage(result([text('abcdefg')]), [trim], knobs)).toEqual(
      result([text(`ab\n...\ng${note}`)]),
    )
    expect(prunedMessage(result('abcdefg'), [trim], knobs)).toEqual(result(`ab\n...\ng${note}`))
    const content = [text('abcdef')]
    expect(prunedMessage(result(content), [trim], knobs).content).toBe(content)
    const wide = { ...knobs, cacheTtl: { ...knobs.cacheTtl, softTrimMaxChars: 999 } }
    expect(prunedMessage(result([text('a'), image]), [trim], wide)).toEqual(
      result([text('a\n[image removed during context pruning]')]),
    )
  })

  it('of calls only those decided on lose their long arguments, and what was streamed of them', () => {
    const long = 'x'.repeat(121)
    const call = (id: string, more = {}) => ({
      type: 'toolCall',
      id,
      name: 'write',
      arguments: { path: id, long },
      ...more,
    })
    const message = {
      role: 'assistant',
      content: [
        text(long),
        call('a'),
        { type: 'thinking', thinking: long },
        call('b', { partialJson: '{"pa' }),
        call('c'),
      ],
    }
    const found = prunedMessage(message, [{ call: 1, action: 'clear' }], knobs)
    const cleared = {
      type: 'toolCall',
      id: 'b',
      name: 'write',
      arguments: { path: 'b', long: '[Old tool input cleared]' },
    }
    expect(found).toEqual({
      ...{ role: 'assistant', content: [text(long), call('a'), message.content[2], cleared, call('c')] },
    })
    const both = prunedMessage(
      message,
      [0, 2].map((at) => ({ call: at, action: 'clear' as const })),
      knobs,
    )
    expect(both.content.map((block) => JSON.stringify(block).includes('cleared'))).toEqual([
      false,
      true,
      false,
      false,
      true,
    ])
    // The message itself is not changed.
    expect(JSON.stringify(message)).not.toContain('cleared')
  })

  it('content of no known shape stays as it is', () => {
    const message = { role: 'assistant', content: 'text' }
    expect(prunedMessage(message, [{ call: 0, action: 'clear' }], knobs)).toEqual(message)
  })
})
