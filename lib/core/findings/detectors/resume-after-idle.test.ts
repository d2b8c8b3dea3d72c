import { describe, expect, it } from 'vitest'
import { foundKind } from '../../../testing/builders/findings-in'
import { TranscriptBuilder } from '../../../testing/builders/transcript'

describe('going on after the cache has expired', () => {
  it('costs what the whole prompt costs that has to be written into the cache anew', () => {
    const builder = new TranscriptBuilder()
    builder.user('Go on.')
    builder.assistant('Yes.', { usage: { input: 1_000, output: 10, cacheRead: 149_000, cacheWrite: 0 } })
    const facts = builder.facts()
    const at = facts.at(-1)?.at ?? 0
    const found = foundKind(facts, 'resume-after-idle', { now: at + 10 * 60_000 })
    const { usd, tokens } = found?.cost ?? {}
    expect(tokens?.value).toBeGreaterThanOrEqual(150_000)
    const each = (usd?.value ?? 0) / (tokens?.value ?? 1)
    // At the price of reading it from the cache it would be a tenth of that.
    expect(each * 1e6).toBeGreaterThan(3)
  })
})
