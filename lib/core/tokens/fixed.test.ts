import { describe, expect, it } from 'vitest'
import type { SystemPromptReport } from '../transcript/session-index'
import { startCalibration } from './calibration'
import { fixedFromReport, fixedTotals } from './fixed'

const GPT = startCalibration('openai', 'gpt-5')

const REPORT: SystemPromptReport = {
  systemPromptChars: 18_668,
  projectContextChars: 1_366,
  skillsChars: 5_912,
  toolListChars: 0,
  toolSchemaChars: 1_138,
  files: [
    { name: 'AGENTS.md', missing: false, rawChars: 106, injectedChars: 106, truncated: false },
    { name: 'MEMORY.md', missing: false, rawChars: 30_000, injectedChars: 860, truncated: true },
    { name: 'USER.md', missing: true, rawChars: 0, injectedChars: 60, truncated: false },
  ],
  skills: [{ name: 'weather', chars: 355 }],
  tools: [
    { name: 'read', schemaChars: 304, summaryChars: 303 },
    { name: 'edit', schemaChars: 834, summaryChars: 326 },
  ],
}

function changed(changes: Partial<SystemPromptReport>): SystemPromptReport {
  return { ...REPORT, ...changes }
}

describe('the fixed part from a report of the runtime', () => {
  it('counts every character once: files and skills stand inside the system prompt, schemas do not', () => {
    const { tokens, total } = fixedFromReport(REPORT, GPT)
    expect(tokens['system-prompt']).toBeCloseTo((18_668 - 5_912 - 106 - 860 - 60) / 4.35)
    expect(tokens.skills).toBeCloseTo(5_912 / 3.6)
    expect(tokens['bootstrap-file']).toBeCloseTo((106 + 860 + 60) / 4.2)
    expect(total).toBeCloseTo(Object.values(tokens).reduce((a, b) => a + b, 0))
  })

  it('has the same totals without its items, with any calibration', () => {
    for (const calibration of [GPT, startCalibration('anthropic', 'claude-opus-4-8'), GPT]) {
      const { tokens, total } = fixedFromReport(REPORT, calibration)
      const totals = fixedTotals(REPORT, calibration)
      expect(totals.total).toBeCloseTo(total, 6)
      for (const [category, amount] of Object.entries(tokens)) {
        expect(totals.tokens[category as keyof typeof tokens]).toBeCloseTo(amount, 6)
      }
    }
  })

  it('counts names and descriptions of tools with their schemas', () => {
    const { tokens, tools } = fixedFromReport(REPORT, GPT)
    expect(tools.map(({ name, chars }) => [name, chars])).toEqual([
      ['read', 304 + 303 + 4 + 82],
      ['edit', 834 + 326 + 4 + 82],
    ])
    expect(tokens['tool-schemas']).toBeCloseTo((304 + 303 + 834 + 326 + 172) / 4.3)
  })

  it('keeps schemas that are not listed one by one', () => {
    const { tokens } = fixedFromReport(changed({ toolSchemaChars: 40_000, tools: [] }), GPT)
    expect(tokens['tool-schemas']).toBeCloseTo(40_000 / 4.3)
  })

  it('lists every file with its size, whether it was cut, and whether it is missing', () => {
    expect(fixedFromReport(REPORT, GPT).files).toMatchObject([
      { name: 'AGENTS.md', chars: 106, truncated: false, missing: false },
      { name: 'MEMORY.md', chars: 860, truncated: true, missing: false },
      { name: 'USER.md', chars: 60, missing: true },
    ])
  })

  it('shares what is left of the project context where the runtime cannot tell what it took of a file', () => {
    const unverified = (name: string, rawChars: number) =>
      ({ name, missing: false, rawChars, injectedChars: null, truncated: null }) as const
    const files = [...REPORT.files.slice(0, 1), unverified('SOUL.md', 300), unverified('MEMORY.md', 2_700)]
    const part = fixedFromReport(changed({ files, projectContextChars: 1_606 }), GPT)
    expect(part.files.map(({ chars }) => chars)).toEqual([106, 150, 1_350])
    expect(part.files[2]?.truncated).toBeNull()
    const roomy = fixedFromReport(changed({ files, projectContextChars: 9_000 }), GPT)
    expect(roomy.files.map(({ chars }) => chars)).toEqual([106, 300, 2_700])
    const untold = fixedFromReport(changed({ files, projectContextChars: 0 }), GPT)
    expect(untold.files.map(({ chars }) => chars)).toEqual([106, 300, 2_700])
  })

  it('has nothing for a missing file whose line the runtime did not report', () => {
    const files = [{ name: 'USER.md', missing: true, rawChars: 0, injectedChars: null, truncated: null }]
    expect(fixedFromReport(changed({ files }), GPT).tokens['bootstrap-file']).toBe(0)
  })

  it('is never negative, even where the parts are larger than the whole', () => {
    const { tokens } = fixedFromReport(changed({ systemPromptChars: 100 }), GPT)
    expect(tokens['system-prompt']).toBe(0)
    for (const part of Object.values(tokens)) expect(part).toBeGreaterThanOrEqual(0)
  })

  it('speaks the tokens of the model in use', () => {
    const claude = startCalibration('anthropic', 'claude-opus-4-5')
    expect(fixedFromReport(REPORT, claude).total / fixedFromReport(REPORT, GPT).total).toBeCloseTo(1.22)
  })
})
