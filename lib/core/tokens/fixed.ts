import type { FixedUnits } from '../transcript/entry'
import type { SystemPromptReport } from '../transcript/session-index'
import { type Calibration, factorFor } from './calibration'
import { type CategoryTokens, FIXED_CATEGORIES } from './category'

/** The part of a prompt that is before the conversation, in tokens, as the runtime's report lets us estimate it. */
type FixedPart = { readonly tokens: CategoryTokens; readonly total: number }

/**
 * Characters per o200k token, counted on the system prompts that OpenClaw 2026.7 and 2026.9 send: instructions, the
 * markup around skills, JSON schemas. Workspace files are taken for Markdown.
 */
const CHARS_PER_UNIT = { prompt: 4.35, skills: 3.6, schema: 4.3, file: 4.2 } as const

/**
 * A tool is sent as `{"type":"function","function":{"name":…,"description":…,"parameters":…}}`: the report has schema
 * and description, the rest is this many characters (34 tools of OpenClaw 2026.7: 54,817 sent, 52,011 reported with
 * names).
 */
const TOOL_WRAPPING_CHARS = 82

// Asked for at every call of a session with the same report; only the factor differs then.
const atFactorOne = new WeakMap<SystemPromptReport | FixedUnits, FixedPart>()

/**
 * Tokens of the fixed part, by category and in all, from the sizes in characters that the runtime reported, or from the
 * texts themselves.
 */
export function fixedTotals(report: SystemPromptReport | FixedUnits, calibration: Calibration): FixedPart {
  let part = atFactorOne.get(report)
  if (part === undefined) {
    part = 'system' in report ? fixedOfTexts(report) : fixedAtFactorOne(report)
    atFactorOne.set(report, part)
  }
  const factor = factorFor(calibration, 'other')
  const tokens: { -readonly [C in keyof CategoryTokens]: number } = {}
  for (const category of FIXED_CATEGORIES) tokens[category] = (part.tokens[category] ?? 0) * factor
  return { tokens, total: part.total * factor }
}

function fixedOfTexts({ system, tools }: FixedUnits): FixedPart {
  return { tokens: { 'system-prompt': system, 'tool-schemas': tools }, total: system + tools }
}

function fixedAtFactorOne(report: SystemPromptReport): FixedPart {
  let [schemas, listed] = [0, 0]
  for (const { name, schemaChars, summaryChars } of report.tools) {
    schemas += schemaChars
    listed += schemaChars + summaryChars + name.length + TOOL_WRAPPING_CHARS
  }
  // Schemas of tools that the report does not list one by one.
  const unlisted = Math.max(0, report.toolSchemaChars - schemas)
  const files = fileChars(report).reduce((all, chars) => all + chars, 0)
  // The list of tools inside the system prompt is part of the prompt's characters, as files and skills are.
  const prompt = Math.max(0, report.systemPromptChars - files - report.skillsChars)
  const tokens = {
    'system-prompt': prompt / CHARS_PER_UNIT.prompt,
    'tool-schemas': (listed + unlisted) / CHARS_PER_UNIT.schema,
    skills: report.skillsChars / CHARS_PER_UNIT.skills,
    'bootstrap-file': files / CHARS_PER_UNIT.file,
  }
  const total = Object.values(tokens).reduce((a, b) => a + b, 0)
  return { tokens, total }
}

/**
 * Characters of each workspace file in the prompt. Where the runtime could not tell, the files share what the others
 * leave of the project context, each up to its own size.
 */
function fileChars(report: SystemPromptReport): number[] {
  let known = 0
  let wanted = 0
  for (const { injectedChars, missing, rawChars } of report.files) {
    known += injectedChars ?? 0
    if (injectedChars === null && !missing) wanted += rawChars
  }
  const room = report.projectContextChars > 0 ? Math.max(0, report.projectContextChars - known) : wanted
  const share = wanted > 0 ? Math.min(1, room / wanted) : 0
  return report.files.map(({ injectedChars, missing, rawChars }) =>
    Math.max(0, injectedChars ?? (missing ? 0 : rawChars * share)),
  )
}
