import { describe, expect, it } from 'vitest'
import { foundKind } from '../../../testing/builders/findings-in'
import { TranscriptBuilder } from '../../../testing/builders/transcript'

const LINES = Array.from({ length: 12 }, (_, i) => `Berth ${i + 1} was counted and its cleat is sound.`)
const SUMMARY = LINES.join('\n')

function session(summaries: readonly string[], calls = 8, words = 800) {
  const builder = new TranscriptBuilder()
  for (const summary of summaries) {
    let asked = ''
    for (let i = 0; i < calls; i++) {
      asked = builder.user('berth '.repeat(words))
      builder.assistant('Yes.', { usage: { input: 30_000, output: 10 } })
    }
    builder.compaction(summary, asked)
  }
  builder.user('Go.')
  builder.assistant('Yes.', { usage: { input: 9_000, output: 10 } })
  return foundKind(builder.facts(), 'summary-copied')
}

describe('a summary that copies the one before', () => {
  it('is found where nothing new is in it, whatever the order of its lines', () => {
    const turned = LINES.toReversed().join('\n')
    expect(session([SUMMARY, turned])).toMatchObject({ severity: 'medium', evidence: { times: 1 } })
    expect(session([SUMMARY, SUMMARY, SUMMARY])).toMatchObject({ severity: 'high', evidence: { times: 2 } })
  })

  it('is none where it goes on, where little came between, or where it is short', () => {
    expect(session([SUMMARY, `${SUMMARY}\nBerth 13 was counted and its cleat is broken.`])).toBeNull()
    expect(session([SUMMARY, SUMMARY], 2)).toBeNull()
    expect(session([SUMMARY, SUMMARY], 8, 20)).toBeNull()
    expect(session(['Berth 1 was counted.', 'Berth 1 was counted.'])).toBeNull()
  })
})
