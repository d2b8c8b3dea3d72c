import { failuresIn } from './failures'
import { fileLedger, filesByUse } from './file-ledger'
import type { SourceMessage } from './source-message'

/** Bounds of what is added behind a summary (lib/docs/openclaw.md#summaries). Characters. */
const LIMITS = {
  failures: 8,
  failureChars: 240,
  fileChars: 900,
  rulesChars: 2_000,
  turnChars: 600,
  askChars: 8_000,
  importantChars: 3_000,
  allImportantChars: 6_000,
} as const
/** A stored summary is never longer than this. */
export const MAX_SUMMARY_CHARS = 16_000

export type Enrichment = {
  /** What was summarised. */
  readonly messages: readonly SourceMessage[]
  /** Summary of the beginning of a split turn; null when no turn was split. */
  readonly turnPrefix: string | null
  /** The newest message of the user when it is not among what stays; it is repeated word for word. */
  readonly newestAsk: string | null
  /** Messages that are marked as important and do not stay, oldest first; they are repeated word for word. */
  readonly important?: readonly string[]
  /** Last turns that are repeated in short, newest last. */
  readonly recentTurns: readonly SourceMessage[]
  /** Rules of the workspace that hold always; null when there are none. */
  readonly workspaceRules: string | null
}

/** Adds behind a summary what no model should be trusted to keep: failures, files, the split turn, rules. */
export function enrich(summary: string, extra: Enrichment): string {
  const { modified, read } = filesByUse(fileLedger(extra.messages))
  const sections = [
    section('**Turn Context (split turn):**', extra.turnPrefix),
    section('**Newest request, word for word:**', extra.newestAsk?.slice(0, LIMITS.askChars) ?? null),
    tagged(IMPORTANT_TAG, importantText(extra.important ?? [])),
    section('## Recent turns', turnLines(extra.recentTurns)),
    section('## Tool Failures', failureLines(extra.messages)),
    tagged('read-files', fileLines(read)),
    tagged('modified-files', fileLines(modified)),
    tagged('workspace-critical-rules', extra.workspaceRules?.slice(0, LIMITS.rulesChars) ?? null),
  ].filter((text) => text !== null)
  const room = MAX_SUMMARY_CHARS - sections.reduce((sum, text) => sum + text.length + 2, 0)
  return [bounded(summary, Math.max(MIN_SUMMARY, room)), ...sections].join('\n\n').slice(0, MAX_SUMMARY_CHARS)
}

const MIN_SUMMARY = 4_000

const IMPORTANT_TAG = 'marked-important'
const IMPORTANT_BLOCK = /<marked-important>\n([\s\S]*?)\n<\/marked-important>/
const BETWEEN = '\n\n---\n\n'

/** What an earlier summary carries word for word because it was marked as important. */
export function importantIn(summary: string): string[] {
  return IMPORTANT_BLOCK.exec(summary)?.[1]?.split(BETWEEN) ?? []
}

/** The newest that there is room for, in their order; each once. */
function importantText(texts: readonly string[]): string | null {
  const kept: string[] = []
  let room: number = LIMITS.allImportantChars
  for (const text of new Set(texts.toReversed())) {
    const short = bounded(text.replaceAll(`</${IMPORTANT_TAG}>`, '').trim(), LIMITS.importantChars)
    if (short === '') continue
    room -= short.length
    if (room < 0) break
    kept.unshift(short)
  }
  return kept.length === 0 ? null : kept.join(BETWEEN)
}

function failureLines(messages: readonly SourceMessage[]): string | null {
  const failures = failuresIn(messages)
  if (failures.length === 0) return null
  const lines = failures.slice(0, LIMITS.failures).map(({ tool, message, exitCode, count }) => {
    const said = bounded(message, LIMITS.failureChars) || 'failed'
    const code = exitCode === null ? '' : ` (exit code ${exitCode})`
    return `- ${tool}: ${said}${code}${count > 1 ? `, ${count} times` : ''}`
  })
  const more = failures.length - LIMITS.failures
  return [...lines, ...(more > 0 ? [`- ...and ${more} more`] : [])].join('\n')
}

function turnLines(messages: readonly SourceMessage[]): string | null {
  const lines = messages
    .filter(({ text, role }) => text.trim() !== '' && (role === 'user' || role === 'assistant'))
    .map(({ role, text }) => `- ${role}: ${bounded(text.replace(/\s+/g, ' ').trim(), LIMITS.turnChars)}`)
  return lines.length === 0 ? null : lines.join('\n')
}

function fileLines(paths: readonly string[]): string | null {
  const lines: string[] = []
  let chars = 0
  for (const path of paths) {
    chars += path.length + 1
    if (chars > LIMITS.fileChars) return [...lines, `...and ${paths.length - lines.length} more`].join('\n')
    lines.push(path)
  }
  return lines.length === 0 ? null : lines.join('\n')
}

function section(heading: string, text: string | null): string | null {
  return text === null || text === '' ? null : `${heading}\n\n${text}`
}

function tagged(tag: string, text: string | null): string | null {
  return text === null || text === '' ? null : `<${tag}>\n${text}\n</${tag}>`
}

function bounded(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}
