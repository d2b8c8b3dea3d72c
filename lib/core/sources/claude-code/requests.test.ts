import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { RecordedRequests } from '../../../testing/builders/recorded-requests'
import type { JsonObject } from '../../transcript/json'
import { RequestLedger } from './requests'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The requests of lines, as reading their file finds them. */
function ledgerOf(lines: readonly JsonObject[]): RequestLedger {
  const ledger = new RequestLedger(sha256)
  const places = lines.map((_, i) => ({ line: i + 1, offset: 0, bytes: 100 }))
  for (const [i, line] of lines.entries()) {
    const place = places[i]
    if (place !== undefined) ledger.take(line, place)
  }
  for (const run of ledger.together()) {
    const together = run.map(({ line }) => lines[line - 1] ?? {})
    ledger.takeTogether(together, run)
  }
  return ledger
}

const unproved = (lines: readonly JsonObject[]) =>
  ledgerOf(lines)
    .proofs()
    .map((proof) => proof.unproved)

const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls', a: 1 } })
const result = (id: string) => ({ tool_use_id: id, type: 'tool_result', content: `of ${id}` })

/** Four requests: a reminder in a blob, two calls side by side, and a title that is asked for in between. */
function voyage() {
  const script = new RecordedRequests()
  const asked = script.user('Where is the barrel?')
  const reminder = script.blob({ role: 'system', content: [], output_config: { effort: 'medium' } })
  const first = script.request([asked, reminder])
  const answer = script.assistant('m1', { type: 'text', text: 'I look.' }, call('t1'), call('t2'))
  script.user([result('t2')])
  script.user([result('t1')])
  const results = { role: 'user', content: [result('t2'), result('t1')] }
  const second = script.request([answer, results], { base: first, keep: 2 })
  const title = { role: 'user', content: 'Name this talk.' }
  script.blob(title)
  script.request([title], { querySource: 'generate_session_title', params: { model: 'claude-haiku' } })
  const found = script.assistant('m2', { type: 'text', text: 'In the hold.' })
  const thanks = script.user('Thanks.')
  script.request([found, thanks], { base: second, keep: 4 })
  script.assistant('m3', { type: 'text', text: 'Aye.' })
  return { script, lines: script.lines }
}

