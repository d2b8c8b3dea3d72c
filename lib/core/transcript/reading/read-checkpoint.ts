import { IMAGE_UNITS } from '../../tokens/estimate'
import { type Retained, retainedMessages } from '../checkpoint-window'
import type { Route } from '../fold/call-route'
import { isObject, type JsonObject } from '../json'
import type { CheckpointFamily, ProviderCheckpoint } from '../provider-checkpoint'
import { type EntryTexts, textsIn } from './entry-texts'
import { type LongTexts, longTextNumber } from './long-texts'
import { previewOf, readContent, type TextReading } from './read-content'

/** Types of records, as OpenClaw writes them (lib/docs/openclaw.md#provider-checkpoints). */
const TYPES: ReadonlyMap<unknown, { family: CheckpointFamily; kind: 'prefix' | 'retained' | 'suppression' }> =
  new Map([
    ['openai-responses-compaction', { family: 'openai', kind: 'prefix' }],
    ['openai-responses-retained-compaction', { family: 'openai', kind: 'retained' }],
    ['openai-responses-compaction-suppression', { family: 'openai', kind: 'suppression' }],
    ['anthropic-compaction', { family: 'anthropic', kind: 'prefix' }],
    ['anthropic-compaction-suppression', { family: 'anthropic', kind: 'suppression' }],
  ])

/** What is in `data` where the provider refused a checkpoint. */
const REJECTED = 'rejected'

/** Names of a route are short; a longer one is no name. UTF-16 units. */
const MOST_NAME = 512

/** Encrypted data is all of one kind: so much of it is sized, and the rest in proportion. UTF-16 units. */
const SAMPLE_CHARS = 65_536

/** Whether a message carries a compaction that its provider made, whether or not it can be read. */
export function hasCheckpoint({ providerReplay }: JsonObject): boolean {
  const type = isObject(providerReplay) ? TYPES.get(providerReplay.type) : undefined
  return type !== undefined && type.kind !== 'suppression'
}

/** Why it cannot be used; undefined when there is none, or it can be. Looks at no long text. */
export function checkpointProblem(message: JsonObject): string | undefined {
  const checkpoint = readCheckpoint(message, textsIn(null), null)
  return checkpoint?.kind === 'broken' ? checkpoint.problem : undefined
}

/**
 * Reads `message.providerReplay` of an assistant message. Never throws, and keeps no text but a preview; undefined when
 * there is none.
 * @param reading how texts are sized; null: not at all
 */
export function readCheckpoint(
  message: JsonObject,
  texts: EntryTexts,
  reading: TextReading | null,
): ProviderCheckpoint | undefined {
  const replay = message.providerReplay
  if (replay === undefined) return undefined
  if (!isObject(replay)) return broken(null, 'it is not an object')
  const type = TYPES.get(replay.type)
  if (type === undefined) return broken(null, 'its type is not known')
  const { family, kind } = type
  const route = readRoute(replay)
  if (replay.v !== 1) return brokenOf(type, `its version is not 1`)
  if (route === null) return brokenOf(type, 'its provider, api, model or hashes are missing or no text')
  if (typeof replay.data !== 'string' || replay.data === '')
    return brokenOf(type, 'its data is missing or no text')
  if (kind === 'suppression') {
    const isRejected = texts.whole(replay.data) === REJECTED
    return isRejected ? { kind, family, route } : brokenOf(type, `its data is not "${REJECTED}"`)
  }
  const { content } = message
  if (!Array.isArray(content)) return broken(null, 'the message that has it is plain text')
  if (!isOptionalString(family === 'openai' ? replay.id : undefined))
    return brokenOf(type, 'its id is no text')
  if (
    family === 'anthropic' &&
    replay.encryptedContent !== null &&
    !isOptionalString(replay.encryptedContent)
  )
    return brokenOf(type, 'its encryptedContent is no text')
  const covers = coveredBlocks(replay, kind, content.length)
  if (covers === null) return brokenOf(type, 'its replayIndex is no number of content blocks')
  const hasWindow = family === 'openai' && (kind === 'retained' || replay.compactedWindow !== undefined)
  const retained = hasWindow ? retainedMessages(replay, texts) : null
  const rest = reading === null ? null : readContent(content.slice(covers), 'assistant', reading, 0)
  return {
    kind: !hasWindow ? 'prefix' : retained === null ? 'stale' : 'window',
    family,
    route,
    covers,
    units:
      reading === null ? 0 : unitsOf(replay.data, family, texts, reading) + unitsOfWindow(retained, reading),
    chars: texts.lengthOf(replay.data),
    ...(retained !== null && { windowMessages: retained.messages }),
    rest: rest?.units ?? {},
    restImages: rest?.images ?? 0,
    restCalls: rest?.calls.length ?? 0,
    ...(family === 'anthropic' && { text: previewOf(beginningOf(replay.data, reading)) }),
  }
}

/** null when it is none. A complete window replaces all content of its message. */
function coveredBlocks(
  { replayIndex }: JsonObject,
  kind: 'prefix' | 'retained',
  blocks: number,
): number | null {
  if (kind === 'retained') return replayIndex === undefined ? blocks : null
  if (replayIndex === undefined) return 0
  return Number.isSafeInteger(replayIndex) && (replayIndex as number) >= 0
    ? Math.min(replayIndex as number, blocks)
    : null
}

function readRoute(replay: JsonObject): Route | null {
  const { provider, api, model, baseUrlHash, sessionHash, authProfileHash } = replay
  if (!isName(provider) || !isName(api) || !isName(model) || !isName(baseUrlHash)) return null
  if (sessionHash !== undefined && !isName(sessionHash)) return null
  if (authProfileHash !== undefined && !isName(authProfileHash)) return null
  return {
    provider,
    api,
    model,
    baseUrlHash,
    sessionHash,
    authProfileHash,
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_NAME && longTextNumber(value) < 0
}

function isOptionalString(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function broken(family: CheckpointFamily | null, problem: string): ProviderCheckpoint {
  return { kind: 'broken', family, problem }
}

/** A suppression that cannot be read suppresses nothing; a checkpoint that cannot be read ends the search. */
function brokenOf(
  { family, kind }: { readonly family: CheckpointFamily; readonly kind: string },
  problem: string,
): ProviderCheckpoint {
  return broken(kind === 'suppression' ? null : family, problem)
}

function unitsOf(data: string, family: CheckpointFamily, texts: EntryTexts, reading: TextReading): number {
  const { estimate, longTexts } = reading
  if (longTexts !== null && longTextNumber(data) >= 0) return longTexts.units(longTextNumber(data))
  if (family === 'anthropic' || data.length <= SAMPLE_CHARS) return estimate(data)
  return Math.round((estimate(data.slice(0, SAMPLE_CHARS)) * texts.lengthOf(data)) / SAMPLE_CHARS)
}

function unitsOfWindow(retained: Retained | null, { estimate }: TextReading): number {
  if (retained === null) return 0
  return retained.texts.reduce((sum, text) => sum + estimate(text), retained.images * IMAGE_UNITS)
}

const PREVIEW_CHARS = 320

function beginningOf(data: string, reading: TextReading | null): string {
  const longTexts: LongTexts | null = reading?.longTexts ?? null
  const isWhole = longTexts === null || longTextNumber(data) < 0
  return isWhole ? data : longTexts.head(longTextNumber(data), PREVIEW_CHARS)
}
