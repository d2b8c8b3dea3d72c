import { describe, expect, it } from 'vitest'
import type { SystemPromptReport } from '../transcript/session-index'
import { startCalibration } from './calibration'
import { fixedTotals } from './fixed'

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
  it('counts every character once: files and skills are inside the system prompt, schemas do not', () => {
    const { tokens, total } = fixedTotals(REPORT, GPT)
    expect(tokens['system-prompt']).toBeCloseTo((18_668 - 5_912 - 106 - 860 - 60) / 4.35)
    expect(tokens.skills).toBeCloseTo(5_912 / 3.6)
    expect(tokens['bootstrap-file']).toBeCloseTo((106 + 860 + 60) / 4.2)
    expect(total).toBeCloseTo(Object.values(tokens).reduce((a, b) => a + b, 0))
  })

  it('counts names and descriptions of tools with their schemas', () => {
    const { tokens } = fixedTotals(REPORT, GPT)
    const [read, edit] = [304 + 303 + 4 + 82, 834 + 326 + 4 + 82]
    expect(tokens['tool-schemas']).toBeCloseTo((read + edit) / 4.3)
  })

  it('keeps schemas that are not listed one by one', () => {
    const { tokens } = fixedTotals(changed({ toolSchemaChars: 40_000, tools: [] }), GPT)
    expect(tokens['tool-schemas']).toBeCloseTo(40_000 / 4.3)
  })

  it('shares what is left of the project context where the runtime cannot tell what it took of a file', () => {
    const unverified = (name: string, rawChars: number) =>
      ({ name, missing: false, rawChars, injectedChars: null, truncated: null }) as const
    const files = [...REPORT.files.slice(0, 1), unverified('SOUL.md', 300), unverified('MEMORY.md', 2_700)]
    const filesAt = (projectContextChars: number) =>
      fixedTotals(changed({ files, projectContextChars }), GPT).tokens['bootstrap-file']
    expect(filesAt(1_606)).toBeCloseTo((106 + 150 + 1_350) / 4.2)
    expect(filesAt(9_000)).toBeCloseTo((106 + 300 + 2_700) / 4.2)
    expect(filesAt(0)).toBeCloseTo((106 + 300 + 2_700) / 4.2)
  })

  it('has nothing for a missing file whose line the runtime did not report', () => {
    const files = [{ name: 'USER.md', missing: true, rawChars: 0, injectedChars: null, truncated: null }]
    expect(fixedTotals(changed({ files }), GPT).tokens['bootstrap-file']).toBe(0)
  })

  it('is never negative, even where the parts are larger than the whole', () => {
    const { tokens } = fixedTotals(changed({ systemPromptChars: 100 }), GPT)
    expect(tokens['system-prompt']).toBe(0)
    for (const part of Object.values(tokens)) expect(part).toBeGreaterThanOrEqual(0)
  })

  it('speaks the tokens of the model in use', () => {
    const claude = startCalibration('anthropic', 'claude-opus-4-5')
    expect(fixedTotals(REPORT, claude).total / fixedTotals(REPORT, GPT).total).toBeCloseTo(1.22)
  })
})
