import { describe, expect, it } from 'vitest'
import { callColumns } from '../../testing/builders/call-columns'
import { compositionOf } from './composition'
import { compositionGroups } from './treemap-groups'

const composition = compositionOf(
  callColumns([{ tokens: { 'bootstrap-file': 300, user: 100, residual: 50 } }]),
  1,
)
const report = {
  systemPromptChars: 0,
  projectContextChars: 0,
  skillsChars: 0,
  toolListChars: 0,
  toolSchemaChars: 0,
  files: [
    { name: 'A.md', missing: false, rawChars: 20, injectedChars: 20, truncated: false },
    { name: 'B.md', missing: false, rawChars: 10, injectedChars: 10, truncated: false },
  ],
  skills: [],
  tools: [],
}

describe('X3 tiles of a call', () => {
  it('are one per category until the entries are known', () => {
    const groups = composition && compositionGroups(composition, null, null)
    expect(groups?.map((group) => group.items.map((item) => [item.short, item.tokens]))).toEqual([
      [['Bootstrap files', 300]],
      [['User', 100]],
      [['Residual', 50]],
    ])
  })

  it('are entries and pieces where they are known, without losing a token', () => {
    const whole = {
      heaviest: [],
      groups: [
        {
          category: 'user' as const,
          items: [
            { label: 'user, line 3', short: 'user', tokens: 70, seq: 2 },
            { label: '', short: '', tokens: 30, seq: null, merged: 4 },
          ],
        },
      ],
    }
    const groups = composition ? compositionGroups(composition, whole, report) : []
    expect(groups[0]?.items.map((item) => [item.short, item.tokens])).toEqual([
      ['A.md', 200],
      ['B.md', 100],
    ])
    expect(groups[1]?.items.map((item) => [item.label, item.short, item.tokens])).toEqual([
      ['User: user, line 3', 'user', 70],
      ['User: 4 smaller ones', '4 smaller', 30],
    ])
    expect(groups.flatMap((group) => group.items).reduce((sum, item) => sum + item.tokens, 0)).toBe(450)
  })
})
