import { describe, expect, it } from 'vitest'
import { foundKind } from '../../../testing/builders/findings-in'
import { TranscriptBuilder } from '../../../testing/builders/transcript'

const RULE = 'Never push the harbour ledger to the main branch.'
const SUMMARY = 'The berths were counted, and the crew knows where the cleat is broken. '.repeat(4)

/** A rule, work, a compaction with this summary, and a call. `kept`: the rule is in the part that stays. */
function session(rule: string, summary: string, options: { kept?: boolean; restated?: boolean } = {}) {
  const builder = new TranscriptBuilder()
  const first = builder.user(rule)
  builder.assistant('Yes.', { usage: { input: 30_000, output: 10 } })
  const asked = builder.user('Count the berths.')
  builder.assistant('Nine.', { usage: { input: 30_000, output: 10 } })
  builder.compaction(summary, options.kept ? first : asked)
  builder.user(options.restated ? `And again: ${rule}` : 'Go on.')
  builder.assistant('Gone.', { usage: { input: 9_000, output: 10 } })
  return builder.facts()
}

const lost = (facts: ReturnType<typeof session>, pause?: number) =>
  foundKind(facts, 'rules-lost', pause === undefined ? {} : { pause })

describe('rules lost in a compaction', () => {
  it('is found where neither the summary nor what was kept has the rule, with its line and its words', () => {
    expect(lost(session(RULE, SUMMARY))).toMatchObject({
      severity: 'medium',
      evidence: { times: 1, lines: [2], calls: [3] },
      sentence: `1 rule of yours was in the context before a compaction and nowhere after it. Among them: “${RULE.slice(0, -1)}”.`,
    })
  })

  it('is none where the summary says it, in its words or in others, where it was kept, or said again', () => {
    expect(lost(session(RULE, `${SUMMARY} ${RULE}`))).toBeNull()
    expect(
      lost(session(RULE, `${SUMMARY} The ledger of the harbour is not pushed to main branches.`)),
    ).toBeNull()
    expect(lost(session(RULE, SUMMARY, { kept: true }))).toBeNull()
    expect(lost(session(RULE, SUMMARY, { restated: true }))).toBeNull()
  })

  it('is none of what only sounds like a rule, or was written by the runtime', () => {
    for (const text of [
      'The harbour ledger must be somewhere, and it always fails on the main branch, does it not?',
      'It never worked with the harbour ledger on the main branch.',
      `<system-reminder>${RULE}</system-reminder>`,
      `# AGENTS.md instructions\n\n${RULE}`,
    ])
      expect(lost(session(text, SUMMARY))).toBeNull()
  })

  it('is found once, by the compaction that lost it, also where a summary before it had it', () => {
    const builder = new TranscriptBuilder()
    builder.user(RULE)
    builder.assistant('Yes.', { usage: { input: 30_000 } })
    for (const summary of [`${SUMMARY} ${RULE}`, SUMMARY, SUMMARY]) {
      const asked = builder.user('Go on.')
      builder.compaction(summary, asked)
      builder.assistant('Gone.', { usage: { input: 9_000 } })
    }
    const facts = builder.facts()
    expect(lost(facts)).toMatchObject({ evidence: { times: 1, calls: [3] } })
    for (let pause = 1; pause < facts.length; pause++) expect(lost(facts, pause)).toEqual(lost(facts))
  })

  it('is none of a reset, which is meant', () => {
    const builder = new TranscriptBuilder()
    builder.user(RULE)
    builder.assistant('Yes.', { usage: { input: 30_000 } })
    builder.entry('reset', { reason: 'new' })
    builder.user('Go.')
    builder.assistant('Gone.', { usage: { input: 9_000 } })
    expect(foundKind(builder.facts(), 'rules-lost')).toBeNull()
  })

  it('follows files of rules below the folder that is worked in, and none that the runtime sends itself', () => {
    const read = (path: string, summary = SUMMARY) => {
      const builder = new TranscriptBuilder({ cwd: '/w/harbour' })
      builder.user('Go.')
      builder.message({
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'r1', name: 'read', arguments: { path } }],
        provider: 'anthropic',
        model: 'claude-sonnet-4-5',
        stopReason: 'toolUse',
      })
      builder.result('r1', 'Never paint a boat without the consent of its owner. '.repeat(9))
      const asked = builder.user('Go on.')
      builder.compaction(summary, asked)
      builder.assistant('Gone.', { usage: { input: 9_000 } })
      return foundKind(builder.facts(), 'rules-lost')
    }
    expect(read('/w/harbour/boats/AGENTS.md')).toMatchObject({
      evidence: { times: 1, lines: [4] },
      sentence: expect.stringContaining('1 file of rules was in the context'),
    })
    for (const path of ['/w/harbour/AGENTS.md', '/w/AGENTS.md', 'AGENTS.md', '/home/a/.codex/AGENTS.md'])
      expect(read(path)).toBeNull()
    expect(read('/w/harbour/boats/AGENTS.md', `${SUMMARY} Heed boats/AGENTS.md.`)).toBeNull()
  })
})
