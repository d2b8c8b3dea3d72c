import type { SystemPromptReport } from '../transcript/session-index'
import { type Calibration, factorFor } from './calibration'
import type { CategoryTokens } from './category'

/** The part of a prompt that stands before the conversation, in tokens. */
export type FixedPart = { readonly tokens: CategoryTokens; readonly total: number }

/** Tokens of the fixed part from the sizes in characters that the runtime reported. */
export function fixedFromReport(report: SystemPromptReport, calibration: Calibration): FixedPart {
  const factor = factorFor(calibration, 'other')
  const tokensOf = (chars: number) => Math.max(0, chars / 4) * factor
  const files = report.files.reduce((sum, file) => sum + (file.injectedChars ?? 0), 0)
  const tokens = {
    'system-prompt': tokensOf(report.systemPromptChars - files - report.skillsChars),
    'tool-schemas': tokensOf(report.toolSchemaChars),
    skills: tokensOf(report.skillsChars),
    'bootstrap-file': tokensOf(files),
  }
  return { tokens, total: Object.values(tokens).reduce((a, b) => a + b, 0) }
}
