import type { Random } from './random'
import { demoTokens, type TranscriptLine } from './transcript-writer'

const FILES = [
  ['AGENTS.md', 4_200],
  ['SOUL.md', 900],
  ['TOOLS.md', 2_600],
  ['USER.md', 700],
  ['HARBOUR.md', 6_400],
] as const
const SKILLS = ['tide-tables', 'berth-planning', 'weather', 'radio-log'] as const
const TOOL_NAMES = ['read', 'edit', 'exec', 'search', 'message', 'browser', 'cron', 'sessions_spawn'] as const

/** The fixed part of every prompt of one agent: the report that its runtime writes, and what the provider counts for it. */
export type PromptReport = { readonly report: TranscriptLine; readonly tokens: number }

/** Makes up an agent's system prompt report; sizes in characters as the runtime notes them. */
export function makePromptReport(
  random: Random,
  { workspace, at }: { workspace: string; at: number },
): PromptReport {
  const files = FILES.map(([name, size]) => {
    const rawChars = Math.round(size * (0.7 + 0.6 * random.next()))
    const path = `${workspace}/${name}`
    return { name, path, missing: false, rawChars, injectedChars: rawChars, truncated: false }
  })
  const projectContextChars = files.reduce(
    (sum, file) => sum + file.injectedChars + file.path.length + 8,
    400,
  )
  const skills = SKILLS.map((name) => ({ name, blockChars: random.int(240, 420) }))
  const skillsChars = skills.reduce((sum, skill) => sum + skill.blockChars, 320)
  const tools = TOOL_NAMES.map((name) => ({
    name,
    summaryChars: random.int(60, 320),
    schemaChars: random.int(900, 4_800),
    propertiesCount: random.int(1, 9),
  }))
  const schemaChars = tools.reduce((sum, tool) => sum + tool.schemaChars, 0)
  const nonProjectContextChars = 9_000 + skillsChars
  const chars = projectContextChars + nonProjectContextChars
  return {
    tokens: demoTokens('x'.repeat(chars + schemaChars)),
    report: {
      source: 'run',
      generatedAt: at,
      workspaceDir: workspace,
      systemPrompt: { chars, projectContextChars, nonProjectContextChars },
      injectedWorkspaceFiles: files,
      skills: { promptChars: skillsChars, entries: skills },
      tools: { listChars: 0, schemaChars, entries: tools },
    },
  }
}
