import type { EntryCategory } from '../../tokens/category'
import { resultIdOf } from '../blocks'
import { isObject, type JsonObject, numberOf, stringOf } from '../json'
import { RULE_CHARS, ruleMarks } from '../marks/rule-marks'
import { SUMMARY_CHARS, summaryMark } from '../marks/summary-marks'
import { marksOf } from '../marks/text-marks'
import type { OpenFact } from './empty-fact'
import { textsIn } from './entry-texts'
import { type LongTexts, longTextNumber } from './long-texts'
import { timeOf } from './parse-time'
import { readCheckpoint } from './read-checkpoint'
import { type ContentFacts, readContent, readPlainText, type TextReading } from './read-content'
import { readUsage } from './read-usage'
import { SEARCH_CHARS, searchChars } from './search-text'
import { saidOf } from './translated'

/** Assistant rows that OpenClaw writes for the reader; no model was asked for them and none is shown them. */
const TRANSCRIPT_ONLY_MODELS = new Set(['delivery-mirror', 'gateway-injected'])

/** The reply with which an agent says that it has nothing to say (lib/docs/openclaw.md#memory-flush). */
const SILENT_TOKEN = 'NO_REPLY'

/** How content is examined; null: not at all. */
export type ContentReading = TextReading | null

/** Reads what a message says into the fact of its entry. Answers bounded text for the search index. */
export function readMessage(raw: JsonObject, fact: OpenFact, reading: ContentReading): string {
  const message = raw.message
  if (!isObject(message)) {
    fact.problem = 'the message is missing'
    return ''
  }
  // Version 2 calls the role of extension messages hookMessage.
  const role = message.role === 'hookMessage' ? 'custom' : stringOf(message.role)
  if (role === undefined) fact.problem = 'the message has no role'
  fact.role = role ?? ''
  fact.at ??= timeOf(message.timestamp)
  if (role === 'bashExecution') return readShell(message, fact, reading)
  const most = searchChars(role, message.isError === true)
  const category = saidOf(raw).category ?? categoryOf(role, message)
  const content = reading === null ? null : readContent(message.content, category, reading, most)
  take(fact, content)
  if (reading !== null && (category === 'user' || category === 'summary'))
    markTexts(fact, category, message.content, reading)
  if (role === 'assistant') {
    readAssistant(message, fact, content)
    fact.checkpoint = readCheckpoint(message, textsIn(reading?.longTexts ?? null), reading)
    if (fact.checkpoint?.kind === 'broken')
      fact.problem = `the provider's checkpoint cannot be read: ${fact.checkpoint.problem}`
  } else if (message.providerReplay !== undefined) {
    fact.problem = `a provider's checkpoint on a message of role ${role ?? '(none)'} is not used`
  }
  if (role === 'toolResult') {
    fact.resultFor = resultIdOf(message)
    fact.toolName = stringOf(message.toolName)
    if (message.isError === true) fact.isError = true
  }
  if (role === 'custom') fact.customType = stringOf(message.customType)
  return content?.searchText ?? ''
}

function categoryOf(role: string | undefined, message: JsonObject): EntryCategory {
  switch (role) {
    case 'user':
      return 'user'
    case 'assistant':
      return 'assistant'
    case 'toolResult':
      return 'tool-result'
    case 'branchSummary':
    case 'compactionSummary':
      return 'summary'
    default:
      return recalledOrOther(message.customType)
  }
}

/** Context that an extension injects: recalled memory has another type than the rest. */
function recalledOrOther(customType: unknown): EntryCategory {
  return typeof customType === 'string' && /memor|recall|knowledge/i.test(customType) ? 'recalled' : 'other'
}

function readAssistant(message: JsonObject, fact: OpenFact, content: ContentFacts | null): void {
  fact.provider = stringOf(message.provider)
  fact.model = stringOf(message.model)
  fact.api = stringOf(message.api)
  fact.stopReason = stringOf(message.stopReason)
  fact.errorMessage = stringOf(message.errorMessage)
  fact.requestId = stringOf(message.responseId)
  fact.usage = readUsage(message.usage)
  if (fact.provider === 'openclaw' && TRANSCRIPT_ONLY_MODELS.has(fact.model ?? '')) fact.transcriptOnly = true
  if (content === null) return
  if (content.calls.length > 0) fact.calls = content.calls
  if (content.fetches.length > 0) fact.marks = marksOf({ fetches: content.fetches })
  if (content.calls.length === 0 && content.searchText.trim() === SILENT_TOKEN) fact.silent = true
  if (content.blank) fact.blank = true
}

