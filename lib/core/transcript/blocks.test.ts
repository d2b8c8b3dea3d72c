import { describe, expect, it } from 'vitest'
import { pruneMessage } from '../pruning/prune-message'
import { findContentFlaws } from '../repair/content-flaws'
import { sourceMessage } from '../summary/source-message'
import { estimateUnits } from '../tokens/estimate'
import {
  blockKind,
  callIdOf,
  callInputOf,
  callNameOf,
  hasResultFailed,
  resultContentOf,
  resultIdOf,
  textOfBlock,
  thinkingOfBlock,
  withCallInput,
} from './blocks'
import type { JsonObject } from './json'
import { mediaOf } from './media-block'
import { readContent } from './reading/read-content'

/** The same call as each API writes it. */
const CALLS: readonly (readonly [string, JsonObject])[] = [
  ['pi', { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a.ts' } }],
  ['an alias', { type: 'toolUse', id: 'c1', name: 'read', input: { path: 'a.ts' } }],
  ['an alias', { type: 'functionCall', id: 'c1', name: 'read', input: { path: 'a.ts' } }],
  ['an alias', { type: 'tool_call', id: 'c1', name: 'read', arguments: '{"path":"a.ts"}' }],
  ['Anthropic', { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a.ts' } }],
  ['Chat', { type: 'function', id: 'c1', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
  [
    'Responses',
    { type: 'function_call', id: 'fc_9', call_id: 'c1', name: 'read', arguments: '{"path":"a.ts"}' },
  ],
  ['AI SDK', { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a.ts' } }],
]

describe('blocks', () => {
  it.each(CALLS)('every place reads the same call of %s', (_, block) => {
    expect(blockKind(block)).toBe('call')
    expect([callIdOf(block), callNameOf(block)]).toEqual(['c1', 'read'])
    const message = { role: 'assistant', content: [block] }
    const input = { path: 'a.ts' }
    expect(sourceMessage({ type: 'message', message }, { entryId: 'm', line: 1 })?.calls).toEqual([
      { id: 'c1', name: 'read', input },
    ])
    expect(findContentFlaws(message, 'late')?.calls).toEqual([{ id: 'c1', name: 'read' }])
    expect(findContentFlaws(message, 'late')?.flaws).toEqual([])
    const facts = readContent(message.content, 'assistant', { estimate: estimateUnits, longTexts: null }, 99)
    expect(facts.calls).toEqual([{ id: 'c1', name: 'read' }])
    expect(facts.units['tool-call']).toBeGreaterThan(3)
    const { calls } = pruneMessage(message, { entryId: 'm', tokens: 1, at: null })
    expect(calls).toMatchObject([{ id: 'c1', name: 'read', touches: [{ path: 'a.ts', how: 'read' }] }])
  })

  it.each(CALLS)('the arguments of %s are replaced where they are', (_, block) => {
    const changed = withCallInput(block, { path: 'b.ts' })
    expect(callInputOf(changed)).toEqual({ path: 'b.ts' })
    expect([callIdOf(changed), callNameOf(changed)]).toEqual(['c1', 'read'])
    expect(Object.keys(changed)).toEqual(Object.keys(block))
  })

  it('results of every API name their call, what they say and whether it failed', () => {
    const results: JsonObject[] = [
      { type: 'tool_result', tool_use_id: 'c1', content: 'no', is_error: true },
      { type: 'tool-result', toolCallId: 'c1', output: { type: 'error-text', value: 'no' } },
      { type: 'toolResult', toolCallId: 'c1', content: 'no', isError: true },
    ]
    for (const block of results) {
      expect(blockKind(block)).toBe('result')
      expect([resultIdOf(block), resultContentOf(block), hasResultFailed(block)]).toEqual(['c1', 'no', true])
    }
    const item = { type: 'function_call_output', call_id: 'c1', output: 'yes' }
    expect([blockKind(item), resultIdOf(item), resultContentOf(item)]).toEqual(['result', 'c1', 'yes'])
    expect(hasResultFailed(item)).toBe(false)
  })

  it('tools that the provider runs are no calls, and what is not known is kept separately', () => {
    expect(blockKind({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} })).toBe('server')
    expect(blockKind({ type: 'web_search_tool_result', tool_use_id: 's', content: [] })).toBe('server')
    expect(blockKind({ type: 'web_search_call', id: 'ws_1', status: 'completed' })).toBe('server')
    expect(blockKind({ type: 'shell_call', id: 'sh_1', call_id: 'c1', action: {} })).toBe('call')
    for (const odd of [{ type: 'hologram' }, {}, null, 3]) expect(blockKind(odd)).toBe('other')
  })

  it('texts, thinking and pictures are read under every name', () => {
    const item = {
      type: 'message',
      content: [
        { type: 'output_text', text: 'a' },
        { type: 'refusal', refusal: 'b' },
      ],
    }
    expect([blockKind(item), textOfBlock(item)]).toEqual(['text', 'a\nb'])
    const reasoning = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'because' }] }
    expect([blockKind(reasoning), thinkingOfBlock(reasoning)]).toEqual(['thinking', 'because'])
    expect(thinkingOfBlock({ type: 'thinking', thinking: 'hm' })).toBe('hm')
    expect(mediaOf({ type: 'image', data: 'AAAA', mimeType: 'image/png' })).toEqual({
      mimeType: 'image/png',
      base64: 'AAAA',
    })
    const address = { type: 'image_url', image_url: { url: 'data:image/gif;base64,BBBB' } }
    expect(mediaOf(address)).toEqual({ mimeType: 'image/gif', base64: 'BBBB' })
    const source = { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'CC' } }
    expect(mediaOf(source)).toEqual({ mimeType: 'image/webp', base64: 'CC' })
    expect(mediaOf({ type: 'image', image: 'https://quay.example/a.png' }).base64).toBe('')
  })
})
