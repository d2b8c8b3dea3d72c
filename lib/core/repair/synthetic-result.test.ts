import { describe, expect, it } from 'vitest'
import { DraftEntry } from './draft'
import { makeMissingResult } from './synthetic-result'

function caller(over: Partial<Pick<DraftEntry, 'api' | 'stamp'>> = {}): DraftEntry {
  const by = new DraftEntry('message', { line: 7 }, { bytes: 1, ordinal: 6 })
  by.id = 'call-entry'
  by.stamp = '2026-11-01T08:00:00.000Z'
  return Object.assign(by, over)
}
const AT = Date.UTC(2026, 10, 1, 8)

function made(
  over: Parameters<typeof caller>[0] = {},
  name = 'ls',
  taken = new Set<string>(),
  linear = false,
) {
  const entry = makeMissingResult(taken, { id: 'c1', name, by: caller(over) }, linear)
  return { entry, json: JSON.parse(entry.made ?? '') }
}

describe('M12 a result that says that it is missing', () => {
  it('is written as OpenClaw writes it, at the time of the call', () => {
    const { entry, json } = made()
    expect(json).toEqual({
      type: 'message',
      id: expect.stringMatching(/^repair-[0-9a-f]{8}$/),
      parentId: 'call-entry',
      timestamp: '2026-11-01T08:00:00.000Z',
      message: {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'ls',
        content: [
          {
            type: 'text',
            text: '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.',
          },
        ],
        details: { openclawSyntheticMissingToolResult: true, reason: 'missing_tool_result' },
        isError: true,
        timestamp: AT,
      },
    })
    expect(entry).toMatchObject({
      type: 'message',
      line: 7,
      bytes: 0,
      ordinal: -1,
      id: json.id,
      parentId: 'call-entry',
      role: 'toolResult',
      resultFor: 'c1',
      toolName: 'ls',
      synthetic: true,
      at: AT,
    })
  })

  it('is the same each time, unless the id is taken', () => {
    const first = made()
    expect(made().json.id).toBe(first.json.id)
    const second = made({}, 'ls', new Set([first.json.id]))
    expect(second.json.id).toMatch(/^repair-[0-9a-f]{8}$/)
    expect(second.json.id).not.toBe(first.json.id)
  })

  it('has no ids where entries have none', () => {
    const { entry, json } = made({}, 'ls', new Set(), true)
    expect(Object.keys(json)).toEqual(['type', 'timestamp', 'message'])
    expect(entry.id).toBeNull()
  })

  it('names a tool and a time, even where the call does not', () => {
    const { json, entry } = made({ stamp: null }, '')
    expect(json.message).toMatchObject({ toolName: 'unknown', timestamp: 0 })
    expect(json.timestamp).toBe('1970-01-01T00:00:00.000Z')
    expect(entry.toolName).toBe('unknown')
  })

  it.each([
    ['openai-responses', 'aborted'],
    ['azure-openai-responses', 'aborted'],
    ['responses', 'aborted'],
    ['openai-responses-v2', expect.stringContaining('[openclaw]')],
    ['anthropic-messages', expect.stringContaining('[openclaw]')],
    [undefined, expect.stringContaining('[openclaw]')],
  ])('by the words of the API: %s', (api, text) => {
    expect(made({ api }).json.message.content).toEqual([{ type: 'text', text }])
  })
})
