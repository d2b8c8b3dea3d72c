import { isObject, type JsonObject, stringOf } from '../../transcript/json'
import { mendClaudeCodeCalls } from './claude-code-calls'
import { claudeCodeContent } from './claude-code-content'
import { mendClaudeCodeTree } from './claude-code-tree'
import { ClientCheck } from './client-check'
import type { ClientLine } from './client-line'

/** How a line begins: with its parent, or with its kind, none of which is one of a block of content. */
const BEGINNING =
  /\{"(?:parentUuid":(?:null|")|type":"(?:summary|user|assistant|system|attachment|progress|file-history-snapshot|queue-operation|mode|permission-mode|last-prompt|custom-title|ai-title|agent-name|cost-state|tools-used|api-request[a-z-]*)",")/g

/** The check of a transcript of Claude Code (lib/docs/claude-code-and-codex.md#damage). */
export class ClaudeCodeCheck extends ClientCheck {
  /** Parents of lines that cannot be read, by the uuid in what is left of them. */
  private readonly gone = new Map<string, string | null>()
  private hasOpaque = false

  constructor() {
    super('claude-code', BEGINNING)
  }

  protected read(value: JsonObject, line: ClientLine, text: string): void {
    line.type = stringOf(value.type) ?? ''
    line.uuid = stringOf(value.uuid) ?? null
    line.written = stringOf(value.parentUuid) ?? null
    line.parent = line.written
    line.side = value.isSidechain === true
    if (line.uuid !== null) line.print = printOf(text)
    if (line.type !== 'user' && line.type !== 'assistant') return
    const message = isObject(value.message) ? value.message : null
    if (line.type === 'assistant' && message !== null) line.response = stringOf(message.id) ?? null
    const { calls, results, flaws, edits } = claudeCodeContent(line.type, message)
    line.calls = calls
    if (calls.length > 0) line.like = likeOf(value)
    line.results = results
    line.edits = edits
    for (const [found, fix] of flaws) this.report(found, line, fix)
  }

  protected lost(text: string): void {
    const uuid = UUID.exec(text)?.[1]
    const parent = PARENT.exec(text)
    if (uuid !== undefined && parent !== null) this.gone.set(uuid, parent[1] ?? null)
  }

  protected opaque(): void {
    this.hasOpaque = true
  }

  protected mend(): void {
    const report = this.report.bind(this)
    // What is in a line that is not read may be the parent, the call or the result that is looked for.
    if (this.hasOpaque) return
    mendClaudeCodeTree(this.lines, this.gone, report)
    mendClaudeCodeCalls(this.lines, report)
  }
}

/** What all lines of a session say in the same way, and the time. */
function likeOf({ userType, cwd, sessionId, version, gitBranch, timestamp }: JsonObject): JsonObject {
  return { userType, cwd, sessionId, version, gitBranch, timestamp }
}

const UUID = /"uuid":"([0-9A-Za-z-]{1,64})"/
const PARENT = /"parentUuid":(?:null|"([0-9A-Za-z-]{1,64})")/

/** The same for the same text; two hashes (FNV-1a) and its length. */
function printOf(text: string): string {
  let one = 0x811c9dc5
  let two = 0x01000193
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ code, 0x85ebca6b)
  }
  return `${text.length} ${one} ${two}`
}
