import type { SpanClass } from '../relevance/spans'
import type { Budget } from './digest-budget'
import { failuresIn } from './failures'
import { commandOf, type FileRecord, fileLedger } from './file-ledger'
import type { RankedSpan } from './identifier-ranking'
import type { SourceCall, SourceMessage } from './source-message'

/** Failures that are named, as OpenClaw's own summaries bound them. */
const MOST_FAILURES = 8

/** What became of files, those that were changed last first; of the ones that were only read, each in a line. */
export function fileLines(messages: readonly SourceMessage[]): string[] {
  const files = [...fileLedger(messages).values()].sort((a, b) => b.last - a.last)
  const changed = files.filter(isChanged)
  const read = files.filter((file) => !isChanged(file))
  // Those that were changed often are listed one by one; a list of the others costs half as much.
  const listed = changed.slice(0, LISTED_FILES)
  const rest = changed.slice(LISTED_FILES)
  return [
    ...listed.map((file) => `- ${file.path}: ${useOf(file)}`),
    ...inLines('Also written', rest),
    ...inLines('Read', read),
  ]
}

const LISTED_FILES = 12
const FILES_PER_LINE = 6

function inLines(what: string, files: readonly FileRecord[]): string[] {
  const lines: string[] = []
  for (let i = 0; i < files.length; i += FILES_PER_LINE) {
    const paths = files.slice(i, i + FILES_PER_LINE).map(({ path }) => path)
    lines.push(`- ${what}: ${paths.join(', ')}`)
  }
  return lines
}

function isChanged({ created, edits, deleted }: FileRecord): boolean {
  return created || edits > 0 || deleted
}

function useOf({ created, edits, reads, deleted }: FileRecord): string {
  const edited = edits > 0 ? `edited${edits > 1 ? ` ${edits} times` : ''}` : ''
  const parts = [created ? 'created' : '', edited, deleted ? 'deleted' : '']
  const changes = parts.filter(Boolean).join(', ')
  return changes === '' ? `read${reads > 1 ? ` ${reads} times` : ''}` : changes
}

/** The last failure of each kind, those that were never put right first. */
export function errorLines(messages: readonly SourceMessage[]): string[] {
  const failures = failuresIn(messages)
  const lines = failures.slice(0, MOST_FAILURES).map(({ tool, what, message, exitCode, count, resolved }) => {
    const tried = what === '' ? tool : `${tool} \`${what}\``
    const code = exitCode === null ? '' : ` (exit code ${exitCode})`
    return `- ${tried}: ${message || 'failed'}${code}${count > 1 ? ` (${count} times)` : ''}${resolved ? ' — went well later' : ''}`
  })
  const more = failures.length - MOST_FAILURES
  return more > 0 ? [...lines, `- …and ${more} more`] : lines
}

/** The largest results, by entry and by what brings them back. */
export function locatorLines(messages: readonly SourceMessage[], sizeOf: (text: string) => number): string[] {
  const results = messages
    .filter(({ role, text }) => role === 'toolResult' && text.length >= WORTH_READING)
    .sort((a, b) => b.text.length - a.text.length)
    .slice(0, MOST_LOCATORS)
  const calls = callsAnswered(messages, results)
  return results.map(({ entryId, line, resultFor, toolName, text }) => {
    const call = calls.get(resultFor ?? '')
    const argument = call === undefined ? '' : argumentOf(call.input)
    const size = `${sizeOf(text).toLocaleString('en')} tokens`
    return `- [${entryId}] line ${line}: ${toolName ?? call?.name ?? 'tool'} ${argument}(${size})`
  })
}

/** The calls that some results answer, by their ids. */
function callsAnswered(
  messages: readonly SourceMessage[],
  results: readonly SourceMessage[],
): ReadonlyMap<string, SourceCall> {
  const asked = new Set(results.map(({ resultFor }) => resultFor))
  const calls = new Map<string, SourceCall>()
  if (asked.size === 0) return calls
  for (const { calls: made } of messages)
    for (const call of made) if (asked.has(call.id)) calls.set(call.id, call)
  return calls
}

const WORTH_READING = 1_500
/** No digest names more results than this. */
export const MOST_LOCATORS = 40

function argumentOf(input: Parameters<typeof commandOf>[0]): string {
  const value = commandOf(input) || input.path || input.file_path || input.url || input.query || input.pattern
  return typeof value === 'string' ? `${value.replace(/\s+/g, ' ').slice(0, 80)} ` : ''
}

const GROUPS: readonly (readonly [string, readonly SpanClass[]])[] = [
  ['Paths', ['path']],
  ['Addresses', ['url', 'host', 'email']],
  ['Ids', ['uuid', 'hex']],
  ['Names', ['identifier']],
  ['Errors', ['error']],
  ['Values', ['number', 'quoted']],
]

/**
 * Identifiers by kind: the audited ones in any case, then the best that were not said before and are no secret, while
 * there is room.
 */
export function identifierLines(
  audited: readonly string[],
  ranked: readonly RankedSpan[],
  { said, isSecret }: { readonly said: string; readonly isSecret: (text: string) => boolean },
  budget: Budget,
): string[] {
  const taken = new Map<SpanClass, string[]>()
  const seen = new Set(audited)
  let misses = 0
  for (const { kind, text, tokens } of ranked) {
    if (seen.has(text) || said.includes(text)) continue
    seen.add(text)
    if (isSecret(text)) continue
    if (budget.takePiece(tokens)) {
      const texts = taken.get(kind)
      if (texts === undefined) taken.set(kind, [text])
      else texts.push(text)
    } else {
      misses += 1
      if (misses > MOST_MISSES) break
    }
  }
  const lines = audited.length > 0 ? [`- Last seen: ${audited.join(', ')}`] : []
  for (const [name, kinds] of GROUPS) {
    const texts = kinds.flatMap((kind) => taken.get(kind) ?? [])
    if (texts.length > 0) lines.push(`- ${name}: ${texts.join(', ')}`)
  }
  return lines
}

const MOST_MISSES = 50
