import { describe, expect, it } from 'vitest'
import { retainedMessages } from './checkpoint-window'
import type { JsonObject } from './json'
import type { EntryTexts } from './reading/entry-texts'

const TEXTS = { whole: (text: string) => text } as EntryTexts
const END = { type: 'compaction', id: 'c1', encrypted_content: 'DATA' }
const text = (said: unknown = 'hello') => ({ type: 'input_text', text: said })
const user = (content: unknown, more = {}) => ({ type: 'message', role: 'user', content, ...more })

function of(output: unknown, replay: JsonObject = {}, window: JsonObject = {}) {
  const written = typeof output === 'string' ? output : JSON.stringify(output)
  const compactedWindow = { state: 'ready', output: written, ...window }
  return retainedMessages({ id: 'c1', data: 'DATA', compactedWindow, ...replay }, TEXTS)
}
const reads = (...inputs: unknown[]) => of([user(inputs), END]) !== null

describe('the messages that a checkpoint’s window keeps', () => {
  it('are counted with their texts, images and files', () => {
    expect(of([END])).toEqual({ messages: 0, texts: [], images: 0 })
    const image = { type: 'input_image', detail: 'auto', image_url: 'data:x' }
    const file = { type: 'input_file', file_id: 'f' }
    expect(of([user([text('a'), image]), user([text(''), file, text('b')]), END])).toEqual({
      ...{ messages: 2, texts: ['a', '', 'b'], images: 2 },
    })
  })

  it('are none of a window that is not ready, is no list, or does not end with this checkpoint', () => {
    expect(of([END], {}, { state: 'pending' })).toBeNull()
    for (const output of [5, [JSON.stringify([END])]]) expect(of([END], {}, { output })).toBeNull()
    expect(of([END], { compactedWindow: 'x' })).toBeNull()
    for (const output of ['{', '{}', '[]', '5', '[null]', '"x"']) expect(of(output)).toBeNull()
    expect(of([{ ...END, type: 'message' }])).toBeNull()
    expect(of([{ ...END, encrypted_content: 'OTHER' }])).toBeNull()
    expect(of([{ ...END, id: 'c2' }])).toBeNull()
    expect(of([{ ...END, id: undefined }])).toBeNull()
    expect(of([{ ...END, id: undefined }], { id: undefined })).not.toBeNull()
    expect(of([{ ...END, created_by: 5 }])).toBeNull()
    expect(of([{ ...END, created_by: 'x' }])).not.toBeNull()
    expect(of([END, user([text()])])).toBeNull()
  })

  it('are looked for in the texts themselves, where stand-ins are in their place', () => {
    const written = JSON.stringify([user([text()]), END])
    const taken: { [standIn: string]: string } = { '1': 'DATA', '2': written, '3': 'c1' }
    const texts = { whole: (one: string) => taken[one] ?? one } as EntryTexts
    const replay = { id: '3', data: '1', compactedWindow: { state: 'ready', output: '2' } }
    expect(retainedMessages(replay, texts)).toEqual({ messages: 1, texts: ['hello'], images: 0 })
    expect(retainedMessages({ ...replay, id: 5 }, texts)).toBeNull()
  })

  it.each<[boolean, object]>([
    [true, {}],
    [true, { role: 'developer' }],
    [true, { role: 'system' }],
    [false, { role: 'assistant' }],
    [false, { type: 'reasoning' }],
    [true, { id: 'm1' }],
    [false, { id: 5 }],
    [true, { status: 'in_progress' }],
    [true, { status: 'completed' }],
    [true, { status: 'incomplete' }],
    [false, { status: 'failed' }],
    [false, { content: 'hello' }],
    [false, { content: [null] }],
    [true, { content: [] }],
  ])('%s: a message with %j can be read', (isRead, more) => {
    expect(of([user([text()], more), END]) !== null).toBe(isRead)
    // One bad message spoils the window, wherever it is.
    expect(of([user([text()]), user([text()], more), END]) !== null).toBe(isRead)
  })

  it.each<[boolean, object]>([
    [true, text()],
    [false, text(5)],
    [false, { type: 'output_text', text: 'x' }],
    [true, { ...text(), prompt_cache_breakpoint: { mode: 'explicit' } }],
    [false, { ...text(), prompt_cache_breakpoint: { mode: 'auto' } }],
    [false, { ...text(), prompt_cache_breakpoint: 'explicit' }],
    [false, { ...text(), prompt_cache_breakpoint: null }],
    [true, { type: 'input_image', detail: 'low', image_url: 'u' }],
    [true, { type: 'input_image', detail: 'high', file_id: 'f', image_url: null }],
    [true, { type: 'input_image', detail: 'original', file_id: 'f' }],
    [false, { type: 'input_image', detail: 'large', image_url: 'u' }],
    [false, { type: 'input_image', image_url: 'u' }],
    [false, { type: 'input_image', detail: 'auto' }],
    [false, { type: 'input_image', detail: 'auto', image_url: null, file_id: null }],
    [false, { type: 'input_image', detail: 'auto', image_url: 'u', file_id: 5 }],
    [true, { type: 'input_file', file_data: 'd', filename: 'n' }],
    [true, { type: 'input_file', detail: 'auto', file_url: 'u', file_id: null }],
    [true, { type: 'input_file', detail: 'low', file_id: 'f' }],
    [true, { type: 'input_file', detail: 'high', file_id: 'f' }],
    [false, { type: 'input_file', detail: 'original', file_id: 'f' }],
    [false, { type: 'input_file', filename: 'n' }],
    [false, { type: 'input_file', file_id: null }],
    [false, { type: 'input_file', file_id: 'f', filename: null }],
    [false, { type: 'input_file', file_data: 'd', file_url: 5 }],
    [false, { type: 'input_file', file_data: 5, file_url: 'u' }],
    [false, { type: 'input_file', file_data: 'd', file_id: 5 }],
  ])('%s: %j can be read', (isRead, input) => {
    expect(reads(input)).toBe(isRead)
    expect(reads(text(), input)).toBe(isRead)
  })

  it('are none where the window is nested more than 64 deep', () => {
    const nested = (depth: number) => {
      let value: unknown = 'x'
      for (let i = 0; i < depth; i++) value = [value]
      return of([{ ...END, extra: value }])
    }
    // The list itself and the checkpoint in it are two of them.
    expect(nested(62)).not.toBeNull()
    expect(nested(63)).toBeNull()
  })

  it('are those of a record of just 16 MiB', () => {
    const limit = 16 * 1024 * 1024
    const data = 'x'.repeat(limit / 8)
    const output = JSON.stringify([{ ...END, encrypted_content: data }])
    const padded = (pad: string) => ({ id: 'c1', data, compactedWindow: { state: 'ready', output }, pad })
    const pad = 'p'.repeat(limit - JSON.stringify(padded('')).length)
    expect(retainedMessages(padded(pad), TEXTS)).not.toBeNull()
    expect(retainedMessages(padded(`${pad}p`), TEXTS)).toBeNull()
  })

  it.each<[string, string, number]>([
    // The data is in the window as well, so that each character of it counts twice.
    ['one byte', 'x', 2],
    ['two bytes', 'é', 4],
    ['three bytes', '€', 6],
    ['a pair of surrogates, which is four bytes', '🚢', 8],
    ['a control, which takes six bytes in JSON and seven in the JSON of a JSON', '\u0001', 13],
  ])('are none where the record is larger than 16 MiB in UTF-8: of %s', (_, character, bytes) => {
    const most = (16 * 1024 * 1024) / bytes
    const sized = (count: number) => {
      const data = character.repeat(count)
      return of([{ ...END, encrypted_content: data }], { data })
    }
    expect(sized(most - 200)).not.toBeNull()
    expect(sized(most + 1)).toBeNull()
  })
})
