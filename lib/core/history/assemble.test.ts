import { describe, expect, it } from 'vitest'
import { ASSEMBLY_ORDER, assembleContext } from './assemble'

describe('assembled context', () => {
  it('C13 is system, bootstrap, recall, summary, history, prompt, whatever order the parts come in', () => {
    const placed = assembleContext({
      prompt: ['now?'],
      history: ['one', 'two'],
      summary: ['before'],
      system: ['you are'],
      recall: ['remember'],
      bootstrap: ['AGENTS.md', 'SOUL.md'],
    })
    expect(placed.map(({ message }) => message)).toEqual([
      'you are',
      'AGENTS.md',
      'SOUL.md',
      'remember',
      'before',
      'one',
      'two',
      'now?',
    ])
    expect([...new Set(placed.map(({ slot }) => slot))]).toEqual([...ASSEMBLY_ORDER])
  })

  it('C13 takes a message once where an agent has it in two slots', () => {
    const prompt = { role: 'user', content: 'now?' }
    const first = { role: 'user', content: 'now?' }
    const placed = assembleContext({ history: [first, prompt], prompt: [prompt] })
    expect(placed).toEqual([
      { slot: 'history', message: first },
      { slot: 'prompt', message: prompt },
    ])
    expect(placed[1]?.message).toBe(prompt)
    const said = ['yes', 'no', 'yes']
    expect(assembleContext({ history: said, prompt: ['yes'] })).toHaveLength(4)
    expect(assembleContext({ history: [first, first] })).toHaveLength(2)
  })

  it('C10 leaves empty what is empty', () => {
    expect(assembleContext({ system: ['you are'], history: [], prompt: ['now?'] })).toEqual([
      { slot: 'system', message: 'you are' },
      { slot: 'prompt', message: 'now?' },
    ])
    expect(assembleContext({})).toEqual([])
  })
})
