import type { SystemPromptReport } from '../transcript/session-index'
import { type Calibration, factorFor } from './calibration'
import { type CategoryTokens, FIXED_CATEGORIES } from './category'

/** One named part of the fixed part: a workspace file, a skill or a tool. Tokens are estimated. */
export type FixedItem = {
  readonly name: string
  readonly chars: number
  readonly tokens: number
  /** Files: cut to the runtime's limit (null: it could not tell), and not found (a line saying so is sent instead). */
  readonly truncated?: boolean | null
  readonly missing?: boolean
}

/** The part of a prompt that stands before the conversation, in tokens, as the runtime's report lets us estimate it. */
export type FixedPart = {
  readonly tokens: CategoryTokens
  readonly total: number
  readonly files: readonly FixedItem[]
  readonly skills: readonly FixedItem[]
  readonly tools: readonly FixedItem[]
}

/**
 * Characters per o200k token, counted on the system prompts that OpenClaw 2026.7 and 2026.9 send: instructions, the
 * markup around skills, JSON schemas. Workspace files are taken for Markdown.
 */
const CHARS_PER_UNIT = { prompt: 4.35, skills: 3.6, schema: 4.3, file: 4.2 } as const

/**
 * A tool is sent as `{"type":"function","function":{"name":…,"description":…,"parameters":…}}`: the report has schema and
 * description, the rest is this many characters (34 tools of OpenClaw 2026.7: 54,817 sent, 52,011 reported with names).
 */
const TOOL_WRAPPING_CHARS = 82

// Asked for at every call of a session with the same report; only the factor differs then.
const atFactorOne = new WeakMap<SystemPromptReport, FixedPart>()

/** Tokens by category and in all of the fixed part: what `fixedFromReport` sums up, without its items. */
export function fixedTotals(
  report: SystemPromptReport,
  calibration: Calibration,
): Pick<FixedPart, 'tokens' | 'total'> {
  let part = atFactorOne.get(report)
  if (part === undefined) {
    part = fixedAtFactor(report, 1)
    atFactorOne.set(report, part)
  }
  const factor = factorFor(calibration, 'other')
  const tokens: { -readonly [C in keyof CategoryTokens]: number } = {}
  for (const category of FIXED_CATEGORIES) tokens[category] = (part.tokens[category] ?? 0) * factor
  return { tokens, total: part.total * factor }
}

/** Tokens of the fixed part from the sizes in characters that the runtime reported. */
export function fixedFromReport(report: SystemPromptReport, calibration: Calibration): FixedPart {
  return fixedAtFactor(report, factorFor(calibration, 'other'))
}

function fixedAtFactor(report: SystemPromptReport, factor: number): FixedPart {
  const tokensOf = (chars: number, perUnit: number) => (chars / perUnit) * factor
  const item = (name: string, chars: number, perUnit: number): FixedItem => ({
    name,
    chars,
    tokens: tokensOf(chars, perUnit),
  })

  const files = fileChars(report).map(
    (chars, i): FixedItem => ({
      ...item(report.files[i]?.name ?? '', chars, CHARS_PER_UNIT.file),
      truncated: report.files[i]?.truncated ?? null,
      missing: report.files[i]?.missing ?? false,
    }),
  )
  const tools = report.tools.map(({ name, schemaChars, summaryChars }) =>
    item(name, schemaChars + summaryChars + name.length + TOOL_WRAPPING_CHARS, CHARS_PER_UNIT.schema),
  )
  const skills = report.skills.map(({ name, chars }) => item(name, chars, CHARS_PER_UNIT.skills))

  const sum = (items: readonly FixedItem[], key: 'chars' | 'tokens') =>
    items.reduce((all, part) => all + part[key], 0)
  const fileTotal = sum(files, 'chars')
  // Schemas of tools that the report does not list one by one.
  const unlisted = Math.max(
    0,
    report.toolSchemaChars - report.tools.reduce((all, t) => all + t.schemaChars, 0),
  )
  // The list of tools inside the system prompt is part of the prompt's characters, as files and skills are.
  const promptChars = Math.max(0, report.systemPromptChars - fileTotal - report.skillsChars)
  const tokens = {
    'system-prompt': tokensOf(promptChars, CHARS_PER_UNIT.prompt),
    'tool-schemas': sum(tools, 'tokens') + tokensOf(unlisted, CHARS_PER_UNIT.schema),
    skills: tokensOf(report.skillsChars, CHARS_PER_UNIT.skills),
    'bootstrap-file': sum(files, 'tokens'),
  }
  const total = Object.values(tokens).reduce((a, b) => a + b, 0)
  return { tokens, total, files, skills, tools }
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
