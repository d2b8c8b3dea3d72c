import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildSystemPrompt, cachedSystemBlocks, timeLine } from './system-prompt'

const NOON = Date.UTC(2026, 10, 21, 12)
const parts = {
  identity: 'You are the harbour master.',
  safety: 'Ask before you open the lock.',
  tools: 'exec, message',
  user: 'The pilot, UTC+1.',
  files: [
    { name: 'AGENTS.md', text: 'Berths first.' },
    { name: 'SOUL.md', text: 'Be brief.' },
  ],
  runtime: 'host=pier model=claude',
  time: timeLine(NOON, 'Europe/Berlin'),
  recall: 'The pilot asked about berth 9 before.',
}

describe('system prompt', () => {
  it('C14 is made of identity, safety, tools, user, files, runtime, time and recalled context', () => {
    const prompt = buildSystemPrompt(parts)
    expect(prompt.sections.map(({ name }) => name)).toEqual([
      'identity',
      'safety',
      'tools',
      'user',
      'AGENTS.md',
      'SOUL.md',
      'runtime',
      'time',
      'recall',
    ])
    expect(prompt.text).toContain(
      '# Project Context\n\n## AGENTS.md\n\nBerths first.\n\n## SOUL.md\n\nBe brief.',
    )
    expect(prompt.text.match(/# Project Context/g)).toHaveLength(1)
    expect(prompt.text).toBe(prompt.sections.map(({ text }) => text).join('\n\n'))
  })

  it('C14 memory comes before the files, tasks and a notice in every turn anew', () => {
    const prompt = buildSystemPrompt({
      ...{ ...parts, memory: 'Search it first.', tasks: 'Berth 9.', notice: 'Save what matters.' },
    })
    expect(prompt.sections.map(({ name, perTurn = false }) => `${name}${perTurn ? '*' : ''}`)).toEqual([
      ...['identity', 'safety', 'tools', 'user', 'memory', 'AGENTS.md', 'SOUL.md'],
      ...['runtime*', 'time*', 'tasks*', 'recall*', 'notice*'],
    ])
    expect(prompt.stable).toContain('\n\nSearch it first.\n\n')
    expect(prompt.perTurn).toMatch(/\n\nBerth 9\.\n\n.*\n\nSave what matters\.$/)
  })

  it('C14 the time line and an edited file differ in the next turn', () => {
    const first = buildSystemPrompt(parts)
    const later = buildSystemPrompt({ ...parts, time: timeLine(NOON + 60_000, 'Europe/Berlin') })
    expect(later.perTurn).not.toBe(first.perTurn)
    expect(later.text).toContain('13:01')
    const files = [{ name: 'AGENTS.md', text: 'Locks first.' }]
    const edited = buildSystemPrompt({ ...parts, files })
    expect(edited.stable).not.toBe(first.stable)
    expect(edited.text).toContain('Locks first.')
  })

  it('C14 leaves out what is not there', () => {
    const prompt = buildSystemPrompt({ identity: 'You are.', files: [{ name: 'SOUL.md', text: '' }] })
    expect(prompt).toEqual({
      sections: [{ name: 'identity', text: 'You are.' }],
      stable: 'You are.',
      perTurn: '',
      text: 'You are.',
    })
  })

  it('P6 the marked prefix stays equal to the byte while only time, runtime and recall change', () => {
    const text = fc.string({ maxLength: 40 })
    fc.assert(
      fc.property(text, text, text, (time, runtime, recall) => {
        const [prefix, rest] = cachedSystemBlocks(buildSystemPrompt({ ...parts, time, runtime, recall }))
        expect(prefix).toEqual({
          type: 'text',
          text: buildSystemPrompt(parts).stable,
          cache_control: { type: 'ephemeral' },
        })
        expect(rest?.cache_control).toBeUndefined()
      }),
    )
  })

  it('P6 one marker, at the end of the stable part; the blocks together are the prompt; none is empty', () => {
    const prompt = buildSystemPrompt(parts)
    const blocks = cachedSystemBlocks(prompt)
    expect(blocks.map((block) => block.cache_control?.type)).toEqual(['ephemeral', undefined])
    expect(blocks.map(({ text }) => text).join('')).toBe(prompt.text)
    expect(cachedSystemBlocks(buildSystemPrompt({ identity: 'You are.' }))).toHaveLength(1)
    expect(cachedSystemBlocks(buildSystemPrompt({ identity: '', time: 'now' }))).toEqual([
      { type: 'text', text: 'now' },
    ])
    expect(cachedSystemBlocks(buildSystemPrompt({ identity: '' }))).toEqual([])
  })

  it('C14 tells the time in the user’s zone', () => {
    expect(timeLine(NOON, 'Europe/Berlin')).toBe('Current time: 2026-11-21 13:00 (Europe/Berlin, Saturday)')
    expect(timeLine(NOON, 'Nowhere/Land')).toBe('Current time: 2026-11-21 12:00 (UTC, Saturday)')
    expect(timeLine(Date.UTC(2026, 0, 1), 'UTC')).toBe('Current time: 2026-01-01 00:00 (UTC, Thursday)')
  })
})
