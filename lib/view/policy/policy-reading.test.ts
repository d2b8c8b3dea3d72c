import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../core/policy/read-policy'
import { parseSource } from '../../core/policy/source-tree'
import { policyDocument } from '../../testing/builders/policy-document'
import { canHold, editPreset, editText, rawText } from './policy-edit'
import { countErrors, problemAt, readPolicyDraft, resolveDraft } from './policy-reading'

const OWN = `# ours
policy:
  preset: vs7
  lines:
    compact: { enabled: true, at: 0.5 } # half
    hard: { at: 0.85 }
`

const OPENCLAW = `{
  // the operator's notes
  agents: { defaults: {
    contextManagement: { budget: { historyRatio: 0.4 } },
    compaction: { timeoutSeconds: 180, reserveTokensFloor: 25000 },
    contextPruning: { mode: 'cache-ttl', ttl: '1h' },
  } },
}
`

const draft = (text: string, path = '/etc/plimsoll.yaml') => {
  const document = policyDocument(text, path)
  const reading = readPolicyDraft(document, text)
  return { document, reading, ...resolveDraft(document, reading, null) }
}

describe('X8 form and file in step', () => {
  it('a value set in the form changes the file where it is, and reads back', () => {
    const { document, reading } = draft(OWN)
    const edited = editText(document, reading, { 'lines.compact.at': 0.6 })
    expect(edited).toEqual({ ok: true, text: OWN.replace('0.5', '0.6') })
    const again = draft(edited.ok ? edited.text : '')
    expect(again.resolved.policy.lines.compact.at).toBe(0.6)
    expect(again.resolved.origin['lines.compact.at']).toEqual({ level: 'preset', label: 'plimsoll.yaml' })
    expect(again.resolved.origin['budget.enabled']?.label).toBe('preset vs7')
  })

  it('a value taken out goes back to what holds without it', () => {
    const { document, reading } = draft(OWN)
    const edited = editText(document, reading, { 'lines.hard.at': undefined })
    expect(edited).toEqual({ ok: true, text: OWN.replace('    hard: { at: 0.85 }\n', '') })
    expect(draft(edited.ok ? edited.text : '').resolved.policy.lines.hard.at).toBe(1)
  })

  it('a settings file without a policy gets one, beside what it holds', () => {
    const { document, reading } = draft('stores:\n  - ~/agents\n')
    expect(editText(document, reading, { 'reserve.tokens': 9000 })).toEqual({
      ok: true,
      text: 'stores:\n  - ~/agents\npolicy:\n  reserve:\n    tokens: 9000\n',
    })
    expect(editPreset(reading, 'memfas')).toEqual({
      ok: true,
      text: 'stores:\n  - ~/agents\npolicy:\n  preset: memfas\n',
    })
    expect(editPreset(draft(OWN).reading, null)).toEqual({
      ok: true,
      text: OWN.replace('  preset: vs7\n', ''),
    })
  })

  it('a runtime’s file takes what it has keys for, in its own units, of every format it holds', () => {
    const { document, reading } = draft(OPENCLAW, '/home/op/.openclaw/openclaw.json')
    const set = (path: string, value: unknown) => editText(document, reading, { [path]: value })
    expect(set('compaction.timeoutMs', 90_000)).toEqual({ ok: true, text: OPENCLAW.replace('180', '90') })
    expect(set('budget.historyRatio', 0.5)).toEqual({ ok: true, text: OPENCLAW.replace('0.4', '0.5') })
    expect(rawText(document, reading, 'pruning.cacheTtl.ttlMs')).toBe("'1h'")
    expect(canHold(document, reading, 'lines.compact.at')).toBe(false)
    expect(set('lines.compact.at', 0.4)).toEqual({
      ok: false,
      problem: 'openclaw.json has no key for lines.compact.at.',
    })
  })

  it('OpenClaw’s compaction is switched off and on again, and its mode taken out, where the file says it', () => {
    const text = '{ agents: { defaults: { compaction: { mode: "default" } } } }'
    const { document, reading } = draft(text, '/x/openclaw.json')
    expect(canHold(document, reading, 'compaction.mode')).toBe(true)
    expect(rawText(document, reading, 'compaction.mode')).toBe('"default"')
    const off = editText(document, reading, { 'compaction.mode': 'off' })
    const switched = text.replace('"default"', '"default", enabled: false')
    expect(off).toEqual({ ok: true, text: switched })
    const again = draft(switched, '/x/openclaw.json')
    expect(again.resolved.policy.compaction.mode).toBe('off')
    expect(editText(again.document, again.reading, { 'compaction.mode': 'safeguard' })).toEqual({
      ok: true,
      text: switched.replace('false', 'true').replace('default"', 'safeguard"'),
    })
    expect(editText(again.document, again.reading, { 'compaction.mode': undefined })).toEqual({
      ok: true,
      text: switched.replace(', enabled: false', ''),
    })
  })

  it('a value can be taken out though its key takes few values', () => {
    const text = '{ session: { compaction: { ollama: { url: "http://a", model: "qwen" } } } }'
    const { document, reading } = draft(text, '/x/goclaw.json')
    expect(canHold(document, reading, 'summary.model')).toBe(true)
    expect(editText(document, reading, { 'summary.model': undefined })).toEqual({
      ok: true,
      text: text.replace(', model: "qwen"', ''),
    })
    expect(editText(document, reading, { 'summary.model': 'openai/gpt-5' })).toMatchObject({ ok: false })
  })

  it('a runtime’s file without context settings never gets keys of another program', () => {
    const { document, reading } = draft('{ gateway: { port: 1 } }', '/home/op/.openclaw/openclaw.json')
    expect(canHold(document, reading, 'budget.historyRatio')).toBe(false)
    expect(editText(document, reading, { 'reserve.floor': 30_000 })).toMatchObject({
      ok: true,
      text: expect.stringContaining('reserveTokensFloor'),
    })
  })

  it('a file of several formats takes new values of the runtime that reads it', () => {
    const vs7 = draft(
      '{ agents: { defaults: { contextManagement: { enabled: true } } } }',
      '/x/openclaw.json',
    )
    expect(editText(vs7.document, vs7.reading, { 'reserve.floor': 30_000 })).toMatchObject({ ok: true })
    expect(canHold(vs7.document, vs7.reading, 'lines.compact.at')).toBe(false)
    const memfas = draft('', '/x/context-config.yaml')
    expect(editText(memfas.document, memfas.reading, { 'lines.compact.at': 0.6 })).toEqual({
      ok: true,
      text: 'COMPACTION_TRIGGER_PCT: 0.6\n',
    })
    expect(canHold(memfas.document, memfas.reading, 'reserve.floor')).toBe(false)
  })

  it('a bad value is marked at its field and at its line, in our file and in a runtime’s', () => {
    const own = draft(OWN.replace('0.5', '5'))
    const mark = problemAt(own.problems, 'lines.compact.at')
    expect(mark).toMatchObject({
      severity: 'error',
      lines: [5],
      message: expect.stringMatching(/^5 is not allowed/),
    })
    expect(rawText(own.document, own.reading, 'lines.compact.at')).toBe('5')

    const theirs = draft(OPENCLAW.replace('25000', '-1'), '/x/openclaw.json')
    expect(problemAt(theirs.problems, 'reserve.floor')).toMatchObject({ severity: 'error', lines: [5] })
  })

  it('values that contradict each other are marked at both, and count once', () => {
    const { problems } = draft(OWN.replace('0.5', '0.9'))
    expect(problemAt(problems, 'lines.compact.at')?.lines).toEqual([5, 6])
    expect(countErrors(problems)).toBe(1)
  })

  it('broken syntax leaves the form without effect and says where', () => {
    const { document, reading } = draft('policy:\n  lines: {\n')
    expect(reading.broken).toBe(true)
    expect(reading.problems[0]?.lines[0]).toBeGreaterThan(1)
    expect(editText(document, reading, { 'reserve.tokens': 1 }).ok).toBe(false)
  })

  it('what a file includes keeps its values while the file itself is edited', () => {
    const text = '{ agents: { $include: "./a.json5" } }'
    const path = '/x/openclaw.json'
    const file = readPolicy(parseSource(text, path), (target) =>
      parseSource('{ defaults: { compaction: { keepRecentTokens: 9000 } } }', `/x/${target}`),
    )
    const document = { ...policyDocument(text, path), file }
    const reading = readPolicyDraft(document, text)
    expect(reading.problems).toEqual([])
    expect(reading.file.patch).toEqual({ compaction: { keepRecentTokens: 9000 } })
  })
})
