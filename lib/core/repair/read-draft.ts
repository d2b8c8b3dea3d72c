import { resultIdOf } from '../transcript/blocks'
import { ENTRY_TYPES, type EntryType } from '../transcript/entry'
import { isObject, type JsonObject, numberOf, stringOf } from '../transcript/json'
import { checkpointProblem, hasCheckpoint } from '../transcript/reading/read-checkpoint'
import type { Bytes } from '../units/units'
import { findContentFlaws, isTooDeep, type RepairRules } from './content-flaws'
import { DraftEntry, type DraftSource } from './draft'
import type { FindingClass } from './finding'
import { sharedText } from './shared-text'
import { MISSING_RESULT_TEXT } from './synthetic-result'

const KNOWN_TYPES: ReadonlyMap<string, EntryType> = new Map(
  ENTRY_TYPES.filter((type) => type !== 'unknown' && type !== 'unreadable').map((type) => [type, type]),
)

/** Shorter JSON cannot be nested too deeply. */
const SHALLOW_CHARS = 2000

/** An entry as a repair sees it; `dropped` tells why it cannot stay. */
export type DraftReading = { readonly entry: DraftEntry; readonly dropped: FindingClass | null }

/**
 * Reads what is on a line, once it is parsed. Texts are examined but not kept.
 * @param chars length of the JSON that it was parsed from
 */
export function readRepairDraft(
  raw: JsonObject,
  source: DraftSource,
  place: { readonly bytes: Bytes; readonly ordinal: number },
  rules: RepairRules,
  chars: number,
): DraftReading {
  const written = stringOf(raw.type)
  const known = written === undefined ? undefined : KNOWN_TYPES.get(written)
  const entry = new DraftEntry(known ?? 'unknown', source, place)
  if (known === undefined && written !== undefined) entry.more.rawType = written
  if (known !== 'session') entry.id = stringOf(raw.id) ?? null
  entry.parentId = stringOf(raw.parentId) ?? null
  entry.parentless = raw.parentId !== null && entry.parentId === null
  if (raw.appendMode === 'side') entry.more.side = true
  if (written === undefined) return { entry, dropped: 'not-an-entry' }
  if (chars > SHALLOW_CHARS && isTooDeep(raw)) return { entry, dropped: 'too-deep' }
  return { entry, dropped: readFields(raw, entry, rules) }
}

function readFields(raw: JsonObject, entry: DraftEntry, rules: RepairRules): FindingClass | null {
  switch (entry.type) {
    case 'session':
      entry.more.header = { version: numberOf(raw.version) ?? 1, sessionId: stringOf(raw.id) ?? '' }
      return null
    case 'message':
      return readMessage(raw, entry, rules)
    case 'custom_message':
      entry.role = 'custom'
      return null
    case 'compaction':
    case 'reset':
      entry.more.firstKeptEntryId = stringOf(raw.firstKeptEntryId)
      entry.more.firstKeptIndex = numberOf(raw.firstKeptEntryIndex)
      if (entry.type === 'compaction') entry.role = 'compactionSummary'
      return null
    case 'branch_summary':
      entry.role = 'branchSummary'
      if (!/\S/.test(stringOf(raw.summary) ?? '')) entry.more.blank = true
      return null
    case 'leaf':
      entry.more.targetId = stringOf(raw.targetId) ?? null
      return null
    default:
      return null
  }
}

function readMessage(raw: JsonObject, entry: DraftEntry, rules: RepairRules): FindingClass | null {
  const { message } = raw
  if (!isObject(message)) return 'no-role'
  const role = sharedText(message.role === 'hookMessage' ? 'custom' : stringOf(message.role))
  if (role === undefined || !/\S/.test(role)) return 'no-role'
  entry.role = role
  if (role === 'assistant') readAssistant(message, entry)
  else if (role === 'toolResult') readResult(message, entry)
  else if (message.providerReplay !== undefined) entry.more.unusable = `one is on a message of role ${role}`
  if (role === 'bashExecution' && message.excludeFromContext === true) entry.more.excluded = true
  const found = findContentFlaws(message, rules)
  if (found === null) return null
  if (found.calls.length > 0) {
    entry.calls = found.calls
    entry.stamp = raw.timestamp ?? message.timestamp
  }
  if (found.empty) {
    // It does not stay, but a provider would see it.
    entry.more.flaws = found.flaws
    return 'incomplete-call'
  }
  if (found.flaws.length > 0) {
    entry.more.flaws = found.flaws
    entry.edit(...found.edits)
  }
  return null
}

function readAssistant(message: JsonObject, entry: DraftEntry): void {
  entry.provider = sharedText(stringOf(message.provider))
  entry.api = sharedText(stringOf(message.api))
  entry.stopReason = sharedText(stringOf(message.stopReason))
  const model = stringOf(message.model)
  if (entry.provider === 'openclaw' && (model === 'delivery-mirror' || model === 'gateway-injected'))
    entry.more.transcriptOnly = true
  if (hasCheckpoint(message)) entry.more.checkpointed = true
  const unusable = checkpointProblem(message)
  if (unusable !== undefined) entry.more.unusable = unusable
}

function readResult(message: JsonObject, entry: DraftEntry): void {
  entry.resultFor = stringOf(message.toolCallId) ?? resultIdOf(message)
  entry.toolName = sharedText(stringOf(message.toolName))
  entry.synthetic = isSynthetic(message)
}

function isSynthetic({ isError, details, content }: JsonObject): boolean {
  if (isError !== true) return false
  if (isObject(details) && details.openclawSyntheticMissingToolResult === true) return true
  const [block] = Array.isArray(content) ? content : []
  return isObject(block) && block.text === MISSING_RESULT_TEXT
}
