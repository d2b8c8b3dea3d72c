import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { checkBytes } from '../../testing/repair/invariants'
import { integrityView } from './integrity'

type More = Parameters<typeof integrityView>[1]

async function viewOf(text: string, more: Partial<More> = {}) {
  const check = await checkBytes(Buffer.from(text))
  const facts = { path: '/s.jsonl', steps: [], hash: 'h', readOnly: null, byDoctor: false, owner: null }
  return integrityView(check, { ...facts, imported: true, ...more })
}

function conversation(): TranscriptBuilder {
  const session = new TranscriptBuilder()
  session.user('list the berths')
  session.assistant('one berth')
  session.user('thanks')
  return session
}

describe('Session › Integrity', () => {
  it('X12 says whether it is safe to resume, and who is at it', async () => {
    const sound = conversation().text()
    expect((await viewOf(sound)).verdict).toMatchObject({ tone: 'ok', title: 'Safe to resume' })
    const owner = 'process 7 (openclaw)'
    expect((await viewOf(sound, { owner })).verdict.title).toBe('Sound, and in use')
    const inDatabase = await viewOf(sound, { hash: null, readOnly: 'OpenClaw keeps it in a database.' })
    expect(inDatabase.verdict).toMatchObject({ tone: 'ok', title: 'Sound' })
    expect(inDatabase.verdict.words).toContain('not known here')
    const torn = await viewOf(`${sound}{"type":"mess`)
    expect(torn.verdict).toMatchObject({ tone: 'attention', title: 'Can be resumed, with losses' })
    const bad = await viewOf(sound.replace('one berth', 'one " berth'))
    expect(bad.verdict).toMatchObject({ tone: 'danger', title: 'Not safe to resume' })
    const headless = sound.split('\n').slice(1).join('\n')
    expect((await viewOf(headless)).verdict.title).toContain('not to be repaired')
    expect((await viewOf(headless, { byDoctor: true })).verdict.words).toContain('doctor can write it')
  })

  it('repair before migration: what a move into the database loses now, and what even after a repair', async () => {
    const session = conversation()
    session.raw('torn')
    session.user('more')
    const one = await viewOf(session.text())
    expect(one.importWords).toMatch(/would lose 1 entry: .* After a repair it loses none\.$/)
    session.message({ role: null, content: 'who said this?' })
    const two = await viewOf(session.text())
    expect(two.importWords).toMatch(/would lose 2 entries: .* it loses only 1, which cannot be kept\.$/)
    // Only JSONL stores of OpenClaw are moved.
    expect((await viewOf(session.text(), { imported: false })).importWords).toBeNull()
    expect((await viewOf(conversation().text())).importWords).toBeNull()
  })

  it('X12 names the providers that would refuse it, whose own it is, and how often there is cause', async () => {
    const session = conversation()
    session.assistant('', { calls: ['a.b'] })
    session.result('a.b', 'one')
    session.assistant('', { calls: ['c.d'] })
    session.result('c.d', 'two')
    const { refusals } = await viewOf(session.text())
    expect(refusals?.map(({ family, own, words, healed }) => [family, own, words, healed])).toEqual(
      [
        ['Anthropic', true],
        ['Google', false],
        ['Mistral', false],
      ].map(([family, own]) => [
        family,
        own,
        'the call id a.b has not the form it demands (and 1 more)',
        true,
      ]),
    )
  })
})