function readShell(message: JsonObject, fact: OpenFact, reading: ContentReading): string {
  const command = stringOf(message.command) ?? ''
  const exitCode = numberOf(message.exitCode)
  const failed = exitCode !== undefined && exitCode !== 0
  const content =
    reading === null
      ? null
      : readPlainText(
          `Ran \`${command}\`\n${stringOf(message.output) ?? ''}`,
          'tool-result',
          reading,
          searchChars('bashExecution', failed),
        )
  take(fact, content)
  fact.toolName = 'bash'
  if (message.excludeFromContext === true) fact.excluded = true
  if (failed) fact.isError = true
  return content?.searchText ?? ''
}

/** The same of a message that an extension wrote. */
export function readCustomMessage(raw: JsonObject, fact: OpenFact, reading: ContentReading): string {
  fact.role = 'custom'
  fact.customType = stringOf(raw.customType)
  if (reading === null) return ''
  const category = saidOf(raw).category ?? recalledOrOther(raw.customType)
  const content = readContent(raw.content, category, reading, SEARCH_CHARS)
  take(fact, content)
  if (category === 'summary') markTexts(fact, category, raw.content, reading)
  return content.searchText
}

/** Rules that the user sets, and what a summary says. */
function markTexts(
  fact: OpenFact,
  category: 'user' | 'summary',
  content: unknown,
  { longTexts, marks }: TextReading,
): void {
  if (!marks) return
  if (category === 'summary') {
    fact.marks = marksOf({ summary: summaryMark(textsOf(content, longTexts, SUMMARY_CHARS).join('\n')) })
    return
  }
  const rules = textsOf(content, longTexts, RULE_CHARS).flatMap(ruleMarks)
  if (rules.length > 0) fact.marks = marksOf({ rules })
}

/** The texts of a message's content; of those that were taken out no more than `most` units. */
function textsOf(content: unknown, longTexts: LongTexts | null, most: number): string[] {
  const texts: string[] = []
  for (const block of Array.isArray(content) ? content : [content]) {
    const text = isObject(block) ? block.text : block
    if (typeof text !== 'string') continue
    const isWhole = longTexts === null || longTextNumber(text) < 0
    texts.push(isWhole ? text : longTexts.head(longTextNumber(text), most))
  }
  return texts
}

/** The same of a compaction, a reset or the summary of a branch. */
export function readBoundary(raw: JsonObject, fact: OpenFact, reading: ContentReading): string {
  fact.firstKeptEntryId = stringOf(raw.firstKeptEntryId)
  fact.firstKeptIndex = numberOf(raw.firstKeptEntryIndex)
  // A context of nothing is never compacted: 0 where the client did not know.
  fact.tokensBefore = numberOf(raw.tokensBefore) || undefined
  fact.tokensAfter = numberOf(raw.tokensAfter)
  if (raw.fromHook === true) fact.fromHook = true
  if (isObject(raw.details) && raw.details.by === 'plimsoll') fact.ours = true
  if (fact.type === 'branch_summary') fact.targetId = stringOf(raw.fromId) ?? null
  if (fact.type === 'reset') {
    fact.preview = stringOf(raw.reason)
    return ''
  }
  fact.role = fact.type === 'compaction' ? 'compactionSummary' : 'branchSummary'
  if (reading === null) return ''
  const content = readPlainText(stringOf(raw.summary) ?? '', 'summary', reading, SEARCH_CHARS)
  take(fact, content)
  if (fact.type === 'compaction' && typeof raw.summary === 'string')
    markTexts(fact, 'summary', raw.summary, reading)
  if (content.blank) fact.blank = true
  return content.searchText
}

function take(fact: OpenFact, content: ContentFacts | null): void {
  if (content === null) return
  fact.units = content.units
  if (content.images > 0) fact.images = content.images
  if (content.preview !== '') fact.preview = content.preview
}
