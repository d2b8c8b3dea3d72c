import { describe, expect, it } from 'vitest'
import { CodexBuilder } from '../../../testing/builders/foreign-lines'
import { codexTurn } from '../../../testing/sources/source-fixtures'
import { readTranslatedSession, sentTo } from '../../../testing/translated-session'

describe('a rollout of Codex', () => {
  it('reasoning is in the window as long as its turn lasts, by its encrypted length', async () => {
    const lines = new CodexBuilder()
    lines.user('List the files')
    lines.item({ type: 'reasoning', summary: [], encrypted_content: 'g'.repeat(845 + 635) })
    lines.calls('c1')
    lines.count(5000, 4000, 60)
    lines.result('c1', 'a.txt')
    const during = await readTranslatedSession('codex', lines.text())
    expect(during.next.categories.thinking).toBeGreaterThan(30)
    lines.says('One file.')
    lines.count(5080, 5000, 12)
    lines.user('Thanks')
    const after = await readTranslatedSession('codex', lines.text())
    expect(after.next.categories.thinking).toBeUndefined()
    expect(after.next.total.value).toBeLessThan((during.next.total.value ?? 0) + 30)
  })

  it('a response on several lines is one call, whose usage comes after them', async () => {
    const session = await readTranslatedSession('codex', codexTurn('x').text())
    expect(
      session.frames.map(({ total, output, cacheRead }) => [total.value, output.value, cacheRead]),
    ).toEqual([
      [5000, 60, 4000],
      [5200, 12, 5000],
    ])
    expect(session.frames[0]?.window).toEqual({ tokens: 258_400, source: 'catalogue' })
    expect(session.totals).toMatchObject({
      calls: 2,
      turns: 1,
      input: 1200,
      cacheRead: 9000,
      output: 72,
      model: 'gpt-5.5',
    })
    expect(sentTo(session, 2).map((text) => text.split(':')[0])).toEqual([
      'custom',
      'custom',
      'user',
      'assistant',
      'assistant',
      'assistant',
      'toolResult',
      'toolResult',
    ])
    expect(Object.keys(session.frames[0]?.categories ?? {})).toEqual(
      expect.arrayContaining(['system-prompt', 'bootstrap-file', 'user', 'other']),
    )
  })

  it('early releases report before the answer, and repeat themselves', async () => {
    const lines = new CodexBuilder()
    lines.line('event_msg', { type: 'token_count', info: null })
    lines.user('One')
    lines.count(3000, 0, 20)
    lines.says('First.')
    lines.user('Two')
    lines.count(3000, 0, 20, false)
    lines.count(3100, 2900, 25)
    lines.says('Second.')
    const session = await readTranslatedSession('codex', lines.text())
    expect(session.frames.map(({ total, output }) => [total.value, output.value])).toEqual([
      [3000, 20],
      [3100, 25],
    ])
    expect(session.totals).toMatchObject({ calls: 2, input: 3200, cacheRead: 2900, output: 45 })
  })

  it('a compaction replaces the history; its own request is billed and is no call', async () => {
    const lines = new CodexBuilder()
    lines.user('Remember K-55')
    lines.says('Noted.')
    lines.count(4000, 0, 10)
    lines.count(4100, 4000, 300)
    const kept = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Remember K-55' }] }
    const summary = {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Another model said: K-55' }],
    }
    lines.line('compacted', { message: 'K-55', replacement_history: [kept, summary] })
    lines.user('What was it?')
    lines.says('K-55.')
    lines.count(1500, 0, 8)
    const session = await readTranslatedSession('codex', lines.text())
    expect(session.frames.map(({ total }) => total.value)).toEqual([4000, 1500])
    expect(sentTo(session, 2)).toEqual([
      'user: Remember K-55',
      'user: Another model said: K-55',
      'user: What was it?',
    ])
    expect(session.boundaries).toMatchObject([{ kind: 'compaction', afterCall: 1, preview: 'K-55' }])
    expect(session.totals).toMatchObject({ calls: 2, input: 4000 + 100 + 1500, output: 318 })
    expect(session.totals.besides).toMatchObject({ calls: 1, cacheRead: 4000, output: 300 })
  })

  it('of two reports on one response one counts, also where a compaction is in the bill of one of them alone', async () => {
    const lines = new CodexBuilder()
    const usage = (input: number, total: number, key: string) => ({
      [key]: { input_tokens: input, cached_input_tokens: 0, output_tokens: 10 },
      bill: { total_tokens: total },
    })
    const record = (id: string, input: number, total: number) => {
      const { bill, ...used } = usage(input, total, 'usage')
      lines.line('token_usage_record', { ...used, response_id: id, thread_token_usage: bill })
    }
    const count = (input: number, total: number) => {
      const { bill, ...used } = usage(input, total, 'last_token_usage')
      lines.line('event_msg', { type: 'token_count', info: { ...used, total_token_usage: bill } })
    }
    lines.user('Go')
    lines.says('One.')
    record('r1', 1000, 1010)
    count(1000, 1010)
    record('r2', 1100, 2120)
    lines.line('compacted', { message: 'so far', replacement_history: [] })
    lines.user('On')
    lines.says('Two.')
    record('r3', 300, 2430)
    count(300, 1320)
    lines.user('Once more')
    lines.says('Three.')
    record('r4', 300, 2740)
    count(300, 1630)
    const session = await readTranslatedSession('codex', lines.text())
    expect(session.totals).toMatchObject({ calls: 3, input: 2700, output: 40 })
    expect(session.totals.besides).toMatchObject({ calls: 1, input: 1100 })
  })

  it('what the provider compacted is unknown, and not lost', async () => {
    const lines = new CodexBuilder()
    lines.user('Remember')
    lines.says('Noted.')
    lines.count(4000, 0, 10)
    lines.line('compacted', {
      message: '',
      replacement_history: [{ type: 'compaction', encrypted_content: 'gAAA' }],
    })
    const session = await readTranslatedSession('codex', lines.text())
    const next = session.facts.filter(({ customType }) => customType === 'codex:compaction-encrypted')
    expect(next).toMatchObject([{ type: 'custom_message', role: 'custom' }])
    expect(next[0]?.units).toEqual({})
    expect(session.totals.compactions).toBe(1)
  })

  it('flat lines, as releases before 0.30 wrote them', async () => {
    const lines = [
      { id: 'c9', timestamp: '2025-05-01T08:00:00Z', instructions: 'Be brief.', git: {} },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { record_type: 'state' },
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1', output: '{"output":"ok"}' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
    ]
    const session = await readTranslatedSession('codex', lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(session.totals).toMatchObject({ sessionId: 'c9', calls: 2, turns: 1, unknownTypes: 0 })
    expect(session.frames[0]?.total.basis).toBe('estimated')
    expect(sentTo(session, 'next')).toHaveLength(4)
  })
})