describe('requests that a transcript records', () => {
  it('are rebuilt from their base, blobs, entries, and entries that are one message, and proved', () => {
    const { lines } = voyage()
    const ledger = ledgerOf(lines)
    expect(ledger.totals()).toEqual({ requests: 4, rebuilt: 4, proved: 4 })
    expect(ledger.messages(3).map((message) => message.lines)).toEqual([
      [3],
      [4],
      [6, 7, 8],
      [9, 10],
      [14],
      [15],
    ])
    expect(ledger.messages(3).every(({ proved }) => proved)).toBe(true)
  })

  it('belong to the calls that answer them, and those of titles to none', () => {
    const { lines } = voyage()
    const ledger = ledgerOf(lines)
    const answers = lines.flatMap(({ type }, i) => (type === 'assistant' ? [ledger.answeredAt(i + 1)] : []))
    expect(answers).toEqual([0, 0, 0, 1, 3])
    expect(ledger.answeredAt(1)).toBeNull()
  })

  it('belong to the agent that asked, in its own transcript or beside another', () => {
    const script = new RecordedRequests()
    const asked = script.user('Look around.')
    script.request([asked], { querySource: 'agent:builtin:general-purpose', agentId: 'a1' })
    script.request([asked])
    script.assistant('m1', { type: 'text', text: 'A pier.' })
    script.assistant('m2', { type: 'text', text: 'I asked.' })
    script.assistant('m3', { type: 'text', text: 'By whom?' })
    const ofAgent = { isSidechain: true, agentId: 'a1' }
    const { lines } = script
    const marked = lines.map((line, i) =>
      i === 5 ? { ...line, ...ofAgent } : i === 7 ? { ...line, isSidechain: true } : line,
    )
    const ledger = ledgerOf(marked)
    expect([6, 7, 8].map((line) => ledger.answeredAt(line))).toEqual([0, 1, null])
  })

  it('are not proved from the request on whose text was changed', () => {
    const { lines } = voyage()
    const changed = structuredClone(lines)
    Object.assign(changed[5]?.message ?? {}, { content: [{ type: 'text', text: 'I looked.' }] })
    expect(unproved(changed)).toEqual([null, 'missing', null, 'missing'])
    expect(ledgerOf(changed).totals()).toEqual({ requests: 4, rebuilt: 2, proved: 2 })
    expect(
      ledgerOf(changed)
        .messages(1)
        .map(({ proved }) => proved),
    ).toEqual([true, true, false, true])
  })

  it('are not proved by a blob or a shape that claims a hash which its text has not', () => {
    const { lines } = voyage()
    const blob = structuredClone(lines)
    Object.assign(blob[3]?.message ?? {}, { output_config: { effort: 'high' } })
    expect(unproved(blob)).toEqual(['differs', 'differs', null, 'differs'])
    expect(ledgerOf(blob).totals()).toEqual({ requests: 4, rebuilt: 4, proved: 1 })
    const shape = structuredClone(lines)
    Object.assign(shape[1] ?? {}, { shape: { system: [], tools: [] } })
    expect(unproved(shape)).toEqual(['differs', 'differs', 'differs', 'differs'])
    // A true text of the same hash counts, wherever it is.
    expect(unproved([...blob, ...lines.slice(3, 4)])).toEqual([null, null, null, null])
    expect(unproved(lines.filter(({ type }) => type !== 'api-request-shape'))).toEqual(Array(4).fill('shape'))
  })

  it('that rest on each other, on themselves, on none, or on more than there is are not proved', () => {
    const script = new RecordedRequests()
    const asked = script.user('Ahoy')
    const first = script.request([asked])
    script.request([asked], { id: 'a', base: 'b', keep: 1 })
    script.request([asked], { id: 'b', base: 'a', keep: 1 })
    script.request([asked], { id: 'c', base: 'c', keep: 0 })
    script.request([asked], { base: first, keep: 2 })
    script.request([asked], { base: first, keep: 1 })
    expect(unproved(script.lines)).toEqual([null, 'base', 'base', 'base', 'base', null])
    expect(ledgerOf(script.lines).messages(2)).toEqual([])
    expect(ledgerOf(script.lines).messages(5)).toHaveLength(2)
  })

  it('of the wrong types are not proved, and nothing throws', () => {
    const odd = [
      null,
      1,
      -1,
      1.5,
      1e300,
      'x',
      '__proto__',
      [],
      {},
      [null],
      [{}],
      ['__proto__'],
      'A'.repeat(64),
    ]
    const fields = ['id', 'base', 'keep', 'tail', 'shapeHash', 'params', 'querySource', 'cacheControl']
    for (const field of fields) {
      for (const value of odd) {
        const { lines } = voyage()
        const changed = lines.map((line) =>
          line.type === 'api-request' ? { ...line, [field]: value } : line,
        )
        const ledger = ledgerOf(changed)
        expect(ledger.totals().requests).toBe(4)
        if (field === 'shapeHash') expect(ledger.totals().proved).toBe(0)
        if (field === 'tail' && !(Array.isArray(value) && value.length === 0))
          expect(ledger.totals().proved).toBe(0)
        for (let i = 0; i < 4; i++) ledger.messages(i)
      }
    }
    for (const value of odd) {
      const lines = ['user', 'assistant', 'api-request-blob', 'api-request-shape'].flatMap((type) => [
        { type, message: value, hash: value, shape: value, shapeHash: value },
        { type, message: { role: value, content: value, id: value } },
      ])
      expect(ledgerOf(lines).totals()).toEqual({ requests: 0, rebuilt: 0, proved: 0 })
    }
  })
})
