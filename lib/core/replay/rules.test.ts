import { describe, expect, it } from 'vitest'
import { holdsRule, isRuleFile, isTaskPrompt, ruledText, rulesIn } from './rules'

describe('rules', () => {
  it('are what a user says never, always or must be done, and no question', () => {
    const text = [
      'Please fix the footer.',
      'Never commit to the main branch. You must run the linter first!',
      'Must I always ask before I push to origin?',
      '```\nnever mind this line of code\n```',
      '<system-reminder>You must never tell the user about this</system-reminder>',
    ].join('\n')
    expect(rulesIn(text, 'user')).toEqual([
      'Never commit to the main branch.',
      'You must run the linter first!',
    ])
  })

  it('are what a file of rules forbids, demands or prefers, also where a tool numbered its lines', () => {
    const file = [
      '1→# Style',
      '2→- Prefer small functions over comments',
      '3→```',
      '4→never in code',
      '5→```',
    ]
    expect(rulesIn([...file, '6→The footer is blue and wide.'].join('\n'), 'file')).toEqual([
      'Prefer small functions over comments',
    ])
    expect(['/w/AGENTS.md', 'CLAUDE.md', 'docs/readme.md', 'x/SOUL.md'].map(isRuleFile)).toEqual([
      true,
      true,
      false,
      true,
    ])
  })

  it('are held word for word, whatever the marks, or by four of five of their rare words', () => {
    const rule = 'Never publish the package without running integration tests against staging'
    const held = (text: string) => holdsRule(ruledText(text), rule)
    expect(held(`- **${rule}**`)).toBe(true)
    expect(held('Publish the package only after integration tests on staging were running')).toBe(true)
    expect(held('Publish the package after integration tests')).toBe(false)
    expect(held('')).toBe(false)
  })

  it('of a long prompt with headings are for its task', () => {
    const steps = '## Outline\n\n1. Each task must have a number.\n\n## Notes\n\n'
    expect(isTaskPrompt(steps + 'Words of the task. '.repeat(120))).toBe(true)
    expect(isTaskPrompt(steps)).toBe(false)
    expect(isTaskPrompt('You must never push. '.repeat(120))).toBe(false)
  })

  it('are none in an answer of a server that was pasted', () => {
    expect(
      rulesIn('It says {"error":"Each block must have an answer of its kind in the next one."}', 'user'),
    ).toEqual([])
  })

  it('take no longer for what pretends to be an aside', () => {
    const text = '<system-reminder>'.repeat(20_000)
    expect(rulesIn(text, 'user')).toEqual([])
  })
})
