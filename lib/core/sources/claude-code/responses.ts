import { isObject, type JsonObject, numberOf, stringOf } from '../../transcript/json'
import { SAID, type Said, type TranslatedEntry } from '../../transcript/reading/translated'
import { inChain } from './chain'
import { isUpTo } from './version'

/** The model that the client names on what it wrote in place of a model. */
const CLIENT_MODEL = '<synthetic>'

/** Up to this release every line of a response has the output as it was when the response began. */
const LAST_UNSURE: readonly [number, number, number] = [2, 1, 88]

/** One line of a response: a block of it, with what the whole response used as far as it was known. */
export function assistantEntry(line: JsonObject): TranslatedEntry {
  const message = isObject(line.message) ? line.message : {}
  const { content } = message
  const model = stringOf(message.model)
  const isClients = model === CLIENT_MODEL
  const said: Said = isClients
    ? line.isApiErrorMessage === true
      ? { transcriptOnly: true }
      : { clientWritten: true }
    : isUpTo(line.version, LAST_UNSURE)
      ? { outputUnsure: true }
      : {}
  return {
    ...inChain(line),
    type: 'message',
    message: {
      role: 'assistant',
      content,
      ...(isClients ? {} : { model, provider: providerOf(model), usage: usageOf(message.usage) }),
      responseId: isClients ? undefined : message.id,
      stopReason: STOP_REASONS.get(stringOf(message.stop_reason) ?? ''),
    },
    [SAID]: said,
  }
}

/** What a sub-agent used for a response, in the file of its parent: billed to the session, in no window of its. */
export function agentUsageEntry(line: JsonObject): TranslatedEntry {
  const message = isObject(line.message) ? line.message : {}
  const { id: responseId, model, usage } = message
  return {
    ...inChain(line),
    type: 'usage',
    appendMode: 'side',
    responseId,
    ...(model === CLIENT_MODEL ? {} : { model, usage: usageOf(usage) }),
  }
}

const STOP_REASONS: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'toolUse'],
  ['max_tokens', 'length'],
  ['refusal', 'refusal'],
])

/** Whose model it is. Transcripts do not say on which way it was asked. */
function providerOf(model: string | undefined): string | undefined {
  return model?.startsWith('claude') ? 'anthropic' : undefined
}

function usageOf(usage: unknown): JsonObject | undefined {
  if (!isObject(usage)) return undefined
  const written = isObject(usage.cache_creation) ? usage.cache_creation : {}
  return {
    input: numberOf(usage.input_tokens) ?? 0,
    output: numberOf(usage.output_tokens) ?? 0,
    cacheRead: numberOf(usage.cache_read_input_tokens) ?? 0,
    cacheWrite: numberOf(usage.cache_creation_input_tokens) ?? 0,
    cacheWrite1h: numberOf(written.ephemeral_1h_input_tokens) ?? 0,
  }
}
